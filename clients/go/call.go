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

// outcome is the error of a call typed, with what ended the call before its time: the error of its context, or nil.
func (c *caller) outcome(err, ended error) error {
	failure := AsError(err)
	if failure == nil {
		return err
	}
	// Of a connection that is closed, the context may hear a moment later than the call that ends by it.
	closed := c.life.Err() != nil
	if ended == nil && !closed || !failure.Temporary() {
		return failure
	}
	told := *failure
	if told.ended = ended; closed {
		told.ended, told.Message, told.Code, told.Reason = ErrClosed, ErrClosed.Error(), codes.Canceled, ""
	}
	return &told
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
	if err := checkedBearing(ctx); err != nil {
		return err
	}
	message := identified(request.(proto.Message))
	repeatable := requestID(message) != "" || isIdempotent(method)
	for attempt := 1; ; attempt++ {
		err := c.try(ctx, attempt, method, message, answer, conn, invoke, options)
		if err == nil {
			return nil
		}
		failure := AsError(err)
		if failure == nil || !repeatable || !failure.Temporary() {
			return c.outcome(err, ctx.Err())
		}
		if _, unsendable := proto.Marshal(message); unsendable != nil {
			return unsendable // such as text that is no UTF-8: gRPC tells it like a connection that has broken
		}
		if ended := rest(ctx, pause(attempt, failure)); ended != nil {
			return c.outcome(err, ended)
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
	ctx = c.bearing(ctx)
	if err := checkedBearing(ctx); err != nil {
		return nil, err
	}
	ctx, end := c.living(ctx)
	stream, err := open(ctx, description, conn, method, options...)
	if err != nil {
		defer end()
		return nil, c.outcome(err, ctx.Err())
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

// Bearing gives a context whose calls bear a token, for calls by generated clients. They fail at once where it has
// characters that tokens don't have.
func Bearing(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", scheme+token)
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
	return s.caller.outcome(err, s.ctx.Err())
}

// rest waits; an error where the context ends before that, at once where that is known beforehand.
func rest(ctx context.Context, pause time.Duration) error {
	if deadline, bounded := ctx.Deadline(); bounded && time.Until(deadline) <= pause {
		return context.DeadlineExceeded
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
