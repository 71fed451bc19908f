package whitehall

import (
	"fmt"

	cluedov1 "whitehall.example/client/gen/whitehall/cluedo/v1"
	yardv1 "whitehall.example/client/gen/whitehall/scotlandyard/v1"
)

// scotlandYardTexts has every move, piece by piece: rides, flights, doubles, passes, placements; then special actions.
func scotlandYardTexts(moves *yardv1.LegalMoves) []string {
	var texts []string
	for _, piece := range moves.GetPieces() {
		texts = append(texts, pieceTexts(piece)...)
	}
	for _, action := range moves.GetActions() {
		texts = append(texts, action.GetText())
	}
	return texts
}

func pieceTexts(moves *yardv1.PieceMoves) []string {
	var texts []string
	for _, ride := range moves.GetRides() {
		texts = append(texts, ride.GetText())
	}
	for _, station := range moves.GetFlights() {
		texts = append(texts, fmt.Sprintf("helicopter %d", station))
	}
	for _, group := range moves.GetDoubles() {
		first := group.GetFirst().GetText()
		for _, second := range group.GetSeconds() {
			texts = append(texts, first+" "+second.GetText())
		}
		for _, station := range group.GetFlights() {
			texts = append(texts, fmt.Sprintf("%s helicopter %d", first, station))
		}
	}
	if moves.GetMayPass() {
		texts = append(texts, moves.GetPassText())
	}
	for _, station := range moves.GetStarts() {
		texts = append(texts, fmt.Sprintf("%s %d", moves.GetStartText(), station))
	}
	return texts
}

// cluedoTexts has every move but those that are put together from cards or dice: suggestions, accusations, and rolls
// where the table has dice of its own.
func cluedoTexts(moves *cluedov1.LegalMoves) []string {
	var texts []string
	if roll := moves.GetRoll(); roll != nil && !roll.GetPhysical() {
		texts = append(texts, roll.GetText())
	}
	for _, destination := range moves.GetDestinations() {
		texts = append(texts, destination.GetText())
	}
	for _, passage := range moves.GetPassages() {
		texts = append(texts, passage.GetText())
	}
	for _, show := range moves.GetShows() {
		texts = append(texts, show.GetText())
	}
	if end := moves.GetEnd(); end != nil {
		texts = append(texts, end.GetText())
	}
	return texts
}
