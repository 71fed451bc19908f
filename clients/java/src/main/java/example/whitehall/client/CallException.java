package example.whitehall.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A call that failed: refused by the service ({@link RefusalException}), or without an answer
 * ({@link UnansweredException}).
 */
public abstract sealed class CallException extends RuntimeException permits RefusalException, UnansweredException {
    /**
     * What gRPC says, beside what is unanswered anyway, when a connection has broken on the way: the service itself always
     * tells a reason.
     */
    private static final Set<Status.Code> BROKEN = Set.of(Status.Code.UNKNOWN, Status.Code.INTERNAL, Status.Code.DATA_LOSS);

    private static final Set<String> TEMPORARY = Set.of("TOO_MANY_CALLS", "TOO_MANY_STREAMS");

    private final transient Said said;

    CallException(Said said, Throwable cause) {
        super(said.sentence + " [" + (said.reason.isEmpty() ? said.code.name() : said.reason) + "]", cause);
        this.said = said;
    }

    /** What gRPC threw, for generated clients over {@link Whitehall#channel}. */
    public static CallException of(StatusRuntimeException error) {
        return of(error.getStatus(), error.getTrailers(), error);
    }

    static CallException of(Status status, Metadata trailers, Throwable cause) {
        Said said = new Said(status, trailers);
        if (said.reason.equals("ILLEGAL_MOVE")) {
            return new RefusalException.IllegalMove(said, cause);
        }
        if (said.reason.isEmpty() && BROKEN.contains(said.code)) {
            return new UnansweredException(said, cause);
        }
        return switch (said.code) {
            case UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED -> new UnansweredException(said, cause);
            case ABORTED -> new RefusalException.StaleRevision(said, cause);
            case INVALID_ARGUMENT -> new RefusalException.InvalidRequest(said, cause);
            case UNAUTHENTICATED, PERMISSION_DENIED -> new RefusalException.NotAllowed(said, cause);
            case NOT_FOUND -> new RefusalException.NotFound(said, cause);
            case RESOURCE_EXHAUSTED -> new RefusalException.Overloaded(said, cause);
            default -> new RefusalException(said, cause);
        };
    }

    /** What is to be told to people, in their language. */
    public final String sentence() {
        return said.sentence;
    }

    /** The code of gRPC. */
    public final Status.Code code() {
        return said.code;
    }

    /**
     * A name of {@code whitehall.common.v1.ErrorReason} without its prefix, such as {@code ILLEGAL_MOVE}; empty where gRPC
     * itself ended the call.
     */
    public final String reason() {
        return said.reason;
    }

    /** The circumstances, by name: see each reason's example in {@code whitehall/common/v1/reason.proto}. */
    public final Map<String, String> metadata() {
        return said.metadata;
    }

    /** What is wrong with the request, by the path of the field. */
    public final Map<String, String> fields() {
        return said.fields;
    }

    /** After how long the call may be tried again, where the service said so. */
    public final Optional<Duration> retryAfter() {
        return Optional.ofNullable(said.retryAfter);
    }

    /** Whether the very same call may succeed later, as soon as a process or a connection has come back. */
    public final boolean isTemporary() {
        return this instanceof UnansweredException || TEMPORARY.contains(said.reason);
    }

    /** What a status and its details say. */
    static final class Said {
        final Status.Code code;
        final String sentence;
        final Map<String, String> fields = new HashMap<>();
        String reason = "";
        Map<String, String> metadata = Map.of();
        Duration retryAfter;

        Said(Status status, Metadata trailers) {
            code = status.getCode();
            sentence = sentence(status);
            com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
            for (Any detail : details.getDetailsList()) {
                try {
                    read(detail);
                } catch (InvalidProtocolBufferException unreadable) {
                    // A detail of somebody's between us and the service: the code and the sentence hold all the same.
                    continue;
                }
            }
        }

        /** What gRPC itself has to tell, such as `io exception`, its cause often tells better. */
        private static String sentence(Status status) {
            String said = status.getDescription() == null ? status.getCode().name() : status.getDescription();
            Throwable cause = status.getCause();
            return cause == null || cause.getMessage() == null ? said : said + ": " + cause.getMessage();
        }

        private void read(Any detail) throws InvalidProtocolBufferException {
            if (detail.is(ErrorInfo.class)) {
                ErrorInfo info = detail.unpack(ErrorInfo.class);
                reason = info.getReason();
                metadata = Map.copyOf(info.getMetadataMap());
            } else if (detail.is(RetryInfo.class)) {
                var delay = detail.unpack(RetryInfo.class).getRetryDelay();
                retryAfter = Duration.ofSeconds(delay.getSeconds(), delay.getNanos());
            } else if (detail.is(BadRequest.class)) {
                for (var violation : detail.unpack(BadRequest.class).getFieldViolationsList()) {
                    fields.put(violation.getField(), violation.getDescription());
                }
            }
        }
    }
}
