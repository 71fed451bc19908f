package example.whitehall.client;

import example.whitehall.common.v1.SeatInvitation;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * What the host of a new game gets. Keep the tokens: nothing tells them again.
 *
 * @param game the game as everybody may see it
 * @param invitations one for each seat, in the order of the seats
 * @param spectatorToken empty where no spectators are allowed
 */
public record NewGame<G>(
        String gameId, G game, List<Invitation> invitations, Token hostToken, Token spectatorToken) {

    static <G> NewGame<G> of(
            String gameId, G game, List<SeatInvitation> invited, String hostToken, String spectatorToken) {
        List<Invitation> invitations = invited.stream()
                .map(one -> new Invitation(gameId, one.getSeat(), one.getName(), new Token(one.getToken())))
                .toList();
        return new NewGame<>(gameId, game, invitations, new Token(hostToken), new Token(spectatorToken));
    }

    /** The invitation to the seat of that name: {@code mr_x}, {@code red}, {@code S1}. */
    public Invitation seat(String name) {
        return invitations.stream()
                .filter(invitation -> invitation.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no seat has the name " + name));
    }
}
