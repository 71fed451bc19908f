package example.whitehall.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What every call gets: a token, a language, and where it has one question and one answer, a deadline and repetitions. */
final class Calls implements ClientInterceptor {
    /** The token that a call bears. */
    static final CallOptions.Key<Token> TOKEN = CallOptions.Key.create("whitehall.token");

    private static final Metadata.Key<String> AUTHORIZATION = header("authorization");
    private static final Metadata.Key<String> LANGUAGE = header("accept-language");

    private final Token operator;
    private final String language;
    private final Duration timeout;
    private final Life life;

    Calls(Token operator, String language, Duration timeout, Life life) {
        this.operator = operator;
        this.language = language;
        this.timeout = timeout;
        this.life = life;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        Token borne = options.getOption(TOKEN);
        Token token = borne == null ? operator : borne;
        return new SimpleForwardingClientCall<>(call(method, options, next)) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                put(headers, AUTHORIZATION, token.reveal().isEmpty() ? "" : "Bearer " + token.reveal());
                put(headers, LANGUAGE, language);
                super.start(listener, headers);
            }
        };
    }

    private <Q, A> ClientCall<Q, A> call(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        if (life.isOver()) {
            return new ClosedCall<>();
        }
        if (method.getType() != MethodDescriptor.MethodType.UNARY) {
            return next.newCall(method, options);
        }
        Deadline own = options.getDeadline();
        Deadline around = Context.current().getDeadline();
        CallOptions bounded;
        if (own != null && around != null) {
            bounded = options.withDeadline(own.minimum(around));
        } else if (own == null && around == null) {
            bounded = options.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            bounded = options.withDeadline(own == null ? around : own);
        }
        return new RepeatedCall<>(next, method, bounded, life);
    }

    private static void put(Metadata headers, Metadata.Key<String> key, String value) {
        if (!value.isEmpty() && !headers.containsKey(key)) {
            headers.put(key, value);
        }
    }

    private static Metadata.Key<String> header(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
