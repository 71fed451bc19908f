package example.whitehall.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import example.whitehall.cluedo.v1.GetGameResponse;
import example.whitehall.client.Replicas.Address;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which lists of replicas are understood. */
@Timeout(60)
final class ReplicasTest {
    @Test
    void anAddressIsAHostAndAPort() {
        assertEquals(new Address("localhost", 1, "localhost:1"), Address.of("localhost:1", 80));
        assertEquals(new Address("a_b", 50771, "a_b:50771"), Address.of("a_b:50771", 80));
        assertEquals(new Address("localhost", 80, "localhost"), Address.of("localhost", 80));
        assertEquals(new Address("[::1]", 7, "[::1]:7"), Address.of("[::1]:7", 80));
        assertEquals(new Address("[::1]", 80, "[::1]"), Address.of("[::1]", 80));
        assertEquals(new Address("::1", 80, "::1"), Address.of("::1", 80));
        assertThrows(IllegalArgumentException.class, () -> Address.of("a:b", 80));
    }

    @Test
    void everyNumberOfANameIsAReplica() throws IOException {
        assertEquals(
                InetAddress.getAllByName("localhost").length,
                Address.of("localhost:1", 80).groups().size());
        assertEquals(List.of(), Address.of("a_b:1", 80).groups());
    }

    @Test
    void aListOfNoAddressIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Whitehall.connect(" , ").close());
    }

    @Test
    void aReplicaIsFoundHoweverTheListIsWritten() throws IOException {
        try (FakeService fake = new FakeService()) {
            InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            Server server = NettyServerBuilder.forAddress(anywhere).addService(fake).build().start();
            String here = "127.0.0.1:" + server.getPort();
            List<String> lists =
                    List.of("localhost," + here, "a_b:1," + here, "127.0.0.1:1, " + here, here + ",", "[::1]:1," + here);
            for (String list : lists) {
                try (Whitehall service = Whitehall.builder(list).timeout(Duration.ofSeconds(30)).build()) {
                    var game = service.cluedo().seat("game", new Token("x")).game();
                    assertEquals(GetGameResponse.getDefaultInstance().getGame(), game);
                }
            }
            server.shutdownNow();
        }
    }
}
