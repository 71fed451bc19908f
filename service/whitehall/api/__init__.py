"""The doors of the service: requests in, answers and refusals out. One servicer behind them all."""

import os

# gRPC's core writes to stderr past our log, and quotes there what callers send. It reads these when it is imported,
# which happens below this package first. Whoever looks for a fault of gRPC's may set them otherwise.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
