"""The program of the service's process in tests: `python -m tests.api.serving --name value ...`.

It takes settings as flags, and prints where gRPC, HTTP and the admin port listen, a line each, as soon as calls are
answered.
"""

import sys

import uvloop

from whitehall.main import Addresses, serve
from whitehall.settings import Settings
from whitehall.telemetry import log


def announce(addresses: Addresses) -> None:
    sys.stdout.write(f"{addresses.grpc}\n{addresses.http}\n{addresses.admin}\n")
    sys.stdout.flush()


def main() -> None:
    names, values = sys.argv[1::2], sys.argv[2::2]
    flags = {name.removeprefix("--").replace("-", "_"): value for name, value in zip(names, values, strict=True)}
    settings = Settings.load(flags, {}, None)
    log.configure("json", settings.log_level)
    uvloop.run(serve(settings, announce))


if __name__ == "__main__":
    main()
