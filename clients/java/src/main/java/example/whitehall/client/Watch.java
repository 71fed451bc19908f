package example.whitehall.client;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/**
 * What a stream of a game tells, through any number of broken connections: each revision once and in order. It waits for
 * news; {@link #close}, from whichever thread, ends it. One thread reads it, once.
 *
 * <p>It ends when the game is over. It throws {@link CallException} where the token has been replaced or the game was
 * deleted, where the service could not be reached for a minute, and where the connection is closed or the reader's
 * {@link Context} ends; then nothing follows.
 */
public final class Watch<N> implements Iterable<N>, Iterator<N>, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Life life;
    private final Function<String, Iterator<N>> open;
    private final Function<N, Part> read;
    private final Object closing = new Object();

    private String cursor;
    private N next;
    private Iterator<N> stream;
    private int failures;
    private long failingSince;
    private Context.CancellableContext context;
    private boolean isOver;

    /** What one message of a stream is: an update with its cursor, the wish to connect again, or nothing. */
    record Part(boolean isUpdate, String cursor, boolean isReconnect) {
        static final Part HEARTBEAT = new Part(false, "", false);
        static final Part RECONNECT = new Part(false, "", true);

        static Part update(String cursor) {
            return new Part(true, cursor, false);
        }
    }

    Watch(Life life, String cursor, Function<String, Iterator<N>> open, Function<N, Part> read) {
        this.life = life;
        this.cursor = cursor;
        this.open = open;
        this.read = read;
    }

    @Override
    public Iterator<N> iterator() {
        return this;
    }

    /** Waits for news; false when there will be none. */
    @Override
    public boolean hasNext() {
        while (next == null && !isOver()) {
            try {
                readOnce();
            } catch (StatusRuntimeException error) {
                rest(CallException.of(error));
            }
        }
        return next != null;
    }

    @Override
    public N next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        N news = next;
        next = null;
        return news;
    }

    @Override
    public void close() {
        synchronized (closing) {
            isOver = true;
            if (context != null) {
                context.cancel(null);
            }
            closing.notifyAll();
        }
    }

    private boolean isOver() {
        synchronized (closing) {
            return isOver;
        }
    }

    /** Reads one message, of a new stream where there is none. */
    private void readOnce() {
        if (stream == null) {
            Context.CancellableContext fresh;
            synchronized (closing) {
                if (isOver) {
                    return;
                }
                fresh = Context.current().withCancellation();
                context = fresh;
            }
            Context outer = fresh.attach();
            try {
                stream = open.apply(cursor);
            } finally {
                fresh.detach(outer);
            }
        }
        if (!stream.hasNext()) {
            close();
            return;
        }
        N news = stream.next();
        failures = 0;
        Part part = read.apply(news);
        if (part.isUpdate()) {
            cursor = part.cursor();
            next = news;
        } else if (part.isReconnect()) {
            leave();
        }
    }

    private void leave() {
        synchronized (closing) {
            context.cancel(null);
        }
        stream = null;
    }

    /** Waits before the next stream; throws where there should be none. */
    private void rest(CallException failure) {
        leave();
        if (isOver()) {
            return;
        }
        long now = System.nanoTime();
        failingSince = failures == 0 ? now : failingSince;
        failures++;
        if (!failure.isTemporary() || now - failingSince > PATIENCE.toNanos()) {
            close();
            throw failure;
        }
        Context reader = Context.current();
        throwIfEnded(reader, failure);
        Context.CancellationListener waking = ended -> wake();
        reader.addListener(waking, Runnable::run);
        life.addListener(waking);
        long until = now + Repeating.pause(failures, failure).toNanos();
        try {
            synchronized (closing) {
                long left = until - now;
                while (left > 0 && !isOver && !life.isOver() && !reader.isCancelled()) {
                    closing.wait(left / 1_000_000, (int) (left % 1_000_000));
                    left = until - System.nanoTime();
                }
            }
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
        } finally {
            reader.removeListener(waking);
            life.removeListener(waking);
        }
        throwIfEnded(reader, failure);
    }

    /** Tells what has ended the watch before its time, rather than what had failed before that. */
    private void throwIfEnded(Context reader, CallException failure) {
        Status ended;
        if (life.isOver()) {
            ended = Life.CLOSED;
        } else if (reader.isCancelled()) {
            ended = Contexts.statusFromCancelled(reader);
        } else if (Thread.currentThread().isInterrupted()) {
            ended = Status.CANCELLED.withDescription("The thread has been interrupted.");
        } else {
            return;
        }
        close();
        throw CallException.of(ended, null, failure);
    }

    private void wake() {
        synchronized (closing) {
            closing.notifyAll();
        }
    }
}
