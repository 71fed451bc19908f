"""The descriptor pool of the client's messages: its own, so that it stands beside anything else in a process.

Protobuf refuses a second definition of a message in one pool, and the default one may hold the service itself, or code
that somebody else generated from the same protos.
"""

from google.protobuf import descriptor_pool, timestamp_pb2

_POOL = descriptor_pool.DescriptorPool()
_POOL.AddSerializedFile(timestamp_pb2.DESCRIPTOR.serialized_pb)


def Default() -> descriptor_pool.DescriptorPool:  # noqa: N802 - what generated code calls it
    """The pool; generated code asks for it by this name."""
    return _POOL
