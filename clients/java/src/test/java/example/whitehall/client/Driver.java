package example.whitehall.client;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import example.whitehall.catalog.v1.CatalogServiceGrpc;
import example.whitehall.cluedo.v1.CluedoPositionServiceGrpc;
import example.whitehall.cluedo.v1.CluedoServiceGrpc;
import example.whitehall.cluedo.v1.CreateGameRequest;
import example.whitehall.cluedo.v1.Game;
import example.whitehall.scotlandyard.v1.ScotlandYardPositionServiceGrpc;
import example.whitehall.scotlandyard.v1.ScotlandYardServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.grpc.stub.ClientCalls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/**
 * The client, driven by tests that are written in another language: {@code Driver HOST:PORT[,HOST:PORT...] WHAT}.
 *
 * <pre>
 * execute             makes the calls that come by stdin, a line of JSON for each, and writes their outcomes
 * watch GAME TOKEN    writes the number of each revision of a game of Cluedo that its watcher is told
 * tables COUNT        plays games of Cluedo at so many tables until stdin ends, and writes a line for each move
 * </pre>
 */
public final class Driver {
    private static final List<ServiceDescriptor> SERVICES = List.of(
            CatalogServiceGrpc.getServiceDescriptor(),
            CluedoServiceGrpc.getServiceDescriptor(),
            CluedoPositionServiceGrpc.getServiceDescriptor(),
            ScotlandYardServiceGrpc.getServiceDescriptor(),
            ScotlandYardPositionServiceGrpc.getServiceDescriptor());

    private static final BufferedReader INPUT =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private static volatile boolean isOver;

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
        try (Whitehall service = Whitehall.connect(arguments[0])) {
            switch (arguments[1]) {
                case "execute" -> executeAll(service);
                case "watch" -> watch(
                        service.cluedo().spectator(arguments[2], new Token(arguments[3])), System.out::println);
                case "tables" -> tables(service.cluedo(), Integer.parseInt(arguments[2]));
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        }
    }

    /** Goes on until there are no more calls. */
    private static void executeAll(Whitehall service) throws IOException {
        Map<String, MethodDescriptor<?, ?>> methods = new HashMap<>();
        for (ServiceDescriptor described : SERVICES) {
            described.getMethods().forEach(method -> methods.put(method.getFullMethodName(), method));
        }
        for (String line = INPUT.readLine(); line != null; line = INPUT.readLine()) {
            JsonObject asked = JsonParser.parseString(line).getAsJsonObject();
            MethodDescriptor<?, ?> method = methods.get(asked.get("call").getAsString());
            System.out.println(outcome(service, method, asked));
        }
    }

    private static JsonObject outcome(Whitehall service, MethodDescriptor<?, ?> method, JsonObject asked)
            throws IOException {
        JsonObject outcome = new JsonObject();
        try {
            String answer = JsonFormat.printer()
                    .alwaysPrintFieldsWithNoPresence()
                    .print((Message) call(service, method, asked));
            outcome.add("answer", JsonParser.parseString(answer));
        } catch (StatusRuntimeException error) {
            CallException failure = CallException.of(error);
            JsonObject refusal = new JsonObject();
            refusal.addProperty("code", failure.code().name());
            refusal.addProperty("reason", failure.reason());
            refusal.add("metadata", new Gson().toJsonTree(failure.metadata()));
            outcome.add("refusal", refusal);
        }
        return outcome;
    }

    private static <Q, A> A call(Whitehall service, MethodDescriptor<Q, A> method, JsonObject asked)
            throws IOException {
        var schema = (ProtoMethodDescriptorSupplier) method.getSchemaDescriptor();
        var request = DynamicMessage.newBuilder(schema.getMethodDescriptor().getInputType());
        JsonFormat.parser().merge(asked.get("request").toString(), request);
        Q typed = method.parseRequest(request.build().toByteString().newInput());
        String token = asked.get("token").getAsString();
        CallOptions options = token.isEmpty()
                ? CallOptions.DEFAULT
                : CallOptions.DEFAULT.withOption(Calls.TOKEN, new Token(token));
        return ClientCalls.blockingUnaryCall(service.channel(), method, options, typed);
    }

    private static void watch(Cluedo.Viewer viewer, IntConsumer told) {
        try (var watch = viewer.watch()) {
            for (var news : watch) {
                if (news.getReset()) {
                    throw new IllegalStateException("the stream could not go on from its cursor");
                }
                told.accept(news.getUpdate().getRevision().getRevision());
            }
        }
    }

    private static void tables(Cluedo cluedo, int count) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        var playing = new ExecutorCompletionService<Void>(threads);
        Callable<Void> table = () -> {
            while (!isOver) {
                game(cluedo, threads);
            }
            return null;
        };
        for (int number = 0; number < count; number++) {
            playing.submit(table);
        }
        threads.submit(() -> {
            while (INPUT.readLine() != null) {}
            isOver = true;
            return null;
        });
        try {
            for (int number = 0; number < count; number++) {
                playing.take().get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void game(Cluedo cluedo, ExecutorService threads) throws Exception {
        var made = cluedo.createGame(CreateGameRequest.newBuilder()
                .setPlayers(3)
                .setAllowSpectators(true)
                .build());
        List<Cluedo.Seat> seats =
                made.invitations().stream().map(cluedo::claim).toList();
        Cluedo.Viewer spectator = cluedo.spectator(made.gameId(), made.spectatorToken());
        List<Integer> told = new ArrayList<>();
        Future<?> watching = threads.submit(() -> watch(spectator, told::add));
        Game state = spectator.game();
        while (state.getInfo().getToMoveCount() > 0 && !isOver) {
            Cluedo.Seat seat = seats.get(state.getInfo().getToMove(0));
            List<String> moves = seat.moves();
            state = seat.play(moves.get(moves.size() - 1)).getUpdate().getGame();
            System.out.println("moved");
        }
        cluedo.host(made.gameId(), made.hostToken()).abandon();
        watching.get();
        for (int place = 0; place < told.size(); place++) {
            if (told.get(place) != told.get(0) + place) {
                throw new IllegalStateException("a watcher was told " + told);
            }
        }
        int last = state.getInfo().getRevision() + 1;
        if (!told.contains(last)) {
            throw new IllegalStateException("a watcher was told " + told + " and not " + last);
        }
    }
}
