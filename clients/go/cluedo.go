package whitehall

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	cluedov1 "whitehall.example/client/gen/whitehall/cluedo/v1"
)

// Cluedo makes games, and gives access to them. Every method here and of what it gives is one call of
// CluedoService, whose proto says what each field means.
type Cluedo struct {
	stub   cluedov1.CluedoServiceClient
	caller *caller
}

func newCluedo(conn grpc.ClientConnInterface, caller *caller) *Cluedo {
	return &Cluedo{cluedov1.NewCluedoServiceClient(conn), caller}
}

// CreateGame makes a game, of preset `james-bond` unless told. It needs an operator's key where the service has any. Keep the
// tokens of the answer: nothing tells them again.
func (c *Cluedo) CreateGame(ctx context.Context, asked *cluedov1.CreateGameRequest) (*NewGame[cluedov1.Game], error) {
	asked = proto.CloneOf(asked)
	if asked.GetPreset() == "" {
		asked.Preset = "james-bond"
	}
	made, err := c.stub.CreateGame(ctx, asked)
	if err != nil {
		return nil, err
	}
	return newGame(made.GetGame().GetInfo().GetGameId(), made.GetGame(), made), nil
}

// Claim takes the seat: its invitation is exchanged for a token that nobody else has, [Reader.Token]. Seeds are mixed into
// the chance of a game that waits for its start.
func (c *Cluedo) Claim(ctx context.Context, invitation Invitation, seeds ...string) (*CluedoSeat, error) {
	seat := c.Seat(invitation.GameID, invitation.Token.Reveal())
	_, err := seat.Rotate(ctx, &cluedov1.RotateTokenRequest{ClientSeed: joined(seeds)})
	return seat, err
}

// Seat is a seat that was claimed before, by the token kept then.
func (c *Cluedo) Seat(gameID, token string) *CluedoSeat {
	return &CluedoSeat{CluedoViewer{c.reader(gameID, token)}}
}

// Spectator is what the bearer of the spectators' token may do.
func (c *Cluedo) Spectator(gameID, token string) *CluedoViewer {
	return &CluedoViewer{c.reader(gameID, token)}
}

// Host is what the bearer of the host's token may do.
func (c *Cluedo) Host(gameID, token string) *CluedoHost {
	return &CluedoHost{c.reader(gameID, token)}
}

func (c *Cluedo) reader(gameID, token string) CluedoReader {
	return CluedoReader{stub: c.stub, caller: c.caller, GameID: gameID, Token: Token{token}}
}

// CluedoReader is what every bearer of a token of a game may do.
type CluedoReader struct {
	GameID string
	// Token is the password: that of the last rotation.
	Token  Token
	stub   cluedov1.CluedoServiceClient
	caller *caller
}

// Game is the game as the bearer may see it.
func (r *CluedoReader) Game(ctx context.Context) (*cluedov1.Game, error) {
	answer, err := r.stub.GetGame(r.Token.bear(ctx), &cluedov1.GetGameRequest{GameId: r.GameID})
	return answer.GetGame(), err
}

// Deductions tells what can lie in the envelope and who can hold what, for all that the bearer knows, with reasons for
// what is to be explained. Early in a game of six that can take a second. The request may be nil.
func (r *CluedoReader) Deductions(
	ctx context.Context, asked *cluedov1.GetDeductionsRequest,
) (*cluedov1.GetDeductionsResponse, error) {
	asked = orNew(asked)
	asked.GameId = r.GameID
	return r.stub.GetDeductions(r.Token.bear(ctx), asked)
}

// Events is a page of what has happened, as the bearer may know it. The request may be nil.
func (r *CluedoReader) Events(
	ctx context.Context, asked *cluedov1.ListEventsRequest,
) (*cluedov1.ListEventsResponse, error) {
	asked = orNew(asked)
	asked.GameId = r.GameID
	return r.stub.ListEvents(r.Token.bear(ctx), asked)
}

// Record is the whole record with all seeds, once the game has ended.
func (r *CluedoReader) Record(ctx context.Context) (*cluedov1.GetRecordResponse, error) {
	return r.stub.GetRecord(r.Token.bear(ctx), &cluedov1.GetRecordRequest{GameId: r.GameID})
}

func (r *CluedoReader) exchange(ctx context.Context, asked *cluedov1.RotateTokenRequest) (string, error) {
	asked = orNew(asked)
	asked.GameId = r.GameID
	issued, err := r.stub.RotateToken(r.Token.bear(ctx), asked)
	if err != nil {
		return "", err
	}
	r.Token = Token{issued.GetToken()}
	return issued.GetToken(), nil
}

// CluedoViewer is a seat or a spectator.
type CluedoViewer struct{ CluedoReader }

