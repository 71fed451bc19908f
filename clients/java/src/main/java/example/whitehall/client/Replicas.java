package example.whitehall.client;

import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
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
        return addresses.contains(",") ? SCHEME + ":///" + addresses : addresses;
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
        return new Addresses(List.of(target.getPath().substring(1).split(",")), args.getOffloadExecutor());
    }

    /** The addresses, whose names are looked up whenever gRPC asks. */
    private static final class Addresses extends NameResolver {
        private final List<String> addresses;
        private final Executor executor;
        private Listener2 listener;

        private Addresses(List<String> addresses, Executor executor) {
            this.addresses = addresses;
            this.executor = executor;
        }

        @Override
        public String getServiceAuthority() {
            return addresses.get(0);
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
            for (String address : addresses) {
                URI uri = URI.create("//" + address.strip());
                InetSocketAddress socket = new InetSocketAddress(uri.getHost(), uri.getPort());
                if (!socket.isUnresolved()) {
                    Attributes name = Attributes.newBuilder()
                            .set(EquivalentAddressGroup.ATTR_AUTHORITY_OVERRIDE, uri.getAuthority())
                            .build();
                    groups.add(new EquivalentAddressGroup(socket, name));
                }
            }
            StatusOr<List<EquivalentAddressGroup>> outcome = groups.isEmpty()
                    ? StatusOr.fromStatus(Status.UNAVAILABLE.withDescription("no replica's name is known"))
                    : StatusOr.fromValue(groups);
            return ResolutionResult.newBuilder().setAddressesOrError(outcome).build();
        }
    }
}
