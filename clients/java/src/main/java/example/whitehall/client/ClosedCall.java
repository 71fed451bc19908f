package example.whitehall.client;

import io.grpc.ClientCall;
import io.grpc.Metadata;

/** A call on a connection that has been closed: it ends as soon as it starts. */
final class ClosedCall<Q, A> extends ClientCall<Q, A> {
    @Override
    public void start(Listener<A> listener, Metadata headers) {
        listener.onClose(Life.CLOSED, new Metadata());
    }

    @Override
    public void sendMessage(Q message) {}

    @Override
    public void halfClose() {}

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(String message, Throwable cause) {}
}