// Watch follows the game: the present state first, or what came after a cursor; then each revision once and in order,
// through restarts and broken connections. Draw the game of an update, which is whole, where it is there: revisions that
// are caught up with come without. Reset says that the game is another one than the cursor knew, after a failover.
//
// It ends when the game is over, and with the context; after an error, nothing follows: the token has been replaced, the
// game was deleted, or the service could not be reached for a minute.
func (v *CluedoViewer) Watch(
	ctx context.Context, cursor string,
) iter.Seq2[*cluedov1.WatchGameResponse, error] {
	open := func(ctx context.Context, cursor string) (grpc.ServerStreamingClient[cluedov1.WatchGameResponse], error) {
		return v.stub.WatchGame(v.Token.bear(ctx), &cluedov1.WatchGameRequest{GameId: v.GameID, Cursor: cursor})
	}
	read := func(news *cluedov1.WatchGameResponse) (part, string) {
		switch kind := news.GetKind().(type) {
		case *cluedov1.WatchGameResponse_Update:
			return update, kind.Update.GetRevision().GetCursor()
		case *cluedov1.WatchGameResponse_Reconnect:
			return reconnect, ""
		default:
			return heartbeat, ""
		}
	}
	return follow(ctx, v.caller, cursor, open, read)
}

// CluedoSeat is somebody who plays.
type CluedoSeat struct{ CluedoViewer }

// LegalMoves has the moves that the seat may make now, typed.
func (s *CluedoSeat) LegalMoves(ctx context.Context) (*cluedov1.ListLegalMovesResponse, error) {
	return s.stub.ListLegalMoves(s.Token.bear(ctx), &cluedov1.ListLegalMovesRequest{GameId: s.GameID})
}

// Moves has the same as text, but for suggestions, accusations and rolls of the table's own dice, which the player puts
// together.
func (s *CluedoSeat) Moves(ctx context.Context) ([]string, error) {
	legal, err := s.LegalMoves(ctx)
	return cluedoTexts(legal.GetMoves()), err
}

// Validate is a dry run: every rule that forbids a move, judged on what the seat may know.
func (s *CluedoSeat) Validate(ctx context.Context, move string) (*cluedov1.ValidateMoveResponse, error) {
	asked := &cluedov1.ValidateMoveRequest{GameId: s.GameID, Move: cluedoMove(move)}
	return s.stub.ValidateMove(s.Token.bear(ctx), asked)
}

// Play plays a move in notation (`roll`, `walk 7,4`, `suggest S4 W2 L3`): made once, however often the answer is lost.
func (s *CluedoSeat) Play(ctx context.Context, move string) (*cluedov1.PlayMoveResponse, error) {
	return s.PlayMove(ctx, &cluedov1.PlayMoveRequest{Move: cluedoMove(move)})
}

// PlayMove is Play for a typed move, an expected revision, or a request id of the caller's own.
func (s *CluedoSeat) PlayMove(
	ctx context.Context, asked *cluedov1.PlayMoveRequest,
) (*cluedov1.PlayMoveResponse, error) {
	asked = orNew(asked)
	asked.GameId = s.GameID
	return s.stub.PlayMove(s.Token.bear(ctx), asked)
}

// Rotate exchanges the token for a new one, kept as Token and given back. The first time it is the claim. The request may
// be nil.
func (s *CluedoSeat) Rotate(ctx context.Context, asked *cluedov1.RotateTokenRequest) (string, error) {
	return s.exchange(ctx, asked)
}

// CluedoHost is who made the game. It sees what everybody may see.
type CluedoHost struct{ CluedoReader }

// Start starts a game that was made waiting.
func (h *CluedoHost) Start(ctx context.Context) (*cluedov1.StartGameResponse, error) {
	return h.stub.StartGame(h.Token.bear(ctx), &cluedov1.StartGameRequest{GameId: h.GameID})
}

// Reissue takes a seat back: its holder is out, and everybody is told. The answer is a new invitation.
func (h *CluedoHost) Reissue(ctx context.Context, seat int32) (Invitation, error) {
	target := &cluedov1.RotateTokenRequest_Seat{Seat: seat}
	issued, err := h.stub.RotateToken(h.Token.bear(ctx), &cluedov1.RotateTokenRequest{GameId: h.GameID, Target: target})
	if err != nil {
		return Invitation{}, err
	}
	game, err := h.Game(ctx)
	return invitation(h.GameID, seat, game.GetInfo().GetSeats(), issued.GetToken()), err
}

// ReissueSpectators exchanges the spectators' token.
func (h *CluedoHost) ReissueSpectators(ctx context.Context) (string, error) {
	target := &cluedov1.RotateTokenRequest_Spectators{Spectators: true}
	issued, err := h.stub.RotateToken(h.Token.bear(ctx), &cluedov1.RotateTokenRequest{GameId: h.GameID, Target: target})
	return issued.GetToken(), err
}

// Rotate exchanges the host's own token for a new one, which is kept as Token and given back.
func (h *CluedoHost) Rotate(ctx context.Context) (string, error) { return h.exchange(ctx, nil) }

// Abandon ends the game for all; nobody wins.
func (h *CluedoHost) Abandon(ctx context.Context) (*cluedov1.AbandonGameResponse, error) {
	return h.stub.AbandonGame(h.Token.bear(ctx), &cluedov1.AbandonGameRequest{GameId: h.GameID})
}

// Delete deletes the game with everything kept of it. Deleting it again is no error.
func (h *CluedoHost) Delete(ctx context.Context) error {
	_, err := h.stub.DeleteGame(h.Token.bear(ctx), &cluedov1.DeleteGameRequest{GameId: h.GameID})
	return err
}

func cluedoMove(text string) *cluedov1.Move {
	return &cluedov1.Move{Kind: &cluedov1.Move_Text{Text: text}}
}
