package whitehall

import (
	"strings"
	"testing"
)

func TestATargetThatIsNoneOrAURLIsRefusedWithAHint(t *testing.T) {
	for _, target := range []string{
		"http://localhost:8080", "https://localhost", "HTTP://localhost:8080", "localhost:50051, http://localhost:50052",
		"", " localhost:50051", ",", " , ",
	} {
		if _, err := Connect(target); err == nil || !strings.Contains(err.Error(), "host:port") {
			t.Error(target, err)
		}
	}
	for _, target := range []string{"localhost:50051", "dns:///localhost:50051", "unix:///tmp/socket", "a:1,b:2", "https:1"} {
		service, err := Connect(target)
		if err != nil {
			t.Error(target, err)
			continue
		}
		_ = service.Close()
	}
}

// unfit are secrets that no header can bear.
var unfit = []string{"secret\n", "secret\nsecret", "secret secret", "secret\u20ac", "secret\x00", "secret\xff"}

// plain fails the test unless the error is such a refusal, without the secret.
func plain(t *testing.T, err error, what string) {
	t.Helper()
	if err == nil || AsError(err) != nil || !strings.Contains(err.Error(), what) || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

func TestATokenThatNoHeaderCanBearIsRefusedAtOnceAndNotTold(t *testing.T) {
	service := &fake{}
	client, seat := connected(t, service)
	for _, token := range unfit {
		seat.Token = Token{token}
		_, err := seat.Game(t.Context())
		plain(t, err, "token")
		_, err = seat.Play(t.Context(), "roll")
		plain(t, err, "token")
		plain(t, ended(t, t.Context(), seat), "token")
		_, err = client.Catalog.BuildInfo(Bearing(t.Context(), token))
		plain(t, err, "token")
	}
	if len(service.requests)+len(service.borne)+len(service.cursors) != 0 {
		t.Error("something was sent")
	}
}

func TestAKeyThatIsNoneAndALanguageThatNoHeaderCanBearAreRefusedAtOnceAndNotTold(t *testing.T) {
	keys := []string{"", ":", "me", "me:", ":secret"}
	for _, text := range unfit {
		keys = append(keys, "me:"+text)
	}
	for _, key := range keys {
		_, err := Connect("localhost:1", WithOperatorKey(key))
		plain(t, err, "operator's key")
	}
	for _, text := range []string{"fr\n", "fran\u00e7ais"} {
		_, err := Connect("localhost:1", WithLanguage(text))
		plain(t, err, "language")
	}
	service, err := Connect("localhost:1", WithLanguage("fr-CH, fr;q=0.9"), WithOperatorKey("me:so:fit"))
	if err != nil {
		t.Fatal(err)
	}
	_ = service.Close()
}
