package example.whitehall.client;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** What no call could mend is refused at once, and no secret is told with it. */
@Timeout(60)
final class FaultsTest {
    private static final List<String> UNFIT =
            List.of("secret\n", "secret\nsecret", "secret secret", "secret\u20ac", "secret\u00e9", "secret\0");

    private static void isRefused(String what, Executable task) {
        String said = assertThrows(IllegalArgumentException.class, task).toString();
        assertTrue(said.contains(what), said);
        assertFalse(said.contains("secret"), said);
    }

    @Test
    void aTargetThatIsAUrlIsRefusedWithAHint() {
        for (String target : List.of(
                "http://localhost:8080", "https://localhost", "HTTP://localhost:1", "localhost:50051, http://localhost:1")) {
            isRefused("host:port", () -> Whitehall.connect(target));
        }
        for (String target : List.of("localhost:50051", "dns:///localhost:50051", "a:1,b:2")) {
            Whitehall.connect(target).close();
        }
    }

    @Test
    void aTokenThatNoHeaderCanBearIsRefusedAndNotTold() {
        for (String token : UNFIT) {
            isRefused("token", () -> new Token(token));
        }
    }

    @Test
    void aKeyThatIsNoneAndALanguageThatNoHeaderCanBearAreRefusedAndNotTold() {
        Whitehall.Builder builder = Whitehall.builder("localhost:1");
        for (String key : List.of("", ":", "me", "me:", ":secret")) {
            isRefused("operator's key", () -> builder.operatorKey(key));
        }
        for (String text : UNFIT) {
            isRefused("operator's key", () -> builder.operatorKey("me:" + text));
        }
        isRefused("language", () -> builder.language("fr\n"));
        isRefused("language", () -> builder.language("fran\u00e7ais"));
        builder.language("fr-CH, fr;q=0.9").operatorKey("me:so:fit").build().close();
    }
}
