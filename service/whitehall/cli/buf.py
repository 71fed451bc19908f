"""`buf curl`, a client for any gRPC service: how the commands that we print spell it, so that they can be pasted."""

import os
import sys
from pathlib import Path


def buf_curl() -> str:
    """The one installed beside us, as a path from here, or the one that the reader may have."""
    beside = Path(sys.executable).with_name("buf")
    buf = os.path.relpath(beside) if beside.exists() else "buf"
    return f"{buf} curl --protocol grpc"
