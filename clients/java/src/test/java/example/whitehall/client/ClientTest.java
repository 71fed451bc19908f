package example.whitehall.client;

import static example.whitehall.client.FakeService.lost;
import static example.whitehall.client.FakeService.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.whitehall.cluedo.v1.CluedoServiceGrpc;
import example.whitehall.cluedo.v1.GetGameRequest;
import example.whitehall.cluedo.v1.Heartbeat;
import example.whitehall.cluedo.v1.PlayMoveRequest;
import example.whitehall.cluedo.v1.PlayMoveResponse;
import example.whitehall.cluedo.v1.Reconnect;
import example.whitehall.cluedo.v1.WatchGameResponse;
import example.whitehall.common.v1.SeatInvitation;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the client does by itself, against a service that answers as each test wishes. */
final class ClientTest extends FakeServed {
    @Test
    void aChangeWhoseAnswerWasLostIsSentAgainAsItWas() {
        fake.play = attempt -> attempt < 3 ? lost() : PlayMoveResponse.newBuilder().setReplayed(true).build();
        assertTrue(seat().play("roll").getReplayed());
        String first = fake.requests.get(0).getRequestId();
        assertEquals(4, UUID.fromString(first).version());
        assertEquals(
                List.of(first, first, first),
                fake.requests.stream().map(PlayMoveRequest::getRequestId).toList());
    }

    /** The service itself would tell a reason. So it has not refused, and nobody knows whether the move was made. */
    @Test
    void whatBreaksOnTheWayWithoutAReasonIsTriedAgain() {
        for (Status broken : List.of(Status.INTERNAL, Status.UNKNOWN, Status.DATA_LOSS)) {
            fake.requests.clear();
            fake.play = attempt -> attempt < 3 ? broken.asRuntimeException() : PlayMoveResponse.getDefaultInstance();
            seat().play("roll");
            assertEquals(3, fake.requests.size());
            assertInstanceOf(UnansweredException.class, CallException.of(broken.asRuntimeException()));
        }
        var fault = CallException.of(refusal(Status.Code.INTERNAL.value(), "INTERNAL_FAULT", Map.of()));
        assertInstanceOf(RefusalException.class, fault);
        assertFalse(fault.isTemporary());
    }

    @Test
    void anAttemptThatIsNotAnsweredIsMadeAgain() {
        fake.play = attempt -> attempt < 2 ? null : PlayMoveResponse.getDefaultInstance();
        seat().play("roll");
        assertEquals(2, fake.requests.size());
    }

    /** A machine with too much to do may need seconds. Were each attempt as short as the first, none would be answered. */
    @Test
    void aServiceThatTakesItsTimeIsGivenMoreAtEachAttempt() {
        List<Long> allowed = new ArrayList<>();
        fake.play = attempt -> {
            allowed.add(Context.current().getDeadline().timeRemaining(TimeUnit.MILLISECONDS));
            return attempt < 3 ? lost() : PlayMoveResponse.getDefaultInstance();
        };
        seat(how -> how.timeout(Duration.ofMinutes(10))).play("roll");
        assertEquals(3, allowed.size());
        // On a busy machine the first ones may be over before they have come.
        assertTrue(allowed.get(0) <= 60_000, allowed.toString());
        assertEquals(allowed.stream().sorted().distinct().toList(), allowed);
    }

    @Test
    void anIdOfTheCallersOwnIsKept() {
        seat().play(PlayMoveRequest.newBuilder().setRequestId("mine").build());
        assertEquals("mine", fake.requests.get(0).getRequestId());
        assertEquals("game", fake.requests.get(0).getGameId());
    }

    @Test
    void aRefusalIsTypedAndNotAskedForTwice() {
        fake.play = attempt -> refusal(9, "ILLEGAL_MOVE", Map.of("rule", "CL-MOVE-01"));
        Cluedo.Seat seat = seat();
        var refused = assertThrows(RefusalException.IllegalMove.class, () -> seat.play("walk 7,4"));
        assertEquals("CL-MOVE-01", refused.rule());
        assertEquals("a sentence", refused.sentence());
        assertEquals(Status.Code.FAILED_PRECONDITION, refused.code());
        assertFalse(refused.isTemporary());
        assertEquals(1, fake.requests.size());
    }

