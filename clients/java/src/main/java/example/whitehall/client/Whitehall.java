package example.whitehall.client;

import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.AbstractStub;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A connection to the service. It is made when it is first needed, and again whenever it is lost; threads may share it.
 *
 * <pre>{@code
 * try (Whitehall service = Whitehall.connect("localhost:50051")) {
 *     var game = service.scotlandYard().createGame(3);
 *     var mrX = service.scotlandYard().claim(game.seat("mr_x"));
 *     System.out.println(mrX.moves());
 * }
 * }</pre>
 */
public final class Whitehall implements AutoCloseable {
    /** What is taken, in bytes: most answers have a few KiB; the record of a long game may be large. */
    private static final int LARGEST_ANSWER = 64 << 20;

    /** As long as anybody waits. What clocks can't count, in nanoseconds, would be no time at all. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Life life = new Life();
    private final Connections connections;
    private final Channel channel;
    private final ScotlandYard scotlandYard;
    private final Cluedo cluedo;
    private final Catalog catalog;

    private Whitehall(Builder asked) {
        connections = new Connections(health -> asked.channel
                .apply(Grpc.newChannelBuilder(Replicas.target(asked.target), asked.credentials)
                        .defaultServiceConfig(serviceConfig(health))
                        // What may be repeated is repeated by us, who know what a request id is.
                        .disableRetry()
                        .maxInboundMessageSize(LARGEST_ANSWER)
                        // Silence is looked into every 30 seconds, calls or none: streams are silent for long.
                        .keepAliveTime(30, TimeUnit.SECONDS)
                        .keepAliveTimeout(10, TimeUnit.SECONDS)
                        .keepAliveWithoutCalls(true))
                .build());
        // A replica that comes back is found within a second. gRPC itself would wait for up to two minutes, and cannot be
        // told otherwise.
        life.always(connections::resetConnectBackoff, Duration.ofSeconds(1));
        channel = ClientInterceptors.intercept(
                connections, new Calls(asked.operator, asked.language, asked.timeout, life));
        scotlandYard = new ScotlandYard(channel, life);
        cluedo = new Cluedo(channel, life);
        catalog = new Catalog(channel);
    }

    /** The service at a target, without a key and without TLS. */
    public static Whitehall connect(String target) {
        return builder(target).build();
    }

    /**
     * How to connect to a target: {@code host:port}, any other name that gRPC resolves, or the addresses of several replicas
     * with commas between them. Throws {@link IllegalArgumentException} where it is a URL of HTTP.
     */
    public static Builder builder(String target) {
        return new Builder(target);
    }

    /** Games of Scotland Yard. */
    public ScotlandYard scotlandYard() {
        return scotlandYard;
    }

    /** Games of Cluedo. */
    public Cluedo cluedo() {
        return cluedo;
    }

    /** Presets, boards, rules, and what is running. */
    public Catalog catalog() {
        return catalog;
    }

    /**
     * What generated clients take: {@code ScotlandYardPositionServiceGrpc.newBlockingStub(service.channel())}, say. Their
     * calls get all that calls get here, but fail with what gRPC throws: {@link CallException#of} reads it.
     */
    public Channel channel() {
        return channel;
    }

    /** A generated client whose calls bear a token. */
    public static <S extends AbstractStub<S>> S bearing(S stub, Token token) {
        return stub.withOption(Calls.TOKEN, token);
    }

    /**
     * Ends the connection, with every stream and call on it: they, and whatever comes later, throw
     * {@link UnansweredException} at once.
     */
    @Override
    public void close() {
        life.end();
        connections.shutdownNow();
    }

    /**
     * Calls go round all addresses of the name, and only to replicas that say that they serve: one that is about to stop
     * gets no new calls.
     */
    private static Map<String, ?> serviceConfig(String health) {
        return Map.of(
                "loadBalancingConfig", List.of(Map.of("round_robin", Map.of())),
                "healthCheckConfig", Map.of("serviceName", health));
    }

    /** A call whose failure is typed. */
    static <A> A typed(java.util.function.Supplier<A> call) {
        try {
            return call.get();
        } catch (StatusRuntimeException error) {
            throw CallException.of(error);
        }
    }

    /** How to connect. */
    public static final class Builder {
        private final String target;
        private Token operator = new Token("");
        private String language = "";
        private Duration timeout = Duration.ofSeconds(10);
        private ChannelCredentials credentials = InsecureChannelCredentials.create();
        private UnaryOperator<ManagedChannelBuilder<?>> channel = UnaryOperator.identity();

        private Builder(String target) {
            this.target = Faults.checkedTarget(target);
        }

        /**
         * The {@code id:secret} of an operator, where the service asks for one. Throws {@link IllegalArgumentException} where
         * it is none, such as an empty one, and where no header can bear it.
         */
        public Builder operatorKey(String key) {
            operator = new Token("wh_operator_" + Faults.checkedKey(key).replaceFirst(":", "_"));
            return this;
        }

        /**
         * The language of refusals: {@code en} or {@code fr}. Throws {@link IllegalArgumentException} where no header can bear
         * it.
         */
        public Builder language(String language) {
            this.language = Faults.checkedLanguage(language);
            return this;
        }

        /**
         * How long a call may take that has no deadline, its repetitions included; ten seconds unless told, and a year where
         * more is told.
         */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
            return this;
        }

        /** Needed where the service, or a proxy before it, speaks TLS: with the system's certificates. */
        public Builder tls() {
            return tls(TlsChannelCredentials.create());
        }

        /** TLS with certificates of one's own. */
        public Builder tls(ChannelCredentials credentials) {
            this.credentials = credentials;
            return this;
        }

        /** Whatever else gRPC can; wins over the defaults. */
        public Builder channel(UnaryOperator<ManagedChannelBuilder<?>> channel) {
            this.channel = channel;
            return this;
        }

        /** The connection. Nothing is sent before the first call. */
        public Whitehall build() {
            return new Whitehall(this);
        }
    }
}
