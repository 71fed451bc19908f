package example.whitehall.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Which calls may be repeated, and after how long. */
final class Repeating {
    /** How long the first attempt at a change may take: it is known to be safe, and seldom takes long. */
    private static final Duration FIRST_ATTEMPT = Duration.ofSeconds(3);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private Repeating() {}

    /** The request with an id by which the service knows it again, where it may bear one and bears none. */
    @SuppressWarnings("unchecked")
    static <Q> Q identified(Q request) {
        if (request instanceof Message message && !isIdentified(message)) {
            FieldDescriptor field = requestId(message);
            if (field != null) {
                return (Q) message.toBuilder()
                        .setField(field, UUID.randomUUID().toString())
                        .build();
            }
        }
        return request;
    }

    /** Whether the service knows the request again. */
    static boolean isIdentified(Object request) {
        if (!(request instanceof Message message)) {
            return false;
        }
        FieldDescriptor field = requestId(message);
        return field != null && !message.getField(field).equals("");
    }

    private static FieldDescriptor requestId(Message message) {
        return message.getDescriptorForType().findFieldByName("request_id");
    }

    /** Whether a call changes nothing, or nothing more the second time: the contract says so of each method. */
    static boolean isHarmless(MethodDescriptor<?, ?> method) {
        return method.isSafe() || method.isIdempotent();
    }

    /**
     * How long an attempt at a change, the first being 1, may take: each twice as long as the one before, so that a service
     * which takes its time for once comes to answer.
     */
    static Duration attempt(int attempt) {
        return FIRST_ATTEMPT.multipliedBy(1L << Math.min(attempt - 1, 10));
    }

    /**
     * The time before a repetition, the first being 1: what the service asks for, else at random below a bound that doubles,
     * so that many clients don't come back all at once.
     */
    static Duration pause(int attempt, CallException failure) {
        long bound = Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << Math.min(attempt, 10));
        Duration grown = Duration.ofNanos(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2));
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        return asked.compareTo(grown) > 0 ? asked : grown;
    }
}
