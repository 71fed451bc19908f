package example.whitehall.client;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.AbstractStub;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** From when a connection is made until somebody closes it: what is done later, and who hears of its end. */
final class Life {
    /** What calls and streams end with when their connection is closed. */
    static final Status CLOSED = Status.CANCELLED.withDescription("The connection has been closed.");

    private static final CallOptions.Key<Life> OPTION = CallOptions.Key.create("whitehall.life");

    private final Context.CancellableContext context = Context.ROOT.withCancellation();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "whitehall-client");
        thread.setDaemon(true);
        return thread;
    });

    /** A generated client that knows of this life. */
    <S extends AbstractStub<S>> S lived(S stub) {
        return stub.withOption(OPTION, this);
    }

    /** The life that a generated client knows of. */
    static Life of(AbstractStub<?> stub) {
        return stub.getCallOptions().getOption(OPTION);
    }

    /** Does something again and again, that long after the last time. */
    void always(Runnable task, Duration pause) {
        timer.scheduleWithFixedDelay(task, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Does something once, unless the end comes before; null where that has come. */
    ScheduledFuture<?> later(Runnable task, Duration pause) {
        try {
            return timer.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return null;
        }
    }

    boolean isOver() {
        return context.isCancelled();
    }

    /** Calls it at the end, and at once where that has come. */
    void addListener(Context.CancellationListener listener) {
        context.addListener(listener, Runnable::run);
    }

    void removeListener(Context.CancellationListener listener) {
        context.removeListener(listener);
    }

    void end() {
        timer.shutdownNow();
        context.cancel(null);
    }
}
