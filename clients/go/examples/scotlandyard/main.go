// A whole game of Scotland Yard between simple players: `go run ./examples/scotlandyard [HOST:PORT] [PRESET]`.
//
// Mr X keeps away from where hunters can come next; detectives head for where he can be.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	whitehall "whitehall.example/client"
	commonv1 "whitehall.example/client/gen/whitehall/common/v1"
	yardv1 "whitehall.example/client/gen/whitehall/scotlandyard/v1"
)

// choose gives a move: any of those that lead where the seat wants to be, else any.
func choose(ctx context.Context, seat *whitehall.ScotlandYardSeat, isMrX bool) (string, error) {
	moves, err := seat.Moves(ctx)
	if err != nil {
		return "", err
	}
	known, err := seat.Deductions(ctx, nil)
	if err != nil {
		return "", err
	}
	wanted := map[int]bool{}
	for _, strong := range known.GetDeductions().GetStrong() {
		wanted[int(strong.GetStation())] = true
	}
	var good []string
	for _, move := range moves {
		// A move's last word is the station where it ends.
		words := strings.Fields(move)
		station, err := strconv.Atoi(words[len(words)-1])
		if err == nil && wanted[station] != isMrX && !strings.Contains(move, "double") {
			good = append(good, move)
		}
	}
	if len(good) == 0 {
		good = moves
	}
	return good[rand.IntN(len(good))], nil
}

// play plays a game to the end and says who won.
func play(ctx context.Context, service *whitehall.Service, preset string) error {
	yard := service.ScotlandYard
	made, err := yard.CreateGame(ctx, &yardv1.CreateGameRequest{Preset: preset, Players: 4})
	if err != nil {
		return err
	}
	var seats []*whitehall.ScotlandYardSeat
	for _, invitation := range made.Invitations {
		seat, err := yard.Claim(ctx, invitation)
		if err != nil {
			return err
		}
		seats = append(seats, seat)
	}
	game := made.Game
	for game.GetInfo().GetStatus() == commonv1.GameStatus_GAME_STATUS_ACTIVE {
		toMove := game.GetInfo().GetToMove()[0]
		move, err := choose(ctx, seats[toMove], toMove == 0)
		if err != nil {
			return err
		}
		played, err := seats[toMove].Play(ctx, move)
		if err != nil {
			return err
		}
		game = played.GetUpdate().GetGame()
		fmt.Printf("round %2d: %s\n", game.GetView().GetRound(), move)
	}
	rules, err := service.Catalog.Rules(ctx, "scotland-yard")
	if err != nil {
		return err
	}
	outcome := game.GetView().GetOutcome()
	var winners []string
	for _, seat := range outcome.GetWinners() {
		winners = append(winners, game.GetInfo().GetSeats()[seat].GetName())
	}
	for _, rule := range rules {
		if rule.GetId() == outcome.GetRule() {
			fmt.Println("won by", strings.Join(winners, ", "), "|", rule.GetSentenceEn())
		}
	}
	return yard.Host(made.GameID, made.HostToken.Reveal()).Delete(ctx)
}

func main() {
	target, preset := "localhost:50051", "new"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	if len(os.Args) > 2 {
		preset = os.Args[2]
	}
	service, err := whitehall.Connect(target)
	if err != nil {
		log.Fatal(err)
	}
	defer service.Close()
	if err := play(context.Background(), service, preset); err != nil {
		log.Fatal(err)
	}
}
