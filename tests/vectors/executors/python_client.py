"""The executor of the Python client: `python python_client.py HOST:PORT`.

It needs the client alone. Each line of its input is a call as JSON, each line of its output the outcome.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from google.protobuf import json_format, message_factory

import whitehall_client
from whitehall_client.gen.whitehall.catalog.v1 import catalog_pb2, catalog_pb2_grpc
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2 as cluedo_position_pb2
from whitehall_client.gen.whitehall.cluedo.v1 import position_pb2_grpc as cluedo_position_pb2_grpc
from whitehall_client.gen.whitehall.cluedo.v1 import service_pb2 as cluedo_pb2
from whitehall_client.gen.whitehall.cluedo.v1 import service_pb2_grpc as cluedo_pb2_grpc
from whitehall_client.gen.whitehall.scotlandyard.v1 import (
    position_pb2,
    position_pb2_grpc,
    service_pb2,
    service_pb2_grpc,
)

STUBS = (
    (catalog_pb2, catalog_pb2_grpc.CatalogServiceStub),
    (service_pb2, service_pb2_grpc.ScotlandYardServiceStub),
    (position_pb2, position_pb2_grpc.ScotlandYardPositionServiceStub),
    (cluedo_pb2, cluedo_pb2_grpc.CluedoServiceStub),
    (cluedo_position_pb2, cluedo_position_pb2_grpc.CluedoPositionServiceStub),
)


class Executor:
    """Makes calls by the client's stubs, with its deadlines, repetitions and refusals."""

    def __init__(self, service: whitehall_client.Service) -> None:
        self._service = service
        self._methods = {
            f"{described.full_name}/{method.name}": (getattr(stub(service.channel), method.name), method.input_type)
            for file, stub in STUBS
            for described in file.DESCRIPTOR.services_by_name.values()
            for method in described.methods
        }

    def execute(self, call: str, token: str, request: Any) -> dict[str, Any]:
        """The outcome of one call."""
        method, request_type = self._methods[call]
        message = json_format.ParseDict(request, message_factory.GetMessageClass(request_type)())
        try:
            answer = self._service.ask(method, message, token=token)
        except whitehall_client.WhitehallError as error:
            return {"refusal": {"code": error.code.name, "reason": error.reason, "metadata": error.metadata}}
        return {"answer": json_format.MessageToDict(answer, always_print_fields_with_no_presence=True)}


def main(target: str) -> None:
    """Goes on until there are no more calls."""
    with whitehall_client.connect(target) as service:
        executor = Executor(service)
        for line in sys.stdin:
            asked = json.loads(line)
            sys.stdout.write(json.dumps(executor.execute(asked["call"], asked["token"], asked["request"])) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
