package whitehall

import (
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

const (
	// firstAttempt is how long the first attempt at a change may take before it is made again: it is known to be safe, and
	// seldom takes long.
	firstAttempt = 3 * time.Second
	firstPause   = 50 * time.Millisecond
	longestPause = time.Second
)

// NewRequestID gives an id by which the service knows a repeated request: a UUID.
func NewRequestID() string {
	var id [16]byte
	rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// identified is the request with an id of its own, where it may bear one and bears none.
func identified(request proto.Message) proto.Message {
	field := request.ProtoReflect().Descriptor().Fields().ByName("request_id")
	if field == nil || requestID(request) != "" {
		return request
	}
	request = proto.Clone(request)
	request.ProtoReflect().Set(field, protoreflect.ValueOfString(NewRequestID()))
	return request
}

// requestID is the id by which the service knows the request; empty where there is none.
func requestID(request proto.Message) string {
	if bearer, ok := request.(interface{ GetRequestId() string }); ok {
		return bearer.GetRequestId()
	}
	return ""
}

// isIdempotent says whether a method changes nothing, or nothing more the second time: the contract says so of each.
func isIdempotent(method string) bool {
	name := strings.ReplaceAll(strings.TrimPrefix(method, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return false
	}
	options, ok := found.Options().(*descriptorpb.MethodOptions)
	return ok && options.GetIdempotencyLevel() != descriptorpb.MethodOptions_IDEMPOTENCY_UNKNOWN
}

// attemptTime is how long an attempt at a change, the first being 1, may take: each twice as long as the one before, so that
// a service which takes its time for once comes to answer.
func attemptTime(attempt int) time.Duration { return firstAttempt << min(attempt-1, 10) }

// pause is the time before a repetition, the first being 1: what the service asks for, else at random below a bound that
// doubles, so that many clients don't come back all at once.
func pause(attempt int, failure *Error) time.Duration {
	grown := min(longestPause, firstPause<<min(attempt, 10))
	return max(failure.RetryAfter, grown/2+mathrand.N(grown/2))
}
