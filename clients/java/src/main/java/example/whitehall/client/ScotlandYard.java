package example.whitehall.client;

import example.whitehall.scotlandyard.v1.AbandonGameRequest;
import example.whitehall.scotlandyard.v1.AbandonGameResponse;
import example.whitehall.scotlandyard.v1.CreateGameRequest;
import example.whitehall.scotlandyard.v1.DeleteGameRequest;
import example.whitehall.scotlandyard.v1.Game;
import example.whitehall.scotlandyard.v1.GetDeductionsRequest;
import example.whitehall.scotlandyard.v1.GetDeductionsResponse;
import example.whitehall.scotlandyard.v1.GetGameRequest;
import example.whitehall.scotlandyard.v1.GetRecordRequest;
import example.whitehall.scotlandyard.v1.GetRecordResponse;
import example.whitehall.scotlandyard.v1.ListEventsRequest;
import example.whitehall.scotlandyard.v1.ListEventsResponse;
import example.whitehall.scotlandyard.v1.ListLegalMovesRequest;
import example.whitehall.scotlandyard.v1.ListLegalMovesResponse;
import example.whitehall.scotlandyard.v1.Move;
import example.whitehall.scotlandyard.v1.PlayMoveRequest;
import example.whitehall.scotlandyard.v1.PlayMoveResponse;
import example.whitehall.scotlandyard.v1.RotateTokenRequest;
import example.whitehall.scotlandyard.v1.ScotlandYardServiceGrpc;
import example.whitehall.scotlandyard.v1.ScotlandYardServiceGrpc.ScotlandYardServiceBlockingStub;
import example.whitehall.scotlandyard.v1.StartGameRequest;
import example.whitehall.scotlandyard.v1.StartGameResponse;
import example.whitehall.scotlandyard.v1.ValidateMoveRequest;
import example.whitehall.scotlandyard.v1.ValidateMoveResponse;
import example.whitehall.scotlandyard.v1.WatchGameRequest;
import example.whitehall.scotlandyard.v1.WatchGameResponse;
import io.grpc.Channel;
import java.util.Arrays;
import java.util.List;

/**
 * Games of Scotland Yard. Every method here and of what it gives is one call of {@code ScotlandYardService}, whose proto says what each
 * field means.
 */
public final class ScotlandYard {
    private final ScotlandYardServiceBlockingStub stub;

    ScotlandYard(Channel channel, Life life) {
        stub = life.lived(ScotlandYardServiceGrpc.newBlockingStub(channel));
    }

    /** Makes a game of preset {@code new}. Keep the tokens of the answer: nothing tells them again. */
    public NewGame<Game> createGame(int players) {
        return createGame(CreateGameRequest.newBuilder().setPlayers(players).build());
    }

    /** Makes a game, of preset {@code new} unless told. It needs an operator's key where the service has any. */
    public NewGame<Game> createGame(CreateGameRequest asked) {
        var request = asked.getPreset().isEmpty() ? asked.toBuilder().setPreset("new").build() : asked;
        var made = Whitehall.typed(() -> stub.createGame(request));
        return NewGame.of(
                made.getGame().getInfo().getGameId(),
                made.getGame(),
                made.getInvitationsList(),
                made.getHostToken(),
                made.getSpectatorToken());
    }

    /** Takes the seat: its invitation is exchanged for a token that nobody else has, {@link Reader#token}. */
    public Seat claim(Invitation invitation) {
        return claim(invitation, "");
    }

    /** Takes the seat, with a seed that is mixed into the chance of a game that waits for its start. */
    public Seat claim(Invitation invitation, String clientSeed) {
        Seat seat = seat(invitation.gameId(), invitation.token());
        seat.rotate(RotateTokenRequest.newBuilder().setClientSeed(clientSeed).build());
        return seat;
    }

    /** A seat that was claimed before, by the token kept then. */
    public Seat seat(String gameId, Token token) {
        return new Seat(stub, gameId, token);
    }

    /** What the bearer of the spectators' token may do. */
    public Viewer spectator(String gameId, Token token) {
        return new Viewer(stub, gameId, token);
    }

    /** What the bearer of the host's token may do. */
    public Host host(String gameId, Token token) {
        return new Host(stub, gameId, token);
    }

    /** What every bearer of a token of a game may do. */
    public abstract static sealed class Reader permits Viewer, Host {
        final String gameId;
        private final ScotlandYardServiceBlockingStub stub;
        private volatile Token token;

        private Reader(ScotlandYardServiceBlockingStub stub, String gameId, Token token) {
            this.stub = stub;
            this.gameId = gameId;
            this.token = token;
        }

        /** The game's id. */
        public final String gameId() {
            return gameId;
        }

        /** The password: that of the last rotation. */
        public final Token token() {
            return token;
        }

        final ScotlandYardServiceBlockingStub stub() {
            return Whitehall.bearing(stub, token);
        }

        /** The game as the bearer may see it. */
        public final Game game() {
            var asked = GetGameRequest.newBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().getGame(asked)).getGame();
        }

        /** Where Mr X can be, as far as the bearer may know. In the app game that can take a second. */
        public final GetDeductionsResponse deductions() {
            return deductions(GetDeductionsRequest.getDefaultInstance());
        }

