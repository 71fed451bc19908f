package example.whitehall.client;

import example.whitehall.cluedo.v1.AbandonGameRequest;
import example.whitehall.cluedo.v1.AbandonGameResponse;
import example.whitehall.cluedo.v1.CluedoServiceGrpc;
import example.whitehall.cluedo.v1.CluedoServiceGrpc.CluedoServiceBlockingStub;
import example.whitehall.cluedo.v1.CreateGameRequest;
import example.whitehall.cluedo.v1.DeleteGameRequest;
import example.whitehall.cluedo.v1.Game;
import example.whitehall.cluedo.v1.GetDeductionsRequest;
import example.whitehall.cluedo.v1.GetDeductionsResponse;
import example.whitehall.cluedo.v1.GetGameRequest;
import example.whitehall.cluedo.v1.GetRecordRequest;
import example.whitehall.cluedo.v1.GetRecordResponse;
import example.whitehall.cluedo.v1.ListEventsRequest;
import example.whitehall.cluedo.v1.ListEventsResponse;
import example.whitehall.cluedo.v1.ListLegalMovesRequest;
import example.whitehall.cluedo.v1.ListLegalMovesResponse;
import example.whitehall.cluedo.v1.Move;
import example.whitehall.cluedo.v1.PlayMoveRequest;
import example.whitehall.cluedo.v1.PlayMoveResponse;
import example.whitehall.cluedo.v1.RotateTokenRequest;
import example.whitehall.cluedo.v1.StartGameRequest;
import example.whitehall.cluedo.v1.StartGameResponse;
import example.whitehall.cluedo.v1.ValidateMoveRequest;
import example.whitehall.cluedo.v1.ValidateMoveResponse;
import example.whitehall.cluedo.v1.WatchGameRequest;
import example.whitehall.cluedo.v1.WatchGameResponse;
import io.grpc.Channel;
import java.util.List;

/**
 * Games of Cluedo. Every method here and of what it gives is one call of {@code CluedoService}, whose proto says what each
 * field means.
 */
public final class Cluedo {
    private final CluedoServiceBlockingStub stub;

    Cluedo(Channel channel, Life life) {
        stub = life.lived(CluedoServiceGrpc.newBlockingStub(channel));
    }

    /** Makes a game of preset {@code james-bond}. Keep the tokens of the answer: nothing tells them again. */
    public NewGame<Game> createGame(int players) {
        return createGame(CreateGameRequest.newBuilder().setPlayers(players).build());
    }

    /** Makes a game, of preset {@code james-bond} unless told. It needs an operator's key where the service has any. */
    public NewGame<Game> createGame(CreateGameRequest asked) {
        var request = asked.getPreset().isEmpty() ? asked.toBuilder().setPreset("james-bond").build() : asked;
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
        private final CluedoServiceBlockingStub stub;
        private volatile Token token;

        private Reader(CluedoServiceBlockingStub stub, String gameId, Token token) {
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

        final CluedoServiceBlockingStub stub() {
            return Whitehall.bearing(stub, token);
        }

        /** The game as the bearer may see it. */
        public final Game game() {
            var asked = GetGameRequest.newBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().getGame(asked)).getGame();
        }

        /** What can lie in the envelope and who can hold what, for all that the bearer knows. */
        public final GetDeductionsResponse deductions() {
            return deductions(GetDeductionsRequest.getDefaultInstance());
        }

        /** The same with reasons for what is to be explained. Early in a game of six that can take a second. */
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
        private Viewer(CluedoServiceBlockingStub stub, String gameId, Token token) {
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
        private Seat(CluedoServiceBlockingStub stub, String gameId, Token token) {
            super(stub, gameId, token);
        }

        /** The moves that the seat may make now, typed. */
        public ListLegalMovesResponse legalMoves() {
            var asked = ListLegalMovesRequest.newBuilder().setGameId(gameId).build();
            return Whitehall.typed(() -> stub().listLegalMoves(asked));
        }

        /**
         * The same as text, but for suggestions, accusations and rolls of the table's own dice, which the player puts
         * together.
         */
        public List<String> moves() {
            return MoveTexts.of(legalMoves().getMoves());
        }

        /** A dry run: every rule that forbids a move, judged on what the seat may know. */
        public ValidateMoveResponse validate(String move) {
            var asked = ValidateMoveRequest.newBuilder()
                    .setGameId(gameId)
                    .setMove(typed(move))
                    .build();
            return Whitehall.typed(() -> stub().validateMove(asked));
        }

        /**
         * Plays a move in notation ({@code roll}, {@code walk 7,4}, {@code suggest S4 W2 L3}): made once, however often the
         * answer is lost.
         */
        public PlayMoveResponse play(String move) {
            return play(PlayMoveRequest.newBuilder().setMove(typed(move)).build());
        }

        /** The same for a typed move, an expected revision, or a request id of the caller's own. */
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
        private Host(CluedoServiceBlockingStub stub, String gameId, Token token) {
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

    private static Move typed(String text) {
        return Move.newBuilder().setText(text).build();
    }
}
