"""Clusters of real servers on the loopback: three primaries, with a replica each or without, and what befalls them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import redis
from redis.cluster import ClusterNode, RedisCluster

from tests.sessions.servers import Server, free_port

SLOTS = 16_384
PRIMARIES = 3
PATIENCE_SECONDS = 60.0
NODE_TIMEOUT_MILLISECONDS = 1000
"""After so long without a word a node is taken for dead."""


class Node:
    """One server of a cluster."""

    def __init__(self, program: Path, folder: Path, *settings: str) -> None:
        folder.mkdir()
        self.port, self.bus = free_port(), free_port()
        place = ("--port", str(self.port), "--bind", "127.0.0.1", "--cluster-port", str(self.bus))
        timeout = ("--cluster-node-timeout", str(NODE_TIMEOUT_MILLISECONDS), "--repl-diskless-sync-delay", "0")
        self.server = Server(program, folder, *place, "--cluster-enabled", "yes", *timeout, *settings)
        self.server.start()

    def ask(self, *command: Any) -> Any:
        """What it answers to a command."""
        with redis.Redis(port=self.port) as client:
            return client.execute_command(*command)

    @property
    def id(self) -> str:
        """What the cluster calls it."""
        return str(self.ask("CLUSTER MYID"), "ascii")


class Cluster:
    """Three primaries that share all slots evenly, and after them their replicas, if it has any."""

    def __init__(self, program: Path, folder: Path, *settings: str, replicas: bool = False) -> None:
        size = PRIMARIES * (1 + replicas)
        self.nodes = [Node(program, folder / f"node{number}", *settings) for number in range(size)]
        self.primaries = self.nodes[:PRIMARIES]
        bounds = [SLOTS * number // PRIMARIES for number in range(PRIMARIES + 1)]
        for node, first, end in zip(self.primaries, bounds, bounds[1:], strict=False):
            node.ask("CLUSTER ADDSLOTSRANGE", first, end - 1)
        for epoch, node in enumerate(self.nodes, 1):
            # Of equal epochs the nodes would have to find out whose word counts.
            node.ask("CLUSTER SET-CONFIG-EPOCH", epoch)
        for node in self.nodes[1:]:
            self.nodes[0].ask("CLUSTER MEET", "127.0.0.1", node.port, node.bus)
        wait_until(lambda: all(len(self._known(node)) == size for node in self.nodes))
        for primary, replica in zip(self.primaries, self.nodes[PRIMARIES:], strict=False):
            replica.ask("CLUSTER REPLICATE", primary.id)
        wait_until(self.is_whole)
        if replicas:
            wait_until(lambda: all(node.ask("WAIT", 1, 100) == 1 for node in self.primaries))
            wait_until(lambda: all(len(entry) == 4 for node in self.nodes for entry in node.ask("CLUSTER SLOTS")))

    @property
    def url(self) -> str:
        """With a node first that is not there."""
        nodes = [free_port(), *(node.port for node in self.nodes)]
        return "redis+cluster://" + ",".join(f"127.0.0.1:{port}" for port in nodes)

    def client(self) -> Any:
        """The library's client, for looking behind the store's back."""
        nodes = [ClusterNode("127.0.0.1", node.port) for node in self.nodes]  # type: ignore[no-untyped-call]
        return RedisCluster(startup_nodes=nodes)

    def listeners(self, channel: bytes) -> int:
        """How many connections listen to a sharded channel, at whatever node; the library's client asks any one."""
        return sum(node.server.listeners(channel) for node in self.nodes)

    def owner(self, slot: int) -> Node:
        """The primary that had a slot at the beginning."""
        return self.primaries[slot * PRIMARIES // SLOTS]

    def is_whole(self) -> bool:
        """Whether each node says that all slots are served."""
        return all(node.ask("CLUSTER INFO")["cluster_state"] == "ok" for node in self.nodes)

    def kill(self) -> None:
        """End all of it."""
        for node in self.nodes:
            node.server.kill()

    def _known(self, node: Node) -> dict[str, Any]:
        """The nodes that a node has shaken hands with, by their ids."""
        lines = node.ask("CLUSTER NODES")
        return {name: one for one in lines.values() if "handshake" not in one["flags"] for name in [one["node_id"]]}


class Migration:
    """One slot on its way from a primary to another one, step by step as an operator's tool does it."""

    def __init__(self, slot: int, source: Node, target: Node) -> None:
        self._slot = slot
        self.source, self.target = source, target
        target.ask("CLUSTER SETSLOT", slot, "IMPORTING", source.id)
        source.ask("CLUSTER SETSLOT", slot, "MIGRATING", target.id)

    def take(self, key: bytes) -> None:
        """Bring one key over."""
        assert self.source.ask("MIGRATE", "127.0.0.1", self.target.port, key, 0, 5000) == b"OK"

    def end(self) -> None:
        """Give the slot to the target; the others hear of it in their time."""
        for node in (self.target, self.source):
            node.ask("CLUSTER SETSLOT", self._slot, "NODE", self.target.id)


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for what servers do in their own time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)  # between two questions; what is waited for is the condition
