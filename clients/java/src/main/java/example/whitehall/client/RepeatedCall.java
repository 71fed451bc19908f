package example.whitehall.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A call with one question and one answer that is made again, as it was, where no answer came and that is safe: whoever
 * waits sees one call. It has a deadline, within which all of that happens.
 */
final class RepeatedCall<Q, A> extends ClientCall<Q, A> {
    /** How long an attempt at a change may take before it is made again: it is known to be safe, and never takes long. */
    private static final long ATTEMPT_SECONDS = 3;

    private final Channel channel;
    private final MethodDescriptor<Q, A> method;
    private final CallOptions options;
    private final Deadline deadline;
    private final ScheduledExecutorService timer;

    private Listener<A> listener;
    private Metadata headers;
    private Q request;

    // What follows is guarded by this.
    private ClientCall<Q, A> attempt;
    private ScheduledFuture<?> pause;
    private int attempts;
    private boolean isOver;

    /** The options have a deadline. */
    RepeatedCall(Channel channel, MethodDescriptor<Q, A> method, CallOptions options, ScheduledExecutorService timer) {
        this.channel = channel;
        this.method = method;
        this.options = options;
        this.deadline = options.getDeadline();
        this.timer = timer;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
        this.listener = listener;
        this.headers = headers;
    }

    @Override
    public void sendMessage(Q message) {
        request = Repeating.identified(message);
    }

    @Override
    public void halfClose() {
        tryOnce();
    }

    /** Each attempt asks for its answer by itself: there is only one. */
    @Override
    public void request(int messages) {}

    @Override
    public void cancel(String message, Throwable cause) {
        ClientCall<Q, A> running;
        boolean isResting;
        synchronized (this) {
            isOver = true;
            running = attempt;
            isResting = pause != null && pause.cancel(false);
        }
        if (isResting || running == null) {
            Status cancelled = Status.CANCELLED.withDescription(message).withCause(cause);
            Executor executor = options.getExecutor() == null ? Runnable::run : options.getExecutor();
            executor.execute(() -> listener.onClose(cancelled, new Metadata()));
        } else {
            running.cancel(message, cause);
        }
    }

    private void tryOnce() {
        ClientCall<Q, A> call;
        synchronized (this) {
            if (isOver) {
                return;
            }
            call = channel.newCall(method, Repeating.isIdentified(request) ? brief() : options);
            attempt = call;
            pause = null;
            attempts++;
        }
        Metadata copy = new Metadata();
        copy.merge(headers);
        call.start(new Attempt(), copy);
        call.request(2); // an answer, and one that must not come: gRPC finds it out
        call.sendMessage(request);
        call.halfClose();
    }

    private CallOptions brief() {
        return options.withDeadline(deadline.minimum(Deadline.after(ATTEMPT_SECONDS, TimeUnit.SECONDS)));
    }

    /** Whether another attempt is going to be made. */
    private synchronized boolean isRepeated(Status status, Metadata trailers) {
        boolean isSafe = Repeating.isIdentified(request) || Repeating.isHarmless(method);
        if (status.isOk() || isOver || !isSafe) {
            return false;
        }
        CallException failure = CallException.of(status, trailers, null);
        if (!failure.isTemporary()) {
            return false;
        }
        Duration rest = Repeating.pause(attempts, failure);
        if (rest.toNanos() >= deadline.timeRemaining(TimeUnit.NANOSECONDS)) {
            return false;
        }
        pause = timer.schedule(this::tryOnce, rest.toNanos(), TimeUnit.NANOSECONDS);
        return true;
    }

    /** Tells the listener of the attempt that is the last one. */
    private final class Attempt extends Listener<A> {
        private Metadata heading;
        private A answer;

        @Override
        public void onHeaders(Metadata received) {
            heading = received;
        }

        @Override
        public void onMessage(A message) {
            answer = message;
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (isRepeated(status, trailers)) {
                return;
            }
            synchronized (RepeatedCall.this) {
                isOver = true;
            }
            if (heading != null) {
                listener.onHeaders(heading);
            }
            if (answer != null) {
                listener.onMessage(answer);
            }
            listener.onClose(status, trailers);
        }
    }
}
