package example.whitehall.client;

import static example.whitehall.client.FakeService.lost;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.whitehall.cluedo.v1.CluedoServiceGrpc;
import example.whitehall.cluedo.v1.GetGameRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Context;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Calls and watches end when their caller or the connection does, wherever they are then, and change nothing later. */
final class EndingTest extends FakeServed {
    private Thread reader;

    @Test
    void aThreadThatIsInterruptedWaitsNoLongerAndRepeatsNothing() throws InterruptedException {
        fake.game = lost();
        Cluedo.Seat seat = seat(how -> how.timeout(Duration.ofHours(1)));
        Thread caller = new Thread(() -> assertThrows(UnansweredException.class, seat::game));
        caller.start();
        while (fake.borne.isEmpty()) {
            Thread.onSpinWait();
        }
        caller.interrupt();
        caller.join(Duration.ofSeconds(30).toMillis());
        assertFalse(caller.isAlive());
    }

    @Test
    void closingTheConnectionEndsCallsThatAreRepeated() throws InterruptedException {
        fake.game = lost();
        Cluedo.Seat seat = seat(how -> how.timeout(Duration.ofHours(1)));
        Thread caller = new Thread(() -> assertThrows(UnansweredException.class, seat::game));
        caller.start();
        while (fake.borne.size() < 3) {
            Thread.onSpinWait();
        }
        service.close();
        caller.join(Duration.ofSeconds(30).toMillis());
        assertFalse(caller.isAlive());
    }

    @Test
    void onAClosedConnectionNothingBegins() {
        Cluedo.Seat seat = seat(how -> how.timeout(Duration.ofHours(1)));
        service.close();
        assertThrows(UnansweredException.class, seat::game);
        assertThrows(UnansweredException.class, () -> seat.play("roll"));
        var watch = seat.watch();
        assertThrows(UnansweredException.class, watch::hasNext);
        assertFalse(watch.hasNext());
        assertTrue(fake.borne.isEmpty());
    }

    @Test
    void closingTheConnectionEndsAWatch() throws InterruptedException {
        fake.streams.add(List.of(news(1), FakeService.SILENCE));
        var watch = seat().watch();
        assertTrue(watch.hasNext());
        watch.next();
        Thread reader = new Thread(() -> assertThrows(UnansweredException.class, watch::hasNext));
        reader.start();
        service.close();
        reader.join(Duration.ofSeconds(30).toMillis());
        assertFalse(reader.isAlive());
    }

    private static Runnable in(Context context, Runnable task) {
        return context.wrap(task);
    }

    @Test
    void nothingIsSentInAContextThatHasEnded() {
        Cluedo.Seat seat = seat();
        Context.CancellableContext context = Context.current().withCancellation();
        context.cancel(null);
        context.run(() -> {
            assertThrows(UnansweredException.class, () -> seat.play("roll"));
            var watch = seat.watch();
            assertThrows(UnansweredException.class, watch::hasNext);
        });
        assertTrue(fake.requests.isEmpty());
        assertTrue(fake.cursors.isEmpty());
    }

    @Test
    void theEndOfTheContextEndsACallThatIsRepeated() throws InterruptedException {
        fake.game = lost();
        Cluedo.Seat seat = seat(how -> how.timeout(Duration.ofHours(1)));
        Context.CancellableContext context = Context.current().withCancellation();
        Thread caller = new Thread(in(context, () -> {
            var ended = assertThrows(UnansweredException.class, seat::game);
            assertEquals(Status.Code.CANCELLED, ended.code());
        }));
        caller.start();
        while (fake.borne.size() < 3) {
            Thread.onSpinWait();
        }
        context.cancel(null);
        caller.join(Duration.ofSeconds(30).toMillis());
        assertFalse(caller.isAlive());
    }

    @Test
    void aChangeThatHasNoAnswerIsNotMadeAgainOnceItsContextHasEnded() throws InterruptedException {
        fake.play = attempt -> null;
        Cluedo.Seat seat = seat();
        Context.CancellableContext context = Context.current().withCancellation();
        Thread caller = new Thread(in(context, () -> assertThrows(UnansweredException.class, () -> seat.play("roll"))));
        caller.start();
        while (fake.requests.isEmpty()) {
            Thread.onSpinWait();
        }
        context.cancel(null);
        caller.join(Duration.ofSeconds(30).toMillis());
        assertFalse(caller.isAlive());
        assertEquals(1, fake.requests.size());
    }

