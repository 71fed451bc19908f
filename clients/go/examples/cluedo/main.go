// A whole game of Cluedo James Bond, each player a goroutine that watches: `go run ./examples/cluedo [HOST:PORT]`.
//
// Players suggest what may be the solution, and accuse as soon as the service's deductions leave a single one.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"

	whitehall "whitehall.example/client"
	cluedov1 "whitehall.example/client/gen/whitehall/cluedo/v1"
)

// choose gives a move that may be made now.
func choose(ctx context.Context, seat *whitehall.CluedoSeat) (string, error) {
	answer, err := seat.LegalMoves(ctx)
	if err != nil {
		return "", err
	}
	if legal := answer.GetMoves(); legal.GetMayAccuse() || legal.GetSuggestIn() != "" {
		known, err := seat.Deductions(ctx, nil)
		if err != nil {
			return "", err
		}
		solutions := known.GetDeductions().GetSolutions()
		envelope := solutions[rand.IntN(len(solutions))].GetEnvelope()
		suspect, weapon := envelope.GetSuspect(), envelope.GetWeapon()
		if legal.GetMayAccuse() && len(solutions) == 1 {
			return fmt.Sprintf("accuse %s %s %s", suspect, weapon, envelope.GetLocation()), nil
		}
		if legal.GetSuggestIn() != "" {
			return fmt.Sprintf("suggest %s %s %s", suspect, weapon, legal.GetSuggestIn()), nil
		}
	}
	moves, err := seat.Moves(ctx)
	if err != nil {
		return "", err
	}
	rooms := slices.DeleteFunc(slices.Clone(moves), func(move string) bool { return !strings.Contains(move, " enter ") })
	if len(rooms) == 0 {
		rooms = moves
	}
	return rooms[rand.IntN(len(rooms))], nil
}

// play moves whenever it is the seat's turn, until the game is over.
func play(ctx context.Context, seat *whitehall.CluedoSeat, number int32) error {
	for news, err := range seat.Watch(ctx, "") {
		if err != nil {
			return err
		}
		info := news.GetUpdate().GetGame().GetInfo()
		if !slices.Contains(info.GetToMove(), number) {
			continue
		}
		move, err := choose(ctx, seat)
		if err == nil {
			revision := info.GetRevision()
			typed := &cluedov1.Move{Kind: &cluedov1.Move_Text{Text: move}}
			_, err = seat.PlayMove(ctx, &cluedov1.PlayMoveRequest{Move: typed, ExpectedRevision: &revision})
		}
		// Where this news is old by now, newer is on its way.
		if err != nil && !errors.Is(err, whitehall.ErrIllegalMove) && !errors.Is(err, whitehall.ErrStaleRevision) {
			return err
		}
	}
	return nil
}

// playAll plays a game to the end and says who won.
func playAll(ctx context.Context, cluedo *whitehall.Cluedo) error {
	made, err := cluedo.CreateGame(ctx, &cluedov1.CreateGameRequest{Players: 3})
	if err != nil {
		return err
	}
	seats := make([]*whitehall.CluedoSeat, len(made.Invitations))
	failures := make([]error, len(seats))
	for number, invitation := range made.Invitations {
		if seats[number], err = cluedo.Claim(ctx, invitation); err != nil {
			return err
		}
	}
	var players sync.WaitGroup
	for number, seat := range seats {
		players.Go(func() { failures[number] = play(ctx, seat, int32(number)) })
	}
	players.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	game, err := seats[0].Game(ctx)
	if err != nil {
		return err
	}
	names, envelope := map[string]string{}, game.GetView().GetEnvelope()
	for _, card := range game.GetView().GetCards() {
		names[card.GetCard()] = card.GetName()
	}
	suspect, weapon, location := names[envelope.GetSuspect()], names[envelope.GetWeapon()], names[envelope.GetLocation()]
	fmt.Println("it was", suspect, "with", weapon, "at", location)
	winners := []string{}
	for _, seat := range game.GetView().GetOutcome().GetWinners() {
		winners = append(winners, game.GetInfo().GetSeats()[seat].GetName())
	}
	if len(winners) == 0 {
		winners = []string{"nobody"}
	}
	fmt.Println("won by", strings.Join(winners, ", "))
	return cluedo.Host(made.GameID, made.HostToken.Reveal()).Delete(ctx)
}

func main() {
	target := "localhost:50051"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	service, err := whitehall.Connect(target)
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	if err := playAll(context.Background(), service.Cluedo); err != nil {
		log.Fatal(err)
	}
}
