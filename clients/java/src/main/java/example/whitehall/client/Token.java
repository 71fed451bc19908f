package example.whitehall.client;

import java.util.Objects;

/** A password. It stays out of what is printed: ask for it by {@link #reveal}. */
public final class Token {
    private final String secret;

    /** A token that was kept. Throws {@link IllegalArgumentException} where it has characters that tokens don't have. */
    public Token(String secret) {
        this.secret = Faults.checkedToken(Objects.requireNonNull(secret));
    }

    /** The password itself, to be kept. Empty where there is none, as that of spectators who are not allowed. */
    public String reveal() {
        return secret;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Token token && token.secret.equals(secret);
    }

    @Override
    public int hashCode() {
        return secret.hashCode();
    }

    @Override
    public String toString() {
        return "(a token)";
    }
}
