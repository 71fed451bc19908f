package example.whitehall.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * A call with one question and one answer that is made again, as it was, where no answer came and that is safe: whoever
 * waits sees one call. It has a deadline, within which all of that happens.
 */
final class RepeatedCall<Q, A> extends ClientCall<Q, A> {
    private final Channel channel;
    private final MethodDescriptor<Q, A> method;
    private final CallOptions options;
    private final Deadline deadline;
    private final Life life;
    /** The caller's: its end is the end of the call, and every attempt is made in it. */
    private final Context context = Context.current();

    private final Context.CancellationListener onEnd = ended -> end(Contexts.statusFromCancelled(ended));
    private final Context.CancellationListener onClose = closed -> end(Life.CLOSED);

    private Listener<A> listener;
    private Metadata headers;
    private Q request;

    // What follows is guarded by this.
    /** The attempt that has started and not closed: only that can be cancelled. */
    private ClientCall<Q, A> attempt;

    private boolean isStarting;
    private ScheduledFuture<?> pause;
    private int attempts;

    /** Why the call ended before its time. */
    private Status ending;

    private boolean isOver;

    /** The options have a deadline. */
    RepeatedCall(Channel channel, MethodDescriptor<Q, A> method, CallOptions options, Life life) {
        this.channel = channel;
        this.method = method;
        this.options = options;
        this.deadline = options.getDeadline();
        this.life = life;
    }

    @Override
    public void start(Listener<A> listener, Metadata headers) {
        this.listener = listener;
        this.headers = headers;
        context.addListener(onEnd, Runnable::run);
        life.addListener(onClose);
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
        end(Status.CANCELLED.withDescription(message).withCause(cause));
    }

    /** Ends the call before its time, whether an attempt is under way, about to start, or waited for. */
    private void end(Status why) {
        ClientCall<Q, A> running;
        synchronized (this) {
            if (isOver || ending != null) {
                return;
            }
            ending = why;
            running = attempt;
            if (pause != null) {
                pause.cancel(false);
            }
            if (running == null && isStarting) {
                return; // whoever starts it cancels it then
            }
        }
        if (running != null) {
            running.cancel(why.getDescription(), why.getCause());
        } else if (listener != null) {
            Executor executor = options.getExecutor() == null ? Runnable::run : options.getExecutor();
            executor.execute(() -> close(why, new Metadata()));
        }
    }

    private void tryOnce() {
        Duration allowed;
        synchronized (this) {
            if (isOver || ending != null) {
                return;
            }
            isStarting = true;
            pause = null;
            attempts++;
            allowed = Repeating.attempt(attempts);
        }
        ClientCall<Q, A> call = channel.newCall(method, Repeating.isIdentified(request) ? within(allowed) : options);
        Metadata copy = new Metadata();
        copy.merge(headers);
        Attempt heard = new Attempt();
        call.start(heard, copy);
        Status why;
        synchronized (this) {
            isStarting = false;
            attempt = heard.isClosed ? attempt : call;
            why = ending;
        }
        if (why != null) {
            call.cancel(why.getDescription(), why.getCause());
            return;
        }
        call.request(2); // an answer, and one that must not come: gRPC finds it out
        call.sendMessage(request);
        call.halfClose();
    }

    /** An attempt that is not the first: nobody is there to whom it could throw. */
    private void repeat() {
        try {
            context.run(this::tryOnce);
        } catch (RuntimeException failure) {
            close(Status.fromThrowable(failure), new Metadata());
        }
    }

    /** Tells the listener that the call is over, unless it knows. */
    private void close(Status status, Metadata trailers) {
        if (isMine()) {
            conclude(status, trailers);
        }
    }

    /** Whether the end is still to be told; whoever hears so tells it. */
    private synchronized boolean isMine() {
        boolean isFirst = !isOver;
        isOver = true;
        return isFirst;
    }

    private void conclude(Status status, Metadata trailers) {
        context.removeListener(onEnd);
        life.removeListener(onClose);
        listener.onClose(status, trailers);
    }

    private CallOptions within(Duration allowed) {
        return options.withDeadline(deadline.minimum(Deadline.after(allowed.toNanos(), TimeUnit.NANOSECONDS)));
    }

    /** Whether another attempt is going to be made. */
    private synchronized boolean isRepeated(Status status, Metadata trailers) {
        attempt = null;
        boolean isSafe = Repeating.isIdentified(request) || Repeating.isHarmless(method);
        if (status.isOk() || isOver || ending != null || context.isCancelled() || !isSafe) {
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
        pause = life.later(this::repeat, rest);
        return pause != null;
    }

    /** Tells the listener of the attempt that is the last one. */
    private final class Attempt extends Listener<A> {
        private Metadata heading;
        private A answer;
        /** Guarded by the call. */
        private boolean isClosed;

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
            Status why;
            synchronized (RepeatedCall.this) {
                isClosed = true;
                why = ending;
            }
            if (isRepeated(status, trailers) || !isMine()) {
                return;
            }
            if (heading != null) {
                listener.onHeaders(heading);
            }
            if (answer != null) {
                listener.onMessage(answer);
            }
            conclude(why != null && !status.isOk() ? why : status, trailers);
        }
    }
}
