package whitehall

import (
	"context"

	"google.golang.org/grpc"

	catalogv1 "whitehall.example/client/gen/whitehall/catalog/v1"
	commonv1 "whitehall.example/client/gen/whitehall/common/v1"
)

// Catalog is what the service knows apart from games in play: presets, boards, rules, and what is running. It needs no
// token. A game is `scotland-yard`, `cluedo`, or empty for all.
type Catalog struct {
	stub catalogv1.CatalogServiceClient
}

func newCatalog(conn grpc.ClientConnInterface) *Catalog {
	return &Catalog{catalogv1.NewCatalogServiceClient(conn)}
}

// Presets has the presets of a game with every parameter; the default first.
func (c *Catalog) Presets(ctx context.Context, game string) ([]*catalogv1.Preset, error) {
	answer, err := c.stub.ListPresets(ctx, &catalogv1.ListPresetsRequest{Game: game})
	return answer.GetPresets(), err
}

// Boards has the boards of a game, without their places.
func (c *Catalog) Boards(ctx context.Context, game string) ([]*catalogv1.BoardInfo, error) {
	answer, err := c.stub.ListBoards(ctx, &catalogv1.ListBoardsRequest{Game: game})
	return answer.GetBoards(), err
}

// Board is a board as a drawing needs it.
func (c *Catalog) Board(ctx context.Context, name string) (*catalogv1.Board, error) {
	answer, err := c.stub.GetBoard(ctx, &catalogv1.GetBoardRequest{Name: name})
	return answer.GetBoard(), err
}

// Rules has every rule that a refusal can cite.
func (c *Catalog) Rules(ctx context.Context, game string) ([]*commonv1.Rule, error) {
	answer, err := c.stub.ListRules(ctx, &catalogv1.ListRulesRequest{Game: game})
	return answer.GetRules(), err
}

// BuildInfo tells what is running.
func (c *Catalog) BuildInfo(ctx context.Context) (*catalogv1.GetBuildInfoResponse, error) {
	return c.stub.GetBuildInfo(ctx, &catalogv1.GetBuildInfoRequest{})
}