    /** A watch that is going to look for the service for an hour, and what it ends with. */
    private CompletableFuture<UnansweredException> ending(Context context) {
        fake.streams.add(List.of(FakeService.lostForAnHour()));
        var watch = seat().watch();
        CompletableFuture<UnansweredException> ended = new CompletableFuture<>();
        reader = new Thread(in(context, () -> ended.complete(assertThrows(UnansweredException.class, watch::hasNext))));
        reader.start();
        while (reader.isAlive() && reader.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return ended;
    }

    @Test
    void theEndOfTheContextEndsAWatchThatLooksForTheServiceAndIsTold() {
        Context.CancellableContext context = Context.current().withCancellation();
        var ended = ending(context);
        context.cancel(null);
        assertEquals(Status.Code.CANCELLED, ended.join().code());
    }

    @Test
    void theDeadlineOfTheContextEndsAWatchThatLooksForTheServiceAndIsTold() {
        var timer = Executors.newSingleThreadScheduledExecutor();
        var ended = ending(Context.current().withDeadlineAfter(1, TimeUnit.SECONDS, timer));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, ended.join().code());
        timer.shutdown();
    }

    @Test
    void aContextThatEndsWhileAStreamFailsIsTold() {
        Context.CancellableContext context = Context.current().withCancellation();
        Life life = new Life();
        var watch = new Watch<Object>(
                life,
                "",
                cursor -> {
                    context.cancel(null);
                    throw lost();
                },
                news -> Watch.Part.HEARTBEAT);
        context.run(() -> assertEquals(
                Status.Code.CANCELLED, assertThrows(UnansweredException.class, watch::hasNext).code()));
        assertFalse(watch.hasNext());
        life.end();
    }

    @Test
    void anInterruptionEndsAWatchThatLooksForTheServiceAndIsTold() {
        var ended = ending(Context.current());
        reader.interrupt();
        assertEquals(Status.Code.CANCELLED, ended.join().code());
    }

    @Test
    void closingTheConnectionEndsAWatchThatLooksForTheServiceAndIsTold() {
        var ended = ending(Context.current());
        service.close();
        assertEquals(Life.CLOSED.getDescription(), ended.join().sentence());
    }

    @Test
    void theEarlierDeadlineOfStubAndContextHolds() {
        fake.game = null;
        seat();
        var patient = CluedoServiceGrpc.newBlockingStub(service.channel()).withDeadlineAfter(1, TimeUnit.HOURS);
        var timer = Executors.newSingleThreadScheduledExecutor();
        var context = Context.current().withDeadlineAfter(100, TimeUnit.MILLISECONDS, timer);
        var ended = assertTimeoutPreemptively(Duration.ofSeconds(30), () -> context.call(() -> assertThrows(
                StatusRuntimeException.class, () -> patient.getGame(GetGameRequest.getDefaultInstance()))));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, ended.getStatus().getCode());
        timer.shutdown();
    }

    /** The second attempt is held up where it has been made and has not started. */
    @Test
    void anAttemptThatIsCancelledWhileItStartsEndsTheCall() throws InterruptedException {
        fake.game = lost();
        AtomicInteger started = new AtomicInteger();
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        ClientInterceptor slow = new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(
                    MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
                return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                    @Override
                    public void start(Listener<A> listener, Metadata headers) {
                        if (started.incrementAndGet() == 2) {
                            starting.countDown();
                            try {
                                cancelled.await();
                            } catch (InterruptedException interruption) {
                                throw new AssertionError(interruption);
                            }
                        }
                        super.start(listener, headers);
                    }
                };
            }
        };
        Life life = new Life();
        var channel = ClientInterceptors.intercept(
                ClientInterceptors.intercept(fake.channel(), slow),
                new Calls(new Token(""), "", Duration.ofHours(1), life));
        Context.CancellableContext context = Context.current().withCancellation();
        Thread caller = new Thread(in(context, () -> assertThrows(
                StatusRuntimeException.class,
                () -> CluedoServiceGrpc.newBlockingStub(channel).getGame(GetGameRequest.getDefaultInstance()))));
        caller.start();
        starting.await();
        context.cancel(null);
        cancelled.countDown();
        caller.join(Duration.ofSeconds(30).toMillis());
        assertFalse(caller.isAlive());
        life.end();
    }
}
