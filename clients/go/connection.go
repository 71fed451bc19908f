package whitehall

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc"

	catalogv1 "whitehall.example/client/gen/whitehall/catalog/v1"
)

// connection is a connection for games, which leaves out replicas that have no store now, and another for the catalog and
// for positions, which need none. Each is made when it is first needed.
type connection struct {
	games     *grpc.ClientConn
	storeless *grpc.ClientConn
}

// newConnection goes by the health of the server as a whole for games; the catalog's stands for all that needs no store.
func newConnection(target string, options, own []grpc.DialOption) (*connection, error) {
	dial := func(health string) (*grpc.ClientConn, error) {
		all := append([]grpc.DialOption{serviceConfig(health)}, options...)
		return grpc.NewClient(target, append(all, own...)...)
	}
	games, err := dial("")
	if err != nil {
		return nil, err
	}
	storeless, err := dial(catalogv1.CatalogService_ServiceDesc.ServiceName)
	if err != nil {
		return nil, errors.Join(err, games.Close())
	}
	return &connection{games, storeless}, nil
}

// of is the connection for a method, such as `/whitehall.catalog.v1.CatalogService/GetBuildInfo`.
func (c *connection) of(method string) *grpc.ClientConn {
	service, _, _ := strings.Cut(strings.TrimPrefix(method, "/"), "/")
	if service == catalogv1.CatalogService_ServiceDesc.ServiceName || strings.HasSuffix(service, "PositionService") {
		return c.storeless
	}
	return c.games
}

// Invoke makes a call with one answer.
func (c *connection) Invoke(ctx context.Context, method string, request, answer any, options ...grpc.CallOption) error {
	return c.of(method).Invoke(ctx, method, request, answer, options...)
}

// NewStream begins a stream.
func (c *connection) NewStream(
	ctx context.Context, description *grpc.StreamDesc, method string, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	return c.of(method).NewStream(ctx, description, method, options...)
}

// Close ends both.
func (c *connection) Close() error {
	return errors.Join(c.games.Close(), c.storeless.Close())
}
