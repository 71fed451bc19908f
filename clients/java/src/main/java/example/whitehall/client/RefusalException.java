package example.whitehall.client;

/** The service's refusal, which has changed nothing. */
public sealed class RefusalException extends CallException {
    RefusalException(Said said, Throwable cause) {
        super(said, cause);
    }

    /** The id of the rule that speaks against it, such as {@code SY-MOVE-04}; empty where none does. */
    public final String rule() {
        return metadata().getOrDefault("rule", "");
    }

    /** A rule of the game forbids the move: {@link #rule}. */
    public static final class IllegalMove extends RefusalException {
        IllegalMove(Said said, Throwable cause) {
            super(said, cause);
        }
    }

    /** The game has moved on from the expected revision. */
    public static final class StaleRevision extends RefusalException {
        StaleRevision(Said said, Throwable cause) {
            super(said, cause);
        }

        /** The game's revision now; 0 where the service did not say. */
        public int revision() {
            return Integer.parseInt(metadata().getOrDefault("revision", "0"));
        }
    }

    /** A field has a value that it may not have: {@link #fields}. */
    public static final class InvalidRequest extends RefusalException {
        InvalidRequest(Said said, Throwable cause) {
            super(said, cause);
        }
    }

    /** There is no token, a wrong or outdated one, or one that is not meant for this. */
    public static final class NotAllowed extends RefusalException {
        NotAllowed(Said said, Throwable cause) {
            super(said, cause);
        }
    }

    /** There is no such game, or nothing in the catalog by that name. */
    public static final class NotFound extends RefusalException {
        NotFound(Said said, Throwable cause) {
            super(said, cause);
        }
    }

    /** Too much is asked at the same time, or too large a thing: {@link #retryAfter}. */
    public static final class Overloaded extends RefusalException {
        Overloaded(Said said, Throwable cause) {
            super(said, cause);
        }
    }
}
