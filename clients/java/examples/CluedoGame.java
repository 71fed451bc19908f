import example.whitehall.client.Cluedo;
import example.whitehall.client.NewGame;
import example.whitehall.client.RefusalException.IllegalMove;
import example.whitehall.client.RefusalException.StaleRevision;
import example.whitehall.client.Whitehall;
import example.whitehall.cluedo.v1.CardName;
import example.whitehall.cluedo.v1.Game;
import example.whitehall.cluedo.v1.Move;
import example.whitehall.cluedo.v1.PlayMoveRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * A whole game of Cluedo James Bond, each player a thread that watches: {@code CluedoGame [HOST:PORT]}.
 *
 * <p>Players suggest what may be the solution, and accuse as soon as the service's deductions leave a single one.
 */
public final class CluedoGame {
    private static final Random RANDOM = new Random();

    private CluedoGame() {}

    public static void main(String[] arguments) throws Exception {
        String target = arguments.length > 0 ? arguments[0] : "localhost:50051";
        try (Whitehall service = Whitehall.connect(target)) {
            playAll(service.cluedo());
        }
    }

    /** Plays a game to the end and says who won. */
    private static void playAll(Cluedo cluedo) throws Exception {
        NewGame<Game> made = cluedo.createGame(3);
        List<Cluedo.Seat> seats =
                made.invitations().stream().map(cluedo::claim).toList();
        ExecutorService threads = Executors.newFixedThreadPool(seats.size());
        try {
            List<Future<?>> players = new ArrayList<>();
            for (int number = 0; number < seats.size(); number++) {
                Cluedo.Seat seat = seats.get(number);
                int mine = number;
                players.add(threads.submit(() -> play(seat, mine)));
            }
            for (Future<?> player : players) {
                player.get();
            }
        } finally {
            threads.shutdownNow();
        }
        Game game = seats.get(0).game();
        Map<String, String> names = game.getView().getCardsList().stream()
                .collect(Collectors.toMap(CardName::getCard, CardName::getName));
        var envelope = game.getView().getEnvelope();
        System.out.printf(
                "it was %s with %s at %s%n",
                names.get(envelope.getSuspect()), names.get(envelope.getWeapon()), names.get(envelope.getLocation()));
        String winners = game.getView().getOutcome().getWinnersList().stream()
                .map(seat -> game.getInfo().getSeats(seat).getName())
                .collect(Collectors.joining(", "));
        System.out.println("won by " + (winners.isEmpty() ? "nobody" : winners));
        cluedo.host(made.gameId(), made.hostToken()).delete();
    }

    /** Moves whenever it is the seat's turn, until the game is over. */
    private static void play(Cluedo.Seat seat, int number) {
        try (var watch = seat.watch()) {
            for (var news : watch) {
                var info = news.getUpdate().getGame().getInfo();
                if (!info.getToMoveList().contains(number)) {
                    continue;
                }
                try {
                    seat.play(PlayMoveRequest.newBuilder()
                            .setMove(Move.newBuilder().setText(choose(seat)))
                            .setExpectedRevision(info.getRevision())
                            .build());
                } catch (IllegalMove | StaleRevision old) {
                    // This news is old by now, and newer is on its way.
                    continue;
                }
            }
        }
    }

    /** A move that may be made now. */
    private static String choose(Cluedo.Seat seat) {
        var legal = seat.legalMoves().getMoves();
        if (legal.getMayAccuse() || !legal.getSuggestIn().isEmpty()) {
            var solutions = seat.deductions().getDeductions().getSolutionsList();
            var envelope = any(solutions).getEnvelope();
            String named = envelope.getSuspect() + " " + envelope.getWeapon() + " ";
            if (legal.getMayAccuse() && solutions.size() == 1) {
                return "accuse " + named + envelope.getLocation();
            }
            if (!legal.getSuggestIn().isEmpty()) {
                return "suggest " + named + legal.getSuggestIn();
            }
        }
        List<String> moves = seat.moves();
        List<String> rooms = moves.stream().filter(move -> move.contains(" enter ")).toList();
        return any(rooms.isEmpty() ? moves : rooms);
    }

    private static <T> T any(List<T> things) {
        return things.get(RANDOM.nextInt(things.size()));
    }
}
