package example.whitehall.client;

import example.whitehall.scotlandyard.v1.PieceMoves;
import java.util.ArrayList;
import java.util.List;

/** Legal moves as text, each ready to be played. */
final class MoveTexts {
    private MoveTexts() {}

    /** Every move, piece by piece: rides, flights, doubles, passes, placements; then special actions. */
    static List<String> of(example.whitehall.scotlandyard.v1.LegalMoves moves) {
        List<String> texts = new ArrayList<>();
        moves.getPiecesList().forEach(piece -> add(texts, piece));
        moves.getActionsList().forEach(action -> texts.add(action.getText()));
        return texts;
    }

    private static void add(List<String> texts, PieceMoves moves) {
        moves.getRidesList().forEach(ride -> texts.add(ride.getText()));
        moves.getFlightsList().forEach(station -> texts.add("helicopter " + station));
        for (var group : moves.getDoublesList()) {
            String first = group.getFirst().getText();
            group.getSecondsList().forEach(second -> texts.add(first + " " + second.getText()));
            group.getFlightsList().forEach(station -> texts.add(first + " helicopter " + station));
        }
        if (moves.getMayPass()) {
            texts.add(moves.getPassText());
        }
        moves.getStartsList().forEach(station -> texts.add(moves.getStartText() + " " + station));
    }

    /**
     * Every move but those that are put together from cards or dice: suggestions, accusations, and rolls where the table has
     * dice of its own.
     */
    static List<String> of(example.whitehall.cluedo.v1.LegalMoves moves) {
        List<String> texts = new ArrayList<>();
        if (moves.hasRoll() && !moves.getRoll().getPhysical()) {
            texts.add(moves.getRoll().getText());
        }
        moves.getDestinationsList().forEach(destination -> texts.add(destination.getText()));
        moves.getPassagesList().forEach(passage -> texts.add(passage.getText()));
        moves.getShowsList().forEach(show -> texts.add(show.getText()));
        if (moves.hasEnd()) {
            texts.add(moves.getEnd().getText());
        }
        return texts;
    }
}
