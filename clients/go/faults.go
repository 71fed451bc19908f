package whitehall

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/metadata"
)

// Faults of the caller's own, which are told at once: no call could mend them, and no secret is repeated.
var (
	errTarget = errors.New("a target is the host:port of gRPC, such as localhost:50051, without http:// or https:// before " +
		"it, and without spaces; the service speaks HTTP at another port, and TLS is asked for by WithTLS")
	errToken = errors.New("a token has characters that tokens don't have; is it whole, and without spaces and line breaks?")
	errKey   = errors.New("an operator's key has two parts with a colon between them, of characters that keys have; is it " +
		"whole, and without spaces and line breaks?")
	errLanguage = errors.New("the language has characters that languages don't have; it is en or fr, say")
)

// scheme is what stands before a token in the header that bears it.
const scheme = "Bearer "

// checkedTarget refuses what names no address, and URLs of HTTP, alone or among several addresses.
func checkedTarget(target string) error {
	if target != strings.TrimSpace(target) || strings.Trim(target, ", ") == "" {
		return errTarget
	}
	for _, address := range strings.Split(strings.ToLower(target), ",") {
		address = strings.TrimSpace(address)
		if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
			return errTarget
		}
	}
	return nil
}

// checkedBearing refuses tokens that no header can bear.
func checkedBearing(ctx context.Context) error {
	borne, _ := metadata.FromOutgoingContext(ctx)
	for _, value := range borne.Get("authorization") {
		if token, ok := strings.CutPrefix(value, scheme); ok && !isWithin(token, '!') {
			return errToken
		}
	}
	return nil
}

// checked refuses an operator's key that is none, and a language that no header can bear.
func (s *settings) checked() error {
	if s.key != nil && !isKey(*s.key) {
		return errKey
	}
	if !isWithin(s.language, ' ') {
		return errLanguage
	}
	return nil
}

// isKey says whether this is an operator's id:secret that a header can bear.
func isKey(key string) bool {
	id, secret, _ := strings.Cut(key, ":")
	return id != "" && secret != "" && isWithin(key, '!')
}

// isWithin says whether all characters are of ASCII and printed, from the first one that may be.
func isWithin(text string, first rune) bool {
	return !strings.ContainsFunc(text, func(letter rune) bool { return letter < first || letter > '~' })
}
