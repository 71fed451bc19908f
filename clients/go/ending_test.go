package whitehall

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	cluedov1 "whitehall.example/client/gen/whitehall/cluedo/v1"
)

// soon fails the test where something hangs that ends at once.
func soon(t *testing.T, what func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		what()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("it goes on")
	}
}

func lost(context.Context) (*cluedov1.GetGameResponse, error) {
	return nil, status.Error(codes.Unavailable, "lost")
}

func TestACancelledContextEndsACallAndIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	service := &fake{getGame: func(ctx context.Context) (*cluedov1.GetGameResponse, error) {
		cancel()
		return lost(ctx)
	}}
	_, err := seatAt(t, service, WithTimeout(time.Hour)).Game(ctx)
	if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnanswered) || AsError(err).Temporary() {
		t.Error(err)
	}
	if _, err = seatAt(t, service).Game(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestADeadlineIsTold(t *testing.T) {
	service := &fake{getGame: func(ctx context.Context) (*cluedov1.GetGameResponse, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := seatAt(t, service).Game(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestAConnectionMayBeClosedTwice(t *testing.T) {
	service, err := Connect("localhost:1")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(service.Close(), service.Close()); err != nil {
		t.Error(err)
	}
}

func TestADeadlineIsToldWhoeverFindsItFirst(t *testing.T) {
	service := &fake{getGame: func(context.Context) (*cluedov1.GetGameResponse, error) {
		return nil, status.Error(codes.DeadlineExceeded, "over")
	}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := seatAt(t, service).Game(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestACancelledContextEndsAWatchAndIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	service := &fake{streams: [][]any{{1, 2}}}
	var last error
	for _, err := range seatAt(t, service).Watch(ctx, "") {
		cancel()
		if last = err; err != nil {
			break
		}
	}
	if last != nil && !errors.Is(last, context.Canceled) {
		t.Error(last)
	}
}

// away is a service whose streams end at once, and which asks for a long pause before the next.
func away() *fake {
	rest := &errdetails.RetryInfo{RetryDelay: durationpb.New(time.Hour)}
	said, err := status.New(codes.Unavailable, "lost").WithDetails(rest)
	if err != nil {
		panic(err)
	}
	return &fake{streams: [][]any{{said.Err()}}}
}

// ended is the error with which a watch ends that tells nothing else.
func ended(t *testing.T, ctx context.Context, seat *CluedoSeat) (last error) {
	t.Helper()
	soon(t, func() {
		for _, last = range seat.Watch(ctx, "") {
		}
	})
	return last
}

func TestACancelledContextEndsAWatchThatLooksForTheServiceAndIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	err := ended(t, ctx, seatAt(t, away()))
	if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnanswered) || AsError(err).Temporary() {
		t.Error(err)
	}
}

func TestACancelledContextEndsAWatchThatWaitsForItsTurnAndIsTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	service := &fake{}
	for range 1000 {
		service.streams = append(service.streams, []any{refusal(codes.ResourceExhausted, "TOO_MANY_STREAMS", nil)})
	}
	time.AfterFunc(200*time.Millisecond, cancel)
	if err := ended(t, ctx, seatAt(t, service)); !errors.Is(err, context.Canceled) || AsError(err).Temporary() {
		t.Error(err)
	}
}

func TestACancelledContextEndsAWatchWhereNobodyHasEverBeen(t *testing.T) {
	client, err := Connect("localhost:1")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(500*time.Millisecond, cancel)
	if err := ended(t, ctx, client.Cluedo.Seat("game", "wh_seat_0_x")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestADeadlineEndsAWatchThatLooksForTheServiceAndIsTold(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	err := ended(t, ctx, seatAt(t, away()))
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrUnanswered) {
		t.Error(err)
	}
}

func TestClosingEndsAWatchThatLooksForTheService(t *testing.T) {
	client, seat := connected(t, away())
	time.AfterFunc(200*time.Millisecond, func() { _ = client.Close() })
	if err := ended(t, t.Context(), seat); !errors.Is(err, ErrClosed) || status.Code(err) != codes.Canceled {
		t.Error(err)
	}
}

func TestClosingEndsACallThatIsRepeatedAndAllLaterOnes(t *testing.T) {
	called := make(chan struct{}, 1000)
	client, seat := connected(t, &fake{getGame: func(ctx context.Context) (*cluedov1.GetGameResponse, error) {
		called <- struct{}{}
		return lost(ctx)
	}}, WithTimeout(time.Hour))
	go func() {
		<-called
		<-called
		_ = client.Close()
	}()
	soon(t, func() {
		if _, err := seat.Game(context.Background()); !errors.Is(err, ErrClosed) || !errors.Is(err, ErrUnanswered) {
			t.Error(err)
		}
		if _, err := seat.Moves(context.Background()); !errors.Is(err, ErrClosed) || status.Code(err) != codes.Canceled {
			t.Error(err)
		}
	})
}

func TestClosingEndsAWatch(t *testing.T) {
	silence := make(chan struct{})
	t.Cleanup(func() { close(silence) })
	client, seat := connected(t, &fake{streams: [][]any{{1, silence}}})
	soon(t, func() {
		var told []error
		for _, err := range seat.Watch(context.Background(), "") {
			told = append(told, err)
			_ = client.Close()
		}
		if len(told) != 2 || told[0] != nil || !errors.Is(told[1], ErrClosed) {
			t.Error(told)
		}
		for _, err := range seat.Watch(context.Background(), "") {
			if !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		}
	})
}
