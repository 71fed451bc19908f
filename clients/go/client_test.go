package whitehall

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	cluedov1 "whitehall.example/client/gen/whitehall/cluedo/v1"
	commonv1 "whitehall.example/client/gen/whitehall/common/v1"
)

// fake is a service that answers what a test tells it to, without a network.
type fake struct {
	cluedov1.UnimplementedCluedoServiceServer
	mutex    sync.Mutex
	requests []*cluedov1.PlayMoveRequest
	allowed  []time.Duration
	borne    []metadata.MD
	cursors  []string
	play     func(attempt int) (*cluedov1.PlayMoveResponse, error)
	getGame  func(ctx context.Context) (*cluedov1.GetGameResponse, error)
	streams  [][]any
}

func (f *fake) PlayMove(ctx context.Context, request *cluedov1.PlayMoveRequest) (*cluedov1.PlayMoveResponse, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.requests = append(f.requests, request)
	if deadline, bounded := ctx.Deadline(); bounded {
		f.allowed = append(f.allowed, time.Until(deadline))
	}
	return f.play(len(f.requests))
}

func (f *fake) GetGame(ctx context.Context, _ *cluedov1.GetGameRequest) (*cluedov1.GetGameResponse, error) {
	borne, _ := metadata.FromIncomingContext(ctx)
	f.borne = append(f.borne, borne)
	return f.getGame(ctx)
}

