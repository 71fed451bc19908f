import example.whitehall.client.NewGame;
import example.whitehall.client.ScotlandYard;
import example.whitehall.client.Whitehall;
import example.whitehall.common.v1.GameStatus;
import example.whitehall.scotlandyard.v1.CreateGameRequest;
import example.whitehall.scotlandyard.v1.Game;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A whole game of Scotland Yard between simple players: {@code ScotlandYardGame [HOST:PORT] [PRESET]}.
 *
 * <p>Mr X keeps away from where hunters can come next; detectives head for where he can be.
 */
public final class ScotlandYardGame {
    private static final Random RANDOM = new Random();

    private ScotlandYardGame() {}

    public static void main(String[] arguments) {
        String target = arguments.length > 0 ? arguments[0] : "localhost:50051";
        String preset = arguments.length > 1 ? arguments[1] : "new";
        try (Whitehall service = Whitehall.connect(target)) {
            play(service, preset);
        }
    }

    /** Plays a game to the end and says who won. */
    private static void play(Whitehall service, String preset) {
        ScotlandYard yard = service.scotlandYard();
        NewGame<Game> made = yard.createGame(
                CreateGameRequest.newBuilder().setPreset(preset).setPlayers(4).build());
        List<ScotlandYard.Seat> seats =
                made.invitations().stream().map(yard::claim).toList();
        Game game = made.game();
        while (game.getInfo().getStatus() == GameStatus.GAME_STATUS_ACTIVE) {
            int toMove = game.getInfo().getToMove(0);
            String move = choose(seats.get(toMove), toMove == 0);
            game = seats.get(toMove).play(move).getUpdate().getGame();
            System.out.printf("round %2d: %s%n", game.getView().getRound(), move);
        }
        var outcome = game.getView().getOutcome();
        var info = game.getInfo();
        String winners = outcome.getWinnersList().stream()
                .map(seat -> info.getSeats(seat).getName())
                .collect(Collectors.joining(", "));
        service.catalog().rules("scotland-yard").stream()
                .filter(rule -> rule.getId().equals(outcome.getRule()))
                .forEach(rule -> System.out.println("won by " + winners + " | " + rule.getSentenceEn()));
        yard.host(made.gameId(), made.hostToken()).delete();
    }

    /** Any of the moves that lead where the seat wants to be, else any. */
    private static String choose(ScotlandYard.Seat seat, boolean isMrX) {
        List<String> moves = seat.moves();
        Set<String> wanted = seat.deductions().getDeductions().getStrongList().stream()
                .map(strong -> Integer.toString(strong.getStation()))
                .collect(Collectors.toSet());
        // A move's last word is the station where it ends.
        List<String> good = moves.stream()
                .filter(move -> move.matches(".* \\d+") && !move.contains("double"))
                .filter(move -> wanted.contains(move.substring(move.lastIndexOf(' ') + 1)) != isMrX)
                .toList();
        List<String> chosen = good.isEmpty() ? moves : good;
        return chosen.get(RANDOM.nextInt(chosen.size()));
    }
}