    @Test
    void everyKindOfRefusalIsTold() {
        Map<String, Class<? extends RefusalException>> kinds = Map.of(
                "10 STALE_REVISION", RefusalException.StaleRevision.class,
                "3 INVALID_FIELD", RefusalException.InvalidRequest.class,
                "16 TOKEN_REPLACED", RefusalException.NotAllowed.class,
                "7 NOT_YOUR_SEAT", RefusalException.NotAllowed.class,
                "5 GAME_NOT_FOUND", RefusalException.NotFound.class,
                "8 REQUEST_TOO_LARGE", RefusalException.Overloaded.class);
        Cluedo.Seat seat = seat();
        kinds.forEach((said, kind) -> {
            String[] parts = said.split(" ");
            fake.game = refusal(Integer.parseInt(parts[0]), parts[1], Map.of("revision", "12"));
            var refused = assertThrows(RefusalException.class, seat::game);
            assertInstanceOf(kind, refused);
            assertEquals(parts[1], refused.reason());
            if (refused instanceof RefusalException.StaleRevision stale) {
                assertEquals(12, stale.revision());
            }
        });
    }

    @Test
    void theTimeOfACallIsKept() {
        fake.game = null;
        Cluedo.Seat seat = seat(how -> how.timeout(Duration.ofMillis(100)));
        assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> assertThrows(UnansweredException.class, seat::game));
    }

    @Test
    void whereGrpcHasLittleToTellItsCauseIsTold() {
        Status failed = Status.UNAVAILABLE.withDescription("io exception").withCause(new IOException("refused: localhost"));
        assertEquals("io exception: refused: localhost", CallException.of(failed.asRuntimeException()).sentence());
    }

    @Test
    void aTimeWithoutEndIsWaitedFor() {
        seat(how -> how.timeout(Duration.ofSeconds(Long.MAX_VALUE))).game();
    }

    @Test
    void callsBearTheirTokenAndTheLanguage() {
        Cluedo.Seat seat = seat(how -> how.operatorKey("me:so:secret").language("fr"));
        seat.game();
        CluedoServiceGrpc.newBlockingStub(service.channel()).getGame(GetGameRequest.getDefaultInstance());
        assertEquals("Bearer wh_seat_0_x", header(0, "authorization"));
        assertEquals("Bearer wh_operator_me_so:secret", header(1, "authorization"));
        assertEquals("fr", header(0, "accept-language"));
    }

    private String header(int call, String name) {
        return fake.borne.get(call).get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }

    @Test
    void aWatcherGoesOnFromItsCursor() {
        var alive = WatchGameResponse.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()).build();
        var again = WatchGameResponse.newBuilder().setReconnect(Reconnect.getDefaultInstance()).build();
        fake.streams.add(List.of(news(1), alive, again));
        fake.streams.add(List.of(news(2), lost()));
        fake.streams.add(List.of(lost()));
        fake.streams.add(List.of(news(3)));
        List<Integer> told = new ArrayList<>();
        for (var news : seat().watch()) {
            told.add(news.getUpdate().getRevision().getRevision());
        }
        assertEquals(List.of(1, 2, 3), told);
        assertEquals(List.of("", "after 1", "after 2", "after 2"), fake.cursors);
    }

    @Test
    void aRefusalEndsAWatcher() {
        fake.streams.add(List.of(news(1), refusal(16, "TOKEN_REPLACED", Map.of())));
        var watch = seat().watch();
        assertTrue(watch.hasNext());
        watch.next();
        assertThrows(RefusalException.NotAllowed.class, watch::hasNext);
        assertFalse(watch.hasNext());
    }

    @Test
    void closingAWatcherEndsItsWaiting() throws InterruptedException {
        for (int stream = 0; stream < 1000; stream++) {
            fake.streams.add(List.of(lost()));
        }
        var watch = seat().watch();
        Thread reader = new Thread(() -> assertFalse(watch.hasNext()));
        reader.start();
        while (fake.cursors.size() < 2) {
            Thread.onSpinWait();
        }
        watch.close();
        reader.join(Duration.ofSeconds(30).toMillis());
        assertFalse(reader.isAlive());
    }

    @Test
    void passwordsAreInNothingThatIsPrinted() {
        var invited = SeatInvitation.newBuilder().setName("S1").setToken("password3").build();
        var made = NewGame.of("game", "a game", List.of(invited), "password1", "password2");
        assertFalse(made.toString().contains("password"));
        assertEquals("password3", made.seat("S1").token().reveal());
    }
}
