package whitehall

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	yardv1 "whitehall.example/client/gen/whitehall/scotlandyard/v1"
)

// ScotlandYard makes games, and gives access to them. Every method here and of what it gives is one call of
// ScotlandYardService, whose proto says what each field means.
type ScotlandYard struct {
	stub   yardv1.ScotlandYardServiceClient
	caller *caller
}

func newScotlandYard(conn grpc.ClientConnInterface, caller *caller) *ScotlandYard {
	return &ScotlandYard{yardv1.NewScotlandYardServiceClient(conn), caller}
}

// CreateGame makes a game, of preset `new` unless told. It needs an operator's key where the service has any. Keep the
// tokens of the answer: nothing tells them again.
func (y *ScotlandYard) CreateGame(ctx context.Context, asked *yardv1.CreateGameRequest) (*NewGame[yardv1.Game], error) {
	asked = proto.CloneOf(asked)
	if asked.GetPreset() == "" {
		asked.Preset = "new"
	}
	made, err := y.stub.CreateGame(ctx, asked)
	if err != nil {
		return nil, err
	}
	return newGame(made.GetGame().GetInfo().GetGameId(), made.GetGame(), made), nil
}

// Claim takes the seat: its invitation is exchanged for a token that nobody else has, [Reader.Token]. Seeds are mixed into
// the chance of a game that waits for its start.
func (y *ScotlandYard) Claim(ctx context.Context, invitation Invitation, seeds ...string) (*ScotlandYardSeat, error) {
	seat := y.Seat(invitation.GameID, invitation.Token.Reveal())
	_, err := seat.Rotate(ctx, &yardv1.RotateTokenRequest{ClientSeed: joined(seeds)})
	return seat, err
}

// Seat is a seat that was claimed before, by the token kept then.
func (y *ScotlandYard) Seat(gameID, token string) *ScotlandYardSeat {
	return &ScotlandYardSeat{ScotlandYardViewer{y.reader(gameID, token)}}
}

// Spectator is what the bearer of the spectators' token may do.
func (y *ScotlandYard) Spectator(gameID, token string) *ScotlandYardViewer {
	return &ScotlandYardViewer{y.reader(gameID, token)}
}

// Host is what the bearer of the host's token may do.
func (y *ScotlandYard) Host(gameID, token string) *ScotlandYardHost {
	return &ScotlandYardHost{y.reader(gameID, token)}
}

func (y *ScotlandYard) reader(gameID, token string) ScotlandYardReader {
	return ScotlandYardReader{stub: y.stub, caller: y.caller, GameID: gameID, Token: Token{token}}
}

// ScotlandYardReader is what every bearer of a token of a game may do.
type ScotlandYardReader struct {
	GameID string
	// Token is the password: that of the last rotation.
	Token  Token
	stub   yardv1.ScotlandYardServiceClient
	caller *caller
}

// Game is the game as the bearer may see it.
func (r *ScotlandYardReader) Game(ctx context.Context) (*yardv1.Game, error) {
	answer, err := r.stub.GetGame(r.Token.bear(ctx), &yardv1.GetGameRequest{GameId: r.GameID})
	return answer.GetGame(), err
}

// Deductions tells where Mr X can be, as far as the bearer may know. In the app game that can take a second. The request
// may be nil.
func (r *ScotlandYardReader) Deductions(
	ctx context.Context, asked *yardv1.GetDeductionsRequest,
) (*yardv1.GetDeductionsResponse, error) {
	asked = orNew(asked)
	asked.GameId = r.GameID
	return r.stub.GetDeductions(r.Token.bear(ctx), asked)
}

// Events is a page of what has happened, as the bearer may know it. The request may be nil.
func (r *ScotlandYardReader) Events(
	ctx context.Context, asked *yardv1.ListEventsRequest,
) (*yardv1.ListEventsResponse, error) {
	asked = orNew(asked)
	asked.GameId = r.GameID
	return r.stub.ListEvents(r.Token.bear(ctx), asked)
}

// Record is the whole record with all seeds, once the game has ended.
func (r *ScotlandYardReader) Record(ctx context.Context) (*yardv1.GetRecordResponse, error) {
	return r.stub.GetRecord(r.Token.bear(ctx), &yardv1.GetRecordRequest{GameId: r.GameID})
}

func (r *ScotlandYardReader) exchange(ctx context.Context, asked *yardv1.RotateTokenRequest) (string, error) {
	asked = orNew(asked)
	asked.GameId = r.GameID
	issued, err := r.stub.RotateToken(r.Token.bear(ctx), asked)
	if err != nil {
		return "", err
	}
	r.Token = Token{issued.GetToken()}
	return issued.GetToken(), nil
}

// ScotlandYardViewer is a seat or a spectator.
type ScotlandYardViewer struct{ ScotlandYardReader }

// Watch follows the game: the present state first, or what came after a cursor; then each revision once and in order,
// through restarts and broken connections. Draw the game of an update, which is whole, where it is there: revisions that
// are caught up with come without. Reset says that the game is another one than the cursor knew, after a failover.
//
// It ends when the game is over, and with the context; after an error, nothing follows: the token has been replaced, the
// game was deleted, or the service could not be reached for a minute.
func (v *ScotlandYardViewer) Watch(
	ctx context.Context, cursor string,
) iter.Seq2[*yardv1.WatchGameResponse, error] {
	open := func(ctx context.Context, cursor string) (grpc.ServerStreamingClient[yardv1.WatchGameResponse], error) {
		return v.stub.WatchGame(v.Token.bear(ctx), &yardv1.WatchGameRequest{GameId: v.GameID, Cursor: cursor})
	}
	read := func(news *yardv1.WatchGameResponse) (part, string) {
		switch kind := news.GetKind().(type) {
		case *yardv1.WatchGameResponse_Update:
			return update, kind.Update.GetRevision().GetCursor()
		case *yardv1.WatchGameResponse_Reconnect:
			return reconnect, ""
		default:
			return heartbeat, ""
		}
	}
	return follow(ctx, v.caller, cursor, open, read)
}

