package whitehall

import (
	"context"
	"strings"

	"google.golang.org/protobuf/proto"

	commonv1 "whitehall.example/client/gen/whitehall/common/v1"
)

// Token is a password. It stays out of what is printed or turned into JSON.
type Token struct{ secret string }

// Reveal gives the password itself, to be kept.
func (t Token) Reveal() string { return t.secret }

// String stands in its place.
func (t Token) String() string { return "(a token)" }

// GoString stands in its place.
func (t Token) GoString() string { return t.String() }

func (t Token) bear(ctx context.Context) context.Context { return Bearing(ctx, t.secret) }

// Invitation is one seat's. Hand it to the player, who claims the seat with it.
type Invitation struct {
	GameID string
	Seat   int32
	Name   string
	Token  Token
}

// NewGame is what the host of a new game gets.
type NewGame[Game any] struct {
	GameID string
	// Game is the game as everybody may see it.
	Game *Game
	// Invitations are in the order of the seats.
	Invitations []Invitation
	// Seats has the invitations by the names of the seats.
	Seats     map[string]Invitation
	HostToken Token
	// SpectatorToken is empty where no spectators are allowed.
	SpectatorToken Token
}

// made is what the answers of all games to CreateGame have in common.
type made interface {
	GetInvitations() []*commonv1.SeatInvitation
	GetHostToken() string
	GetSpectatorToken() string
}

func newGame[Game any](gameID string, game *Game, answer made) *NewGame[Game] {
	created := &NewGame[Game]{
		GameID: gameID, Game: game, Seats: map[string]Invitation{},
		HostToken: Token{answer.GetHostToken()}, SpectatorToken: Token{answer.GetSpectatorToken()},
	}
	for _, invited := range answer.GetInvitations() {
		one := Invitation{gameID, invited.GetSeat(), invited.GetName(), Token{invited.GetToken()}}
		created.Invitations = append(created.Invitations, one)
		created.Seats[one.Name] = one
	}
	return created
}

// invitation is one that was issued anew, with the name of its seat.
func invitation(gameID string, seat int32, seats []*commonv1.SeatInfo, token string) Invitation {
	issued := Invitation{GameID: gameID, Seat: seat, Token: Token{token}}
	for _, info := range seats {
		if info.GetSeat() == seat {
			issued.Name = info.GetName()
		}
	}
	return issued
}

// orNew is a copy of the request, which is filled in; a new one for nil.
func orNew[M any, P interface {
	*M
	proto.Message
}](request P) P {
	if request == nil {
		return new(M)
	}
	return proto.CloneOf(request)
}

func joined(seeds []string) string { return strings.Join(seeds, " ") }