// WatchGame tells the parts of one stream after another: revisions, messages, errors, and silence until a
// channel is closed.
func (f *fake) WatchGame(
	request *cluedov1.WatchGameRequest, stream grpc.ServerStreamingServer[cluedov1.WatchGameResponse],
) error {
	parts := f.streams[len(f.cursors)]
	f.cursors = append(f.cursors, request.GetCursor())
	for _, part := range parts {
		switch part := part.(type) {
		case error:
			return part
		case chan struct{}:
			<-part
		case int:
			revision := &cluedov1.Revision{Revision: int32(part), Cursor: fmt.Sprintf("after %d", part)}
			told := &cluedov1.WatchGameResponse_Update{Update: &cluedov1.Update{Revision: revision}}
			if err := stream.Send(&cluedov1.WatchGameResponse{Kind: told}); err != nil {
				return err
			}
		case *cluedov1.WatchGameResponse:
			if err := stream.Send(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// seatAt is a seat of a game of the fake.
func seatAt(t *testing.T, service *fake, options ...Option) *CluedoSeat {
	t.Helper()
	_, seat := connected(t, service, options...)
	return seat
}

// connected is a client of the fake, and a seat of a game.
func connected(t *testing.T, service *fake, options ...Option) (*Service, *CluedoSeat) {
	t.Helper()
	listener := bufconn.Listen(1 << 16)
	server := grpc.NewServer()
	cluedov1.RegisterCluedoServiceServer(server, service)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	dial := func(context.Context, string) (net.Conn, error) { return listener.Dial() }
	client, err := Connect("passthrough:fake", append(options, WithDialOptions(grpc.WithContextDialer(dial)))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client, client.Cluedo.Seat("game", "wh_seat_0_x")
}

// A machine with too much to do may need seconds. Were each attempt as short as the first, none would be answered.
func TestAServiceThatTakesItsTimeIsGivenMoreAtEachAttempt(t *testing.T) {
	service := &fake{play: func(attempt int) (*cluedov1.PlayMoveResponse, error) {
		if attempt < 3 {
			return nil, status.Error(codes.Unavailable, "lost")
		}
		return &cluedov1.PlayMoveResponse{}, nil
	}}
	if _, err := seatAt(t, service, WithTimeout(10*time.Minute)).Play(t.Context(), "roll"); err != nil {
		t.Fatal(err)
	}
	// On a busy machine the first ones may be over before they have come.
	if len(service.allowed) != 3 || service.allowed[0] > time.Minute ||
		service.allowed[1] <= service.allowed[0] || service.allowed[2] <= service.allowed[1] {
		t.Error(service.allowed)
	}
}

func refusal(code codes.Code, reason string, circumstances map[string]string) error {
	info := &errdetails.ErrorInfo{Reason: reason, Domain: "whitehall", Metadata: circumstances}
	said, err := status.New(code, "a sentence").WithDetails(info)
	if err != nil {
		panic(err)
	}
	return said.Err()
}

func TestAChangeWhoseAnswerWasLostIsSentAgainAsItWas(t *testing.T) {
	service := &fake{play: func(attempt int) (*cluedov1.PlayMoveResponse, error) {
		if attempt < 3 {
			return nil, status.Error(codes.Unavailable, "lost")
		}
		return &cluedov1.PlayMoveResponse{Replayed: true}, nil
	}}
	played, err := seatAt(t, service).Play(t.Context(), "roll")
	if err != nil || !played.GetReplayed() || len(service.requests) != 3 {
		t.Fatal(played, err, service.requests)
	}
	first := service.requests[0].GetRequestId()
	if len(first) != 36 || first[14] != '4' || !strings.ContainsRune("89ab", rune(first[19])) {
		t.Error(first, "is no random UUID")
	}
	for _, request := range service.requests {
		if request.GetRequestId() != first {
			t.Error("another id:", request.GetRequestId())
		}
	}
}

func TestAnIdOfTheCallersOwnIsKept(t *testing.T) {
	service := &fake{play: func(int) (*cluedov1.PlayMoveResponse, error) { return &cluedov1.PlayMoveResponse{}, nil }}
	request := &cluedov1.PlayMoveRequest{RequestId: "mine"}
	if _, err := seatAt(t, service).PlayMove(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if service.requests[0].GetRequestId() != "mine" || request.GetGameId() != "" {
		t.Error(service.requests, request)
	}
}

func TestWhatBreaksOnTheWayWithoutAReasonIsTriedAgain(t *testing.T) {
	for _, code := range []codes.Code{codes.Internal, codes.Unknown, codes.DataLoss} {
		service := &fake{play: func(attempt int) (*cluedov1.PlayMoveResponse, error) {
			if attempt < 3 {
				return nil, status.Error(code, "the stream was reset")
			}
			return &cluedov1.PlayMoveResponse{}, nil
		}}
		if _, err := seatAt(t, service).Play(t.Context(), "roll"); err != nil || len(service.requests) != 3 {
			t.Error(code, err)
		}
		// Nobody knows whether the move was made.
		if err := AsError(status.Error(code, "the stream was reset")); !errors.Is(err, ErrUnanswered) || !err.Temporary() {
			t.Error(err)
		}
	}
	if err := AsError(refusal(codes.Internal, "INTERNAL_FAULT", nil)); errors.Is(err, ErrUnanswered) || err.Temporary() {
		t.Error(err)
	}
}

func TestATextThatCannotBeSentIsToldAtOnce(t *testing.T) {
	service := &fake{}
	_, err := seatAt(t, service, WithTimeout(time.Hour)).Play(t.Context(), "roll\xff")
	if err == nil || errors.Is(err, ErrUnanswered) || len(service.requests) != 0 {
		t.Error(err)
	}
}

func TestARefusalIsTypedAndNotAskedForTwice(t *testing.T) {
	service := &fake{play: func(int) (*cluedov1.PlayMoveResponse, error) {
		return nil, refusal(codes.FailedPrecondition, "ILLEGAL_MOVE", map[string]string{"rule": "CL-MOVE-01"})
	}}
	_, err := seatAt(t, service).Play(t.Context(), "walk 7,4")
	var refused *Error
	if !errors.Is(err, ErrIllegalMove) || !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if refused.Rule() != "CL-MOVE-01" || refused.Message != "a sentence" || refused.Temporary() {
		t.Error(refused)
	}
	if status.Code(err) != codes.FailedPrecondition || errors.Is(err, ErrUnanswered) {
		t.Error(err)
	}
	if len(service.requests) != 1 {
		t.Error(len(service.requests), "calls")
	}
}

func TestEveryKindOfRefusalIsTold(t *testing.T) {
	for _, one := range []struct {
		code   codes.Code
		reason string
		kind   error
	}{
		{codes.Aborted, "STALE_REVISION", ErrStaleRevision},
		{codes.InvalidArgument, "INVALID_FIELD", ErrInvalidRequest},
		{codes.Unauthenticated, "TOKEN_REPLACED", ErrNotAllowed},
		{codes.PermissionDenied, "NOT_YOUR_SEAT", ErrNotAllowed},
		{codes.NotFound, "GAME_NOT_FOUND", ErrNotFound},
		{codes.ResourceExhausted, "REQUEST_TOO_LARGE", ErrOverloaded},
	} {
		service := &fake{getGame: func(context.Context) (*cluedov1.GetGameResponse, error) {
			return nil, refusal(one.code, one.reason, map[string]string{"revision": "12"})
		}}
		_, err := seatAt(t, service).Game(t.Context())
		if !errors.Is(err, one.kind) || AsError(err).Reason != one.reason || AsError(err).Revision() != 12 {
			t.Error(one.reason, err)
		}
	}
}

func TestTheTimeOfACallIsKept(t *testing.T) {
	service := &fake{getGame: func(ctx context.Context) (*cluedov1.GetGameResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	began := time.Now()
	_, err := seatAt(t, service, WithTimeout(100*time.Millisecond)).Game(t.Context())
	if !errors.Is(err, ErrUnanswered) || time.Since(began) > 10*time.Second {
		t.Error(err, time.Since(began))
	}
}

func TestCallsBearTheirTokenAndTheLanguage(t *testing.T) {
	service := &fake{getGame: func(context.Context) (*cluedov1.GetGameResponse, error) {
		return &cluedov1.GetGameResponse{}, nil
	}}
	seat := seatAt(t, service, WithOperatorKey("me:so:secret"), WithLanguage("fr"))
	if _, err := seat.Game(t.Context()); err != nil {
		t.Fatal(err)
	}
	seat.Token = Token{}
	if _, err := seat.Game(t.Context()); err != nil {
		t.Fatal(err)
	}
	for place, token := range []string{"wh_seat_0_x", "wh_operator_me_so:secret"} {
		borne := service.borne[place]
		if got := borne.Get("authorization"); len(got) != 1 || got[0] != "Bearer "+token {
			t.Error(got)
		}
		if got := borne.Get("accept-language"); len(got) != 1 || got[0] != "fr" {
			t.Error(got)
		}
	}
}

func TestAWatcherGoesOnFromItsCursor(t *testing.T) {
	alive := &cluedov1.WatchGameResponse{Kind: &cluedov1.WatchGameResponse_Heartbeat{}}
	again := &cluedov1.WatchGameResponse{Kind: &cluedov1.WatchGameResponse_Reconnect{}}
	broken := status.Error(codes.Unavailable, "gone")
	service := &fake{streams: [][]any{{1, alive, again}, {2, broken}, {broken}, {3}}}
	var told []int32
	for news, err := range seatAt(t, service).Watch(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, news.GetUpdate().GetRevision().GetRevision())
	}
	if fmt.Sprint(told) != "[1 2 3]" || fmt.Sprintf("%q", service.cursors) != `["" "after 1" "after 2" "after 2"]` {
		t.Errorf("%v %q", told, service.cursors)
	}
}

func TestARefusalEndsAWatcher(t *testing.T) {
	service := &fake{streams: [][]any{{1, refusal(codes.Unauthenticated, "TOKEN_REPLACED", nil)}}}
	var failures []error
	for _, err := range seatAt(t, service).Watch(t.Context(), "") {
		failures = append(failures, err)
	}
	if len(failures) != 2 || failures[0] != nil || !errors.Is(failures[1], ErrNotAllowed) {
		t.Error(failures)
	}
}

func TestPasswordsAreInNothingThatIsPrinted(t *testing.T) {
	answer := &cluedov1.CreateGameResponse{
		HostToken: "password1", SpectatorToken: "password2",
		Invitations: []*commonv1.SeatInvitation{{Name: "S1", Token: "password3"}},
	}
	made := newGame("game", &cluedov1.Game{}, answer)
	for _, form := range []string{"%v", "%+v", "%#v", "%s"} {
		if said := fmt.Sprintf(form, made); strings.Contains(said, "password") {
			t.Error(form, said)
		}
	}
	if made.Seats["S1"].Token.Reveal() != "password3" {
		t.Error("the invitation has no token")
	}
}
