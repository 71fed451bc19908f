// Package whitehall is the client of Whitehall, the referee for deduction board games.
//
//	service, err := whitehall.Connect("localhost:50051")
//	game, err := service.ScotlandYard.CreateGame(ctx, &scotlandyardv1.CreateGameRequest{Players: 3})
//	mrX, err := service.ScotlandYard.Claim(ctx, game.Seats["mr_x"])
//	moves, err := mrX.Moves(ctx)
//
// Messages are in whitehall.example/client/gen, by the paths of their protos. Whatever is called over [Service.Conn], by
// any generated client, has deadlines, repetitions and refusals as everything else here.
package whitehall

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/health" // asks replicas whether they serve
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/manual"
)

// serviceConfig lets calls go round all addresses of the name, and only to replicas that say that they serve: one that is
// about to stop gets no new calls.
func serviceConfig(health string) grpc.DialOption {
	return grpc.WithDefaultServiceConfig(fmt.Sprintf(
		`{"loadBalancingConfig": [{"round_robin": {}}], "healthCheckConfig": {"serviceName": %q}}`, health))
}

// largestAnswer is what is taken, in bytes. gRPC takes no more than 4 MiB unless told. Most answers have a few KiB; the
// record of a long game may be large.
const largestAnswer = 64 << 20

// Service is a connection to the service. It is made when it is first needed, and again whenever it is lost.
type Service struct {
	ScotlandYard *ScotlandYard
	Cluedo       *Cluedo
	Catalog      *Catalog
	conn         *connection
	close        func() error
}

// Option changes how to connect.
type Option func(*settings)

type settings struct {
	key      *string
	language string
	timeout  time.Duration
	security credentials.TransportCredentials
	dialing  []grpc.DialOption
}

// WithOperatorKey gives the `id:secret` of an operator, where the service asks for one.
func WithOperatorKey(key string) Option { return func(s *settings) { s.key = &key } }

// WithLanguage chooses the language of refusals: `en` or `fr`.
func WithLanguage(language string) Option { return func(s *settings) { s.language = language } }

// WithTimeout says how long a call may take whose context has no deadline, its repetitions included; ten seconds unless
// told.
func WithTimeout(timeout time.Duration) Option { return func(s *settings) { s.timeout = timeout } }

// WithTLS is needed where the service, or a proxy before it, speaks TLS. Nil stands for the system's certificates.
func WithTLS(config *tls.Config) Option {
	return func(s *settings) { s.security = credentials.NewTLS(config) }
}

// WithDialOptions gives gRPC options of its own, which win over the defaults.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dialing = append(s.dialing, options...) }
}

// Connect gives a connection to the service at a target: `host:port`, any other name that gRPC resolves, or the addresses
// of several replicas with commas between them. It fails where that is a URL, where the operator's key is none,
// such as an empty one, and where no header can bear the key or the language.
func Connect(target string, options ...Option) (*Service, error) {
	chosen := settings{timeout: 10 * time.Second, security: insecure.NewCredentials()}
	for _, option := range options {
		option(&chosen)
	}
	if err := errors.Join(checkedTarget(target), chosen.checked()); err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.Background())
	caller := &caller{operator: chosen.operator(), language: chosen.language, timeout: chosen.timeout, life: life}
	dialing := []grpc.DialOption{
		grpc.WithTransportCredentials(chosen.security),
		grpc.WithUnaryInterceptor(caller.unary),
		grpc.WithStreamInterceptor(caller.stream),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestAnswer)),
		// A replica that comes back is found within a second.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: time.Second,
		}),
		// Silence is looked into every 30 seconds, calls or none: streams are silent for long.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 30 * time.Second, Timeout: 10 * time.Second, PermitWithoutStream: true,
		}),
	}
	if strings.Contains(target, ",") {
		replicas := manual.NewBuilderWithScheme("replicas")
		var state resolver.State
		for _, address := range strings.Split(target, ",") {
			if address = strings.TrimSpace(address); address != "" {
				state.Addresses = append(state.Addresses, resolver.Address{Addr: address})
			}
		}
		replicas.InitialState(state)
		dialing = append(dialing, grpc.WithResolvers(replicas))
		target = "replicas:///whitehall"
	}
	conn, err := newConnection(target, dialing, chosen.dialing)
	if err != nil {
		end()
		return nil, err
	}
	once := sync.OnceValue(func() error {
		end()
		return conn.Close()
	})
	return &Service{newScotlandYard(conn, caller), newCluedo(conn, caller), newCatalog(conn), conn, once}, nil
}

// operator is an operator's key as the token that calls bear; empty for none.
func (s *settings) operator() string {
	if s.key == nil {
		return ""
	}
	return "wh_operator_" + strings.Replace(*s.key, ":", "_", 1)
}

// Conn is what generated clients take: scotlandyardv1.NewScotlandYardPositionServiceClient(service.Conn()), say.
func (s *Service) Conn() grpc.ClientConnInterface { return s.conn }

// Close ends the connection, with every stream and call on it: they, and whatever comes later, fail with [ErrClosed] at once.
// Closing it again changes nothing.
func (s *Service) Close() error { return s.close() }