// ScotlandYardSeat is somebody who plays.
type ScotlandYardSeat struct{ ScotlandYardViewer }

// LegalMoves has the moves that the seat may make now, typed: all of them for nil, or of one piece, doubles after a first
// half, or no doubles.
func (s *ScotlandYardSeat) LegalMoves(
	ctx context.Context, asked *yardv1.ListLegalMovesRequest,
) (*yardv1.ListLegalMovesResponse, error) {
	asked = orNew(asked)
	asked.GameId = s.GameID
	return s.stub.ListLegalMoves(s.Token.bear(ctx), asked)
}

// Moves has the same as text, each ready to be played.
func (s *ScotlandYardSeat) Moves(ctx context.Context) ([]string, error) {
	legal, err := s.LegalMoves(ctx, nil)
	return scotlandYardTexts(legal.GetMoves()), err
}

// Validate is a dry run: every rule that forbids the moves, judged on what the seat may know. Of several, a piece each, all
// are hunters'.
func (s *ScotlandYardSeat) Validate(ctx context.Context, moves ...string) (*yardv1.ValidateMoveResponse, error) {
	asked := &yardv1.ValidateMoveRequest{GameId: s.GameID, Moves: scotlandYardMoves(moves)}
	return s.stub.ValidateMove(s.Token.bear(ctx), asked)
}

// Play plays a move in notation (`taxi 86`, `double taxi 86 black 52`), or several hunters' moves that are judged whole:
// made once, however often the answer is lost.
func (s *ScotlandYardSeat) Play(ctx context.Context, moves ...string) (*yardv1.PlayMoveResponse, error) {
	return s.PlayMove(ctx, &yardv1.PlayMoveRequest{Moves: scotlandYardMoves(moves)})
}

// PlayMove is Play for typed moves, an expected revision, or a request id of the caller's own.
func (s *ScotlandYardSeat) PlayMove(
	ctx context.Context, asked *yardv1.PlayMoveRequest,
) (*yardv1.PlayMoveResponse, error) {
	asked = orNew(asked)
	asked.GameId = s.GameID
	return s.stub.PlayMove(s.Token.bear(ctx), asked)
}

// Rotate exchanges the token for a new one, kept as Token and given back. The first time it is the claim. The request may
// be nil.
func (s *ScotlandYardSeat) Rotate(ctx context.Context, asked *yardv1.RotateTokenRequest) (string, error) {
	return s.exchange(ctx, asked)
}

// ScotlandYardHost is who made the game. It sees what everybody may see.
type ScotlandYardHost struct{ ScotlandYardReader }

// Start starts a game that was made waiting.
func (h *ScotlandYardHost) Start(ctx context.Context) (*yardv1.StartGameResponse, error) {
	return h.stub.StartGame(h.Token.bear(ctx), &yardv1.StartGameRequest{GameId: h.GameID})
}

// Reissue takes a seat back: its holder is out, and everybody is told. The answer is a new invitation.
func (h *ScotlandYardHost) Reissue(ctx context.Context, seat int32) (Invitation, error) {
	target := &yardv1.RotateTokenRequest_Seat{Seat: seat}
	issued, err := h.stub.RotateToken(h.Token.bear(ctx), &yardv1.RotateTokenRequest{GameId: h.GameID, Target: target})
	if err != nil {
		return Invitation{}, err
	}
	game, err := h.Game(ctx)
	return invitation(h.GameID, seat, game.GetInfo().GetSeats(), issued.GetToken()), err
}

// ReissueSpectators exchanges the spectators' token.
func (h *ScotlandYardHost) ReissueSpectators(ctx context.Context) (string, error) {
	target := &yardv1.RotateTokenRequest_Spectators{Spectators: true}
	issued, err := h.stub.RotateToken(h.Token.bear(ctx), &yardv1.RotateTokenRequest{GameId: h.GameID, Target: target})
	return issued.GetToken(), err
}

// Rotate exchanges the host's own token for a new one, which is kept as Token and given back.
func (h *ScotlandYardHost) Rotate(ctx context.Context) (string, error) { return h.exchange(ctx, nil) }

// Abandon ends the game for all; nobody wins.
func (h *ScotlandYardHost) Abandon(ctx context.Context) (*yardv1.AbandonGameResponse, error) {
	return h.stub.AbandonGame(h.Token.bear(ctx), &yardv1.AbandonGameRequest{GameId: h.GameID})
}

// Delete deletes the game with everything kept of it. Deleting it again is no error.
func (h *ScotlandYardHost) Delete(ctx context.Context) error {
	_, err := h.stub.DeleteGame(h.Token.bear(ctx), &yardv1.DeleteGameRequest{GameId: h.GameID})
	return err
}

func scotlandYardMoves(texts []string) []*yardv1.Move {
	moves := make([]*yardv1.Move, len(texts))
	for place, text := range texts {
		moves[place] = &yardv1.Move{Kind: &yardv1.Move_Text{Text: text}}
	}
	return moves
}
