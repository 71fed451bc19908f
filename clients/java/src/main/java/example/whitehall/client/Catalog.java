package example.whitehall.client;

import example.whitehall.catalog.v1.Board;
import example.whitehall.catalog.v1.BoardInfo;
import example.whitehall.catalog.v1.CatalogServiceGrpc;
import example.whitehall.catalog.v1.GetBoardRequest;
import example.whitehall.catalog.v1.GetBuildInfoRequest;
import example.whitehall.catalog.v1.GetBuildInfoResponse;
import example.whitehall.catalog.v1.ListBoardsRequest;
import example.whitehall.catalog.v1.ListPresetsRequest;
import example.whitehall.catalog.v1.ListRulesRequest;
import example.whitehall.catalog.v1.Preset;
import example.whitehall.common.v1.Rule;
import io.grpc.Channel;
import java.util.List;

/**
 * What the service knows apart from games in play. It needs no token. A game is {@code scotland-yard}, {@code cluedo}, or
 * empty for all.
 */
public final class Catalog {
    private final CatalogServiceGrpc.CatalogServiceBlockingStub stub;

    Catalog(Channel channel) {
        stub = CatalogServiceGrpc.newBlockingStub(channel);
    }

    /** The presets of a game with every parameter; the default first. */
    public List<Preset> presets(String game) {
        var asked = ListPresetsRequest.newBuilder().setGame(game).build();
        return Whitehall.typed(() -> stub.listPresets(asked)).getPresetsList();
    }

    /** The boards of a game, without their places. */
    public List<BoardInfo> boards(String game) {
        var asked = ListBoardsRequest.newBuilder().setGame(game).build();
        return Whitehall.typed(() -> stub.listBoards(asked)).getBoardsList();
    }

    /** A board as a drawing needs it. */
    public Board board(String name) {
        var asked = GetBoardRequest.newBuilder().setName(name).build();
        return Whitehall.typed(() -> stub.getBoard(asked)).getBoard();
    }

    /** Every rule that a refusal can cite. */
    public List<Rule> rules(String game) {
        var asked = ListRulesRequest.newBuilder().setGame(game).build();
        return Whitehall.typed(() -> stub.listRules(asked)).getRulesList();
    }

    /** What is running. */
    public GetBuildInfoResponse buildInfo() {
        return Whitehall.typed(() -> stub.getBuildInfo(GetBuildInfoRequest.getDefaultInstance()));
    }
}
