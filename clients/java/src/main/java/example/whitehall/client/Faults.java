package example.whitehall.client;

import java.util.Arrays;
import java.util.Locale;

/** Faults of the caller's own, which are told at once: no call could mend them, and no secret is repeated. */
final class Faults {
    private Faults() {}

    /** The target, which is none of HTTP, alone or among several addresses. */
    static String checkedTarget(String target) {
        boolean isUrl = Arrays.stream(target.toLowerCase(Locale.ROOT).split(","))
                .map(String::strip)
                .anyMatch(address -> address.startsWith("http://") || address.startsWith("https://"));
        if (isUrl) {
            throw new IllegalArgumentException("A target is the host:port of gRPC, such as localhost:50051, without http:// or"
                    + " https:// before it. The service speaks HTTP at another port, and TLS is asked for by tls().");
        }
        return target;
    }

    /** The token, which may be sent in a header. */
    static String checkedToken(String secret) {
        return checked(
                secret,
                '!',
                "A token has characters that tokens don't have. Is it whole, and without spaces and line breaks?");
    }

    /** An operator's key, which has both of its parts and may be sent in a header. */
    static String checkedKey(String key) {
        String fault = "An operator's key has two parts with a colon between them, of characters that keys have. Is it whole,"
                + " and without spaces and line breaks?";
        int colon = key.indexOf(':');
        if (colon < 1 || colon == key.length() - 1) {
            throw new IllegalArgumentException(fault);
        }
        return checked(key, '!', fault);
    }

    /** The language, which may be sent in a header. */
    static String checkedLanguage(String language) {
        return checked(language, ' ', "The language has characters that languages don't have. It is en or fr, say.");
    }

    /** What has printed characters of ASCII alone, from the first one that may be. */
    private static String checked(String text, char first, String fault) {
        if (text.chars().allMatch(letter -> letter >= first && letter <= '~')) {
            return text;
        }
        throw new IllegalArgumentException(fault);
    }
}
