package example.whitehall.client;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;

/** Targets that name several replicas: {@code 10.0.0.1:50051,10.0.0.2:50051}. */
final class Replicas extends NameResolverProvider {
    private static final String SCHEME = "whitehall-replicas";

    static {
        NameResolverRegistry.getDefaultRegistry().register(new Replicas());
    }

    private Replicas() {}

    /** The target as gRPC knows it. */
    static String target(String addresses) {
        if (!addresses.contains(",")) {
            return addresses;
        }
        List<String> replicas = Arrays.stream(addresses.split(","))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .toList();
        if (replicas.isEmpty()) {
            throw new IllegalArgumentException("The service has no address.");
        }
        try {
            return new URI(SCHEME, "", "/" + String.join(",", replicas), null).toString();
        } catch (URISyntaxException never) {
            throw new IllegalArgumentException("The service has an address that is none.", never);
        }
    }

    @Override
    protected boolean isAvailable() {
        return true;
    }

    @Override
    protected int priority() {
        return 5;
    }

    @Override
    public String getDefaultScheme() {
        return SCHEME;
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args args) {
        if (!SCHEME.equals(target.getScheme())) {
            return null;
        }
        List<Address> addresses = Arrays.stream(target.getPath().substring(1).split(","))
                .map(address -> Address.of(address, args.getDefaultPort()))
                .toList();
        return new Addresses(addresses, args.getOffloadExecutor());
    }

    /** A name or a number, IPv6 in brackets, and a port. */
    record Address(String host, int port, String authority) {
        /** As somebody has written it, who may have left the port to TLS or its absence. */
        static Address of(String written, int usual) {
            int colon = written.indexOf(':', Math.max(0, written.indexOf(']')));
            // Where there are more, it is a number of IPv6 without brackets and without a port.
            boolean hasPort = colon >= 0 && colon == written.lastIndexOf(':');
            String host = hasPort ? written.substring(0, colon) : written;
            try {
                int port = hasPort ? Integer.parseInt(written.substring(colon + 1)) : usual;
                return new Address(host, port, written);
            } catch (NumberFormatException none) {
                throw new IllegalArgumentException("The port of " + written + " is no number.", none);
            }
        }

        /** Where it is: each number of a name is a replica. Nowhere where nobody knows the name. */
        List<EquivalentAddressGroup> groups() {
            Attributes name = Attributes.newBuilder()
                    .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, authority)
                    .build();
            try {
                return Arrays.stream(InetAddress.getAllByName(host))
                        .map(found -> new EquivalentAddressGroup(new InetSocketAddress(found, port), name))
                        .toList();
            } catch (UnknownHostException nowhere) {
                return List.of();
            }
        }
    }

    /** The addresses, whose names are looked up whenever gRPC asks. */
    private static final class Addresses extends NameResolver {
        private final List<Address> addresses;
        private final Executor executor;
        private Listener2 listener;

        private Addresses(List<Address> addresses, Executor executor) {
            this.addresses = addresses;
            this.executor = executor;
        }

        @Override
        public String getServiceAuthority() {
            return addresses.get(0).authority();
        }

        @Override
        public void start(Listener2 listener) {
            this.listener = listener;
            refresh();
        }

        @Override
        public void refresh() {
            executor.execute(() -> listener.onResult(found()));
        }

        @Override
        public void shutdown() {}

        private ResolutionResult found() {
            List<EquivalentAddressGroup> groups = new ArrayList<>();
            for (Address address : addresses) {
                groups.addAll(address.groups());
            }
            StatusOr<List<EquivalentAddressGroup>> outcome = groups.isEmpty()
                    ? StatusOr.fromStatus(Status.UNAVAILABLE.withDescription("no replica's name is known"))
                    : StatusOr.fromValue(groups);
            return ResolutionResult.newBuilder().setAddressesOrError(outcome).build();
        }
    }
}