        /** The same for what is asked. */
        public final GetDeductionsResponse deductions(GetDeductionsRequest asked) {
            var request = asked.toBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().getDeductions(request));
        }

        /** A page of what has happened, as the bearer may know it: from the beginning, or after a cursor. */
        public final ListEventsResponse events(ListEventsRequest asked) {
            var request = asked.toBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().listEvents(request));
        }

        /** The whole record with all seeds, once the game has ended. */
        public final GetRecordResponse record() {
            var asked = GetRecordRequest.newBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().getRecord(asked));
        }

        final Token exchange(RotateTokenRequest asked) {
            var request = asked.toBuilder().setGameId(gameId).build();
            token = new Token(Whitehall.typed(() -> stub().rotateToken(request)).getToken());
            return token;
        }
    }

    /** A seat or a spectator. */
    public static sealed class Viewer extends Reader permits Seat {
        private Viewer(ScotlandYardServiceBlockingStub stub, String gameId, Token token) {
            super(stub, gameId, token);
        }

        /** Follows the game from its present state on. */
        public final Watch<WatchGameResponse> watch() {
            return watch("");
        }

        /**
         * Follows the game from what came after a cursor. Draw the game of an update, which is whole, where it is there:
         * revisions that are caught up with come without. {@code reset} says that the game is another one than the cursor
         * knew, after a failover. Close what you stop reading.
         */
        public final Watch<WatchGameResponse> watch(String cursor) {
            return new Watch<>(
                    Life.of(stub()),
                    cursor,
                    after -> stub().watchGame(WatchGameRequest.newBuilder()
                            .setGameId(gameId)
                            .setCursor(after)
                            .build()),
                    news -> switch (news.getKindCase()) {
                        case UPDATE -> Watch.Part.update(news.getUpdate().getRevision().getCursor());
                        case RECONNECT -> Watch.Part.RECONNECT;
                        default -> Watch.Part.HEARTBEAT;
                    });
        }
    }

    /** Somebody who plays. */
    public static final class Seat extends Viewer {
        private Seat(ScotlandYardServiceBlockingStub stub, String gameId, Token token) {
            super(stub, gameId, token);
        }

        /** The moves that the seat may make now, typed: all of them. */
        public ListLegalMovesResponse legalMoves() {
            return legalMoves(ListLegalMovesRequest.getDefaultInstance());
        }

        /** The same for one piece, doubles after a first half, or no doubles. */
        public ListLegalMovesResponse legalMoves(ListLegalMovesRequest asked) {
            var request = asked.toBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().listLegalMoves(request));
        }

        /** The same as text, each ready to be played. */
        public List<String> moves() {
            return MoveTexts.of(legalMoves().getMoves());
        }

        /**
         * A dry run: every rule that forbids the moves, judged on what the seat may know. Of several, a piece each, all are
         * hunters'.
         */
        public ValidateMoveResponse validate(String... moves) {
            var asked = ValidateMoveRequest.newBuilder()
                    .setGameId(gameId)
                    .addAllMoves(typed(moves))
                    .build();
            return Whitehall.typed(() -> stub().validateMove(asked));
        }

        /**
         * Plays a move in notation ({@code taxi 86}, {@code double taxi 86 black 52}), or several hunters' moves that are
         * judged whole: made once, however often the answer is lost.
         */
        public PlayMoveResponse play(String... moves) {
            return play(PlayMoveRequest.newBuilder().addAllMoves(typed(moves)).build());
        }

        /** The same for typed moves, an expected revision, or a request id of the caller's own. */
        public PlayMoveResponse play(PlayMoveRequest asked) {
            var request = asked.toBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().playMove(request));
        }

        /** Exchanges the token for a new one, kept as {@link #token} and given back. The first time it is the claim. */
        public Token rotate(RotateTokenRequest asked) {
            return exchange(asked);
        }
    }

    /** Who made the game. It sees what everybody may see. */
    public static final class Host extends Reader {
        private Host(ScotlandYardServiceBlockingStub stub, String gameId, Token token) {
            super(stub, gameId, token);
        }

        /** Starts a game that was made waiting. */
        public StartGameResponse start() {
            var asked = StartGameRequest.newBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().startGame(asked));
        }

        /** Takes a seat back: its holder is out, and everybody is told. The answer is a new invitation. */
        public Invitation reissue(int seat) {
            var asked = RotateTokenRequest.newBuilder().setGameId(gameId).setSeat(seat).build();
            String issued = Whitehall.typed(() -> stub().rotateToken(asked)).getToken();
            return Invitation.issued(gameId, seat, game().getInfo().getSeatsList(), issued);
        }

        /** Exchanges the spectators' token. */
        public Token reissueSpectators() {
            var asked = RotateTokenRequest.newBuilder().setGameId(gameId).setSpectators(true).build();
            return new Token(Whitehall.typed(() -> stub().rotateToken(asked)).getToken());
        }

        /** Exchanges the host's own token for a new one, which is kept as {@link #token} and given back. */
        public Token rotate() {
            return exchange(RotateTokenRequest.getDefaultInstance());
        }

        /** Ends the game for all; nobody wins. */
        public AbandonGameResponse abandon() {
            var asked = AbandonGameRequest.newBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().abandonGame(asked));
        }

        /** Deletes the game with everything kept of it. Deleting it again is no error. */
        public void delete() {
            var asked = DeleteGameRequest.newBuilder().setGameId(gameId).build();
            Whitehall.typed(() -> stub().deleteGame(asked));
        }
    }

    private static List<Move> typed(String... moves) {
        return Arrays.stream(moves)
                .map(text -> Move.newBuilder().setText(text).build())
                .toList();
    }
}
