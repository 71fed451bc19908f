package whitehall

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Why a call failed, for errors.Is, which knows context.Canceled and context.DeadlineExceeded too. Whatever is not ErrUnanswered is the service's refusal, and has changed nothing.
var (
	// ErrUnanswered says that no answer came in time, or that nobody was there to give one. A change may have been made all
	// the same: ask with the same request id, or read the game.
	ErrUnanswered = errors.New("unanswered")
	// ErrIllegalMove says that a rule of the game forbids the move: [Error.Rule].
	ErrIllegalMove = errors.New("illegal move")
	// ErrStaleRevision says that the game has moved on from the expected revision: [Error.Revision].
	ErrStaleRevision = errors.New("stale revision")
	// ErrInvalidRequest says that a field has a value that it may not have: [Error.Fields].
	ErrInvalidRequest = errors.New("invalid request")
	// ErrNotAllowed says that there is no token, a wrong or outdated one, or one that is not meant for this.
	ErrNotAllowed = errors.New("not allowed")
	// ErrNotFound says that there is no such game, or nothing in the catalog by that name.
	ErrNotFound = errors.New("not found")
	// ErrOverloaded says that too much is asked at the same time, or too large a thing: [Error.RetryAfter].
	ErrOverloaded = errors.New("overloaded")
	// ErrClosed says that the connection has been closed, by [Service.Close]. It is ErrUnanswered too, as the call may have
	// been under way.
	ErrClosed = errors.New("the connection has been closed")
)

var kinds = map[codes.Code]error{
	codes.Unavailable:       ErrUnanswered,
	codes.Canceled:          ErrUnanswered,
	codes.DeadlineExceeded:  ErrUnanswered,
	codes.Aborted:           ErrStaleRevision,
	codes.InvalidArgument:   ErrInvalidRequest,
	codes.Unauthenticated:   ErrNotAllowed,
	codes.PermissionDenied:  ErrNotAllowed,
	codes.NotFound:          ErrNotFound,
	codes.ResourceExhausted: ErrOverloaded,
}

// broken is what gRPC says, beside what is ErrUnanswered anyway, when a connection has broken on the way: the service itself
// always tells a reason.
var broken = map[codes.Code]bool{codes.Unknown: true, codes.Internal: true, codes.DataLoss: true}

// Error is a call that failed.
type Error struct {
	// Message is for people, and comes in their language.
	Message string
	Code    codes.Code
	// Reason is a name of whitehall.common.v1.ErrorReason without its prefix, such as ILLEGAL_MOVE; empty where gRPC itself
	// ended the call.
	Reason string
	// Metadata has the circumstances, by name: see each reason's example in whitehall/common/v1/reason.proto.
	Metadata map[string]string
	// Fields tells what is wrong with the request, by the path of the field.
	Fields map[string]string
	// RetryAfter is after how long the call may be tried again; zero where the service did not say.
	RetryAfter time.Duration

	cause error
	// ended is what ended the call before its time: an error of its context, or ErrClosed.
	ended error
}

// AsError gives the error of a call as what the service said; nil if it is none of a call.
func AsError(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	said, ok := status.FromError(err)
	if err == nil || !ok {
		return nil
	}
	found := &Error{Message: said.Message(), Code: said.Code(), Fields: map[string]string{}, cause: err}
	for _, detail := range said.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			found.Reason, found.Metadata = detail.GetReason(), detail.GetMetadata()
		case *errdetails.RetryInfo:
			found.RetryAfter = detail.GetRetryDelay().AsDuration()
		case *errdetails.BadRequest:
			for _, violation := range detail.GetFieldViolations() {
				found.Fields[violation.GetField()] = violation.GetDescription()
			}
		}
	}
	return found
}

func (e *Error) Error() string {
	reason := e.Reason
	if reason == "" {
		reason = e.Code.String()
	}
	return fmt.Sprintf("%s [%s]", e.Message, reason)
}

// Is tells which of the kinds above it is.
func (e *Error) Is(kind error) bool {
	if e.Reason == "ILLEGAL_MOVE" {
		return kind == ErrIllegalMove
	}
	// The service's clock may find a moment before ours that the time is over.
	if kind == context.DeadlineExceeded && e.Code == codes.DeadlineExceeded {
		return true
	}
	if e.Reason == "" && broken[e.Code] && kind == ErrUnanswered {
		return true
	}
	return kind != nil && (kinds[e.Code] == kind || e.ended == kind)
}

// Unwrap gives what gRPC said.
func (e *Error) Unwrap() error { return e.cause }

// GRPCStatus lets status.Code and status.Convert read it.
func (e *Error) GRPCStatus() *status.Status {
	if e.ended == ErrClosed {
		return status.New(e.Code, e.Message)
	}
	return status.Convert(e.cause)
}

// Rule is the id of the rule that speaks against it, such as SY-MOVE-04; empty where none does.
func (e *Error) Rule() string { return e.Metadata["rule"] }

// Revision is the game's revision now, where another one was expected.
func (e *Error) Revision() int {
	revision, _ := strconv.Atoi(e.Metadata["revision"])
	return revision
}

// Temporary says whether the very same call may succeed later, as soon as a process or a connection has come back.
func (e *Error) Temporary() bool {
	if e.ended == context.Canceled || e.ended == ErrClosed {
		return false
	}
	return e.Is(ErrUnanswered) || e.Reason == "TOO_MANY_CALLS" || e.Reason == "TOO_MANY_STREAMS"
}
