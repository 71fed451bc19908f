package example.whitehall.client;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import example.whitehall.cluedo.v1.CluedoServiceGrpc.CluedoServiceImplBase;
import example.whitehall.cluedo.v1.GetGameRequest;
import example.whitehall.cluedo.v1.GetGameResponse;
import example.whitehall.cluedo.v1.PlayMoveRequest;
import example.whitehall.cluedo.v1.PlayMoveResponse;
import example.whitehall.cluedo.v1.WatchGameRequest;
import example.whitehall.cluedo.v1.WatchGameResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;

/** A service that answers what a test tells it to, without a network. */
final class FakeService extends CluedoServiceImplBase implements AutoCloseable {
    /** A part of a stream after which nothing comes, and no end. */
    static final Object SILENCE = new Object();

    final List<PlayMoveRequest> requests = new CopyOnWriteArrayList<>();
    final List<Metadata> borne = new CopyOnWriteArrayList<>();
    final List<String> cursors = new CopyOnWriteArrayList<>();

    /** What an attempt at a move, the first being 1, is answered with: an answer or an error; nothing for null. */
    IntFunction<Object> play = attempt -> PlayMoveResponse.getDefaultInstance();

    /** What a game is answered with: nothing for null. */
    Object game = GetGameResponse.getDefaultInstance();

    /** The parts of one stream after another: messages, and errors. */
    final Deque<List<Object>> streams = new ArrayDeque<>();

    private final String name = UUID.randomUUID().toString();
    private final Server server;

    FakeService() throws IOException {
        ServerInterceptor hearing = new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                borne.add(headers);
                return next.startCall(call, headers);
            }
        };
        server = InProcessServerBuilder.forName(name)
                .addService(ServerInterceptors.intercept(this, hearing))
                .build()
                .start();
    }

    /** A client of this service. */
    Whitehall connect(UnaryOperator<Whitehall.Builder> how) {
        return how.apply(Whitehall.builder("unused:1").channel(ignored -> InProcessChannelBuilder.forName(name)))
                .build();
    }

    /** A bare connection to this service. */
    ManagedChannel channel() {
        return InProcessChannelBuilder.forName(name).build();
    }

    static StatusRuntimeException refusal(int code, String reason, Map<String, String> circumstances) {
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason(reason)
                .setDomain("whitehall")
                .putAllMetadata(circumstances)
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code)
                .setMessage("a sentence")
                .addDetails(Any.pack(info))
                .build());
    }

    static StatusRuntimeException lost() {
        return Status.UNAVAILABLE.withDescription("lost").asRuntimeException();
    }

    /** An end of a stream that asks for a long pause before the next. */
    static StatusRuntimeException lostForAnHour() {
        RetryInfo rest = RetryInfo.newBuilder()
                .setRetryDelay(Duration.newBuilder().setSeconds(3600))
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.UNAVAILABLE.value())
                .setMessage("lost")
                .addDetails(Any.pack(rest))
                .build());
    }

    @Override
    public void playMove(PlayMoveRequest request, StreamObserver<PlayMoveResponse> observer) {
        requests.add(request);
        answer(play.apply(requests.size()), PlayMoveResponse.class, observer);
    }

    @Override
    public void getGame(GetGameRequest request, StreamObserver<GetGameResponse> observer) {
        answer(game, GetGameResponse.class, observer);
    }

    @Override
    public void watchGame(WatchGameRequest request, StreamObserver<WatchGameResponse> observer) {
        cursors.add(request.getCursor());
        for (Object part : streams.removeFirst()) {
            if (part == SILENCE) {
                return;
            }
            if (part instanceof StatusRuntimeException error) {
                observer.onError(error);
                return;
            }
            observer.onNext((WatchGameResponse) part);
        }
        observer.onCompleted();
    }

    private static <A> void answer(Object outcome, Class<A> type, StreamObserver<A> observer) {
        if (outcome instanceof StatusRuntimeException error) {
            observer.onError(error);
        } else if (outcome != null) {
            observer.onNext(type.cast(outcome));
            observer.onCompleted();
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}
