package example.whitehall.client;

/**
 * No answer came in time, or nobody was there to give one. A change may have been made all the same: ask with the same
 * request id, or read the game.
 */
public final class UnansweredException extends CallException {
    UnansweredException(Said said, Throwable cause) {
        super(said, cause);
    }
}
