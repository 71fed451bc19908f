package example.whitehall.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import example.whitehall.cluedo.v1.Revision;
import example.whitehall.cluedo.v1.Update;
import example.whitehall.cluedo.v1.WatchGameResponse;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Tests of a client of a service that answers as each of them wishes. What fails in any thread fails the test. */
@Timeout(60)
abstract class FakeServed {
    FakeService fake;
    Whitehall service;
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() throws IOException {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        fake = new FakeService();
    }

    @AfterEach
    void stop() {
        if (service != null) {
            service.close();
        }
        fake.close();
        Thread.setDefaultUncaughtExceptionHandler(null);
        assertEquals(List.of(), List.copyOf(failures));
    }

    Cluedo.Seat seat() {
        return seat(UnaryOperator.identity());
    }

    Cluedo.Seat seat(UnaryOperator<Whitehall.Builder> how) {
        service = fake.connect(how);
        return service.cluedo().seat("game", new Token("wh_seat_0_x"));
    }

    static WatchGameResponse news(int revision) {
        return WatchGameResponse.newBuilder()
                .setUpdate(Update.newBuilder()
                        .setRevision(Revision.newBuilder().setRevision(revision).setCursor("after " + revision)))
                .build();
    }
}
