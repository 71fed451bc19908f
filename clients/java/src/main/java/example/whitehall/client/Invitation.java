package example.whitehall.client;

import example.whitehall.common.v1.SeatInfo;
import java.util.List;

/** One seat's. Hand it to the player, who claims the seat with it. */
public record Invitation(String gameId, int seat, String name, Token token) {

    /** One that was issued anew, with the name of its seat. */
    static Invitation issued(String gameId, int seat, List<SeatInfo> seats, String token) {
        String name = seats.stream()
                .filter(info -> info.getSeat() == seat)
                .map(SeatInfo::getName)
                .findFirst()
                .orElse("");
        return new Invitation(gameId, seat, name, new Token(token));
    }
}
