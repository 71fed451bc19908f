package example.whitehall.client;

import example.whitehall.catalog.v1.CatalogServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import java.util.function.Function;

/**
 * A connection for games, which leaves out replicas that have no store now, and another for the catalog and for positions,
 * which need none. Each is made when it is first needed.
 */
final class Connections extends Channel {
    private final ManagedChannel games;
    private final ManagedChannel storeless;

    /** Both, by the name of the service whose health each goes by: empty for the server as a whole. */
    Connections(Function<String, ManagedChannel> made) {
        games = made.apply("");
        // The catalog's health stands for all that needs no store.
        storeless = made.apply(CatalogServiceGrpc.SERVICE_NAME);
    }

    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return of(method.getServiceName()).newCall(method, options);
    }

    @Override
    public String authority() {
        return games.authority();
    }

    /** Tries at once to connect again, where that failed. */
    void resetConnectBackoff() {
        games.resetConnectBackoff();
        storeless.resetConnectBackoff();
    }

    /** Ends both, with every call on them. */
    void shutdownNow() {
        games.shutdownNow();
        storeless.shutdownNow();
    }

    private ManagedChannel of(String service) {
        boolean needsNoStore =
                CatalogServiceGrpc.SERVICE_NAME.equals(service) || service.endsWith("PositionService");
        return needsNoStore ? storeless : games;
    }
}
