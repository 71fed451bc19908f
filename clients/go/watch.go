package whitehall

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"google.golang.org/grpc"
)

// patience is for how long a watcher goes on looking for a service that is not there.
const patience = time.Minute

// part is what one message of a stream is.
type part int

const (
	heartbeat part = iota
	update
	reconnect
)

// follow is what a stream of a game tells, through any number of broken connections: open asks for what came after a
// cursor, read tells what a message is, with the cursor of an update.
func follow[News any](
	ctx context.Context, caller *caller, cursor string,
	open func(ctx context.Context, cursor string) (grpc.ServerStreamingClient[News], error),
	read func(*News) (part, string),
) iter.Seq2[*News, error] {
	return func(yield func(*News, error) bool) {
		ctx, end := caller.living(ctx)
		defer end()
		var failures int
		var failingSince time.Time
		for {
			wanted, err := followOnce(ctx, &cursor, &failures, open, read, yield)
			if !wanted {
				return
			}
			if err == nil {
				continue
			}
			if failures == 0 {
				failingSince = time.Now()
			}
			failures++
			failure := AsError(err)
			if failure == nil || !failure.Temporary() || time.Since(failingSince) > patience {
				yield(nil, caller.outcome(err, ctx.Err()))
				return
			}
			if ended := rest(ctx, pause(failures, failure)); ended != nil {
				yield(nil, caller.outcome(err, ended))
				return
			}
		}
	}
}

// followOnce is one stream; false where no other is wanted: the game is over, or the reader has left.
func followOnce[News any](
	ctx context.Context, cursor *string, failures *int,
	open func(ctx context.Context, cursor string) (grpc.ServerStreamingClient[News], error),
	read func(*News) (part, string), yield func(*News, error) bool,
) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := open(ctx, *cursor)
	if err != nil {
		return true, err
	}
	for {
		news, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return true, err
		}
		*failures = 0
		switch kind, after := read(news); kind {
		case update:
			*cursor = after
			if !yield(news, nil) {
				return false, nil
			}
		case reconnect:
			return true, nil
		case heartbeat:
		}
	}
}
