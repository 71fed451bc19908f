package whitehall

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// caller is what every call gets: a token, a deadline, repetitions where they are safe, and typed refusals.
type caller struct {
	operator string
	language string
	timeout  time.Duration
	// life ends when the connection is closed.
	life context.Context
}

// living is the context until the connection is closed. The function has to be called when it is no longer needed.
func (c *caller) living(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.life, cancel)
	context.AfterFunc(ctx, func() { stop() })
	return ctx, cancel
}

// outcome is the error of a call typed, with what ended the call before its time.
func (c *caller) outcome(ctx context.Context, err error) error {
	failure := AsError(err)
	if failure == nil {
		return err
	}
	// Of a connection that is closed, the context may hear a moment later than the call that ends by it.
	closed := c.life.Err() != nil
	if ctx.Err() == nil && !closed || !failure.Is(ErrUnanswered) {
		return failure
	}
	ended := *failure
	if ended.ended = ctx.Err(); closed {
		ended.ended, ended.Message, ended.Code = ErrClosed, ErrClosed.Error(), codes.Canceled
	}
	return &ended
}

func (c *caller) unary(
	ctx context.Context, method string, request, answer any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker,
	options ...grpc.CallOption,
) error {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	ctx, end := c.living(ctx)
	defer end()
	ctx = c.bearing(ctx)
	message := identified(request.(proto.Message))
	repeatable := requestID(message) != "" || isIdempotent(method)
	for attempt := 1; ; attempt++ {
		err := c.try(ctx, attempt, method, message, answer, conn, invoke, options)
		if err == nil {
			return nil
		}
		failure := AsError(err)
		if failure == nil || !repeatable || !failure.Temporary() || !rest(ctx, pause(attempt, failure)) {
			return c.outcome(ctx, err)
		}
	}
}

func (c *caller) try(
	ctx context.Context, attempt int, method string, message proto.Message, answer any, conn *grpc.ClientConn,
	invoke grpc.UnaryInvoker, options []grpc.CallOption,
) error {
	if requestID(message) != "" {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, attemptTime(attempt))
		defer cancel()
	}
	return invoke(ctx, method, message, answer, conn, options...)
}

func (c *caller) stream(
	ctx context.Context, description *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
	options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	ctx, end := c.living(ctx)
	stream, err := open(c.bearing(ctx), description, conn, method, options...)
	if err != nil {
		defer end()
		return nil, c.outcome(ctx, err)
	}
	return typedStream{stream, c, ctx, end}, nil
}

// bearing adds the operator's key to calls that bear nothing, and the language of refusals.
func (c *caller) bearing(ctx context.Context) context.Context {
	borne, _ := metadata.FromOutgoingContext(ctx)
	if c.operator != "" && len(borne.Get("authorization")) == 0 {
		ctx = Bearing(ctx, c.operator)
	}
	if c.language != "" && len(borne.Get("accept-language")) == 0 {
		ctx = metadata.AppendToOutgoingContext(ctx, "accept-language", c.language)
	}
	return ctx
}

// Bearing gives a context whose calls bear a token, for calls by generated clients.
func Bearing(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// typedStream is a stream whose errors are typed. Nothing of it is repeated.
type typedStream struct {
	grpc.ClientStream
	caller *caller
	ctx    context.Context
	end    context.CancelFunc
}

func (s typedStream) RecvMsg(message any) error {
	err := s.ClientStream.RecvMsg(message)
	if err != nil {
		defer s.end()
	}
	return s.caller.outcome(s.ctx, err)
}

// rest waits; false where the context ends before that.
func rest(ctx context.Context, pause time.Duration) bool {
	if deadline, bounded := ctx.Deadline(); bounded && time.Until(deadline) <= pause {
		return false
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
