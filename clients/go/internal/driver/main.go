// The client, driven by tests that are written in another language: `driver HOST:PORT[,HOST:PORT...] WHAT`.
//
//	execute             makes the calls that come by stdin, a line of JSON for each, and writes their outcomes
//	watch GAME TOKEN    writes the number of each revision of a game of Cluedo that its watcher is told
//	tables COUNT        plays games of Cluedo at so many tables until stdin ends, and writes a line for each move
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	whitehall "whitehall.example/client"
	cluedov1 "whitehall.example/client/gen/whitehall/cluedo/v1"
)

type asked struct {
	Call    string
	Token   string
	Request json.RawMessage
}

// executeAll goes on until there are no more calls.
func executeAll(service *whitehall.Service) error {
	decoder, encoder := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var call asked
		if err := decoder.Decode(&call); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		outcome, err := execute(service, call)
		if err != nil {
			return err
		}
		if err := encoder.Encode(outcome); err != nil {
			return err
		}
	}
}

func execute(service *whitehall.Service, call asked) (map[string]any, error) {
	name := protoreflect.FullName(strings.ReplaceAll(call.Call, "/", "."))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, err
	}
	method := found.(protoreflect.MethodDescriptor)
	request, err := message(method.Input())
	if err != nil {
		return nil, err
	}
	if err := protojson.Unmarshal(call.Request, request); err != nil {
		return nil, err
	}
	answer, err := message(method.Output())
	if err != nil {
		return nil, err
	}
	ctx := whitehall.Bearing(context.Background(), call.Token)
	if err := service.Conn().Invoke(ctx, "/"+call.Call, request, answer); err != nil {
		refused := whitehall.AsError(err)
		if refused == nil {
			return nil, err
		}
		return map[string]any{"refusal": map[string]any{
			"code": nameOf(refused.Code), "reason": refused.Reason, "metadata": refused.Metadata,
		}}, nil
	}
	text, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(answer)
	return map[string]any{"answer": json.RawMessage(text)}, err
}

func message(described protoreflect.MessageDescriptor) (proto.Message, error) {
	found, err := protoregistry.GlobalTypes.FindMessageByName(described.FullName())
	if err != nil {
		return nil, err
	}
	return found.New().Interface(), nil
}

// nameOf is the code as the vectors write it: FailedPrecondition as FAILED_PRECONDITION.
func nameOf(code codes.Code) string {
	var name strings.Builder
	for place, letter := range code.String() {
		if place > 0 && letter >= 'A' && letter <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(letter)
	}
	return strings.ToUpper(name.String())
}

func watch(viewer *whitehall.CluedoViewer, told func(int32)) error {
	for news, err := range viewer.Watch(context.Background(), "") {
		if err != nil {
			return err
		}
		if news.GetReset_() {
			return errors.New("the stream could not go on from its cursor")
		}
		told(news.GetUpdate().GetRevision().GetRevision())
	}
	return nil
}

// table plays games until it is over.
func table(cluedo *whitehall.Cluedo, isOver *atomic.Bool) error {
	for !isOver.Load() {
		if err := game(cluedo, isOver); err != nil {
			return err
		}
	}
	return nil
}

func game(cluedo *whitehall.Cluedo, isOver *atomic.Bool) error {
	ctx := context.Background()
	made, err := cluedo.CreateGame(ctx, &cluedov1.CreateGameRequest{Players: 3, AllowSpectators: true})
	if err != nil {
		return err
	}
	var seats []*whitehall.CluedoSeat
	for _, invitation := range made.Invitations {
		seat, err := cluedo.Claim(ctx, invitation)
		if err != nil {
			return err
		}
		seats = append(seats, seat)
	}
	spectator := cluedo.Spectator(made.GameID, made.SpectatorToken.Reveal())
	var told []int32
	watching := make(chan error, 1)
	go func() { watching <- watch(spectator, func(revision int32) { told = append(told, revision) }) }()
	state, err := spectator.Game(ctx)
	for err == nil && len(state.GetInfo().GetToMove()) > 0 && !isOver.Load() {
		seat := seats[state.GetInfo().GetToMove()[0]]
		var moves []string
		if moves, err = seat.Moves(ctx); err != nil {
			break
		}
		var played *cluedov1.PlayMoveResponse
		played, err = seat.Play(ctx, moves[len(moves)-1])
		state = played.GetUpdate().GetGame()
		fmt.Println("moved")
	}
	if err != nil {
		return err
	}
	if _, err := cluedo.Host(made.GameID, made.HostToken.Reveal()).Abandon(ctx); err != nil {
		return err
	}
	if err := <-watching; err != nil {
		return err
	}
	for place, revision := range told {
		if revision != told[0]+int32(place) {
			return fmt.Errorf("a watcher was told %v", told)
		}
	}
	if last := state.GetInfo().GetRevision() + 1; !slices.Contains(told, last) {
		return fmt.Errorf("a watcher was told %v and not %d", told, last)
	}
	return nil
}

func tables(cluedo *whitehall.Cluedo, count string) error {
	number, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	var isOver atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, bufio.NewReader(os.Stdin))
		isOver.Store(true)
	}()
	playing := make(chan error, number)
	for range number {
		go func() { playing <- table(cluedo, &isOver) }()
	}
	for range number {
		if err := <-playing; err != nil {
			return err
		}
	}
	return nil
}

func main() {
	// No call is to fail, which is another thing than being quick: the machine may be busy.
	service, err := whitehall.Connect(os.Args[1], whitehall.WithTimeout(30*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	switch rest := os.Args[3:]; os.Args[2] {
	case "execute":
		err = executeAll(service)
	case "watch":
		err = watch(service.Cluedo.Spectator(rest[0], rest[1]), func(revision int32) { fmt.Println(revision) })
	case "tables":
		err = tables(service.Cluedo, rest[0])
	}
	if err != nil {
		log.Fatal(err)
	}
}
