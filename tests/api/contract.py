"""The contract as its protos say it."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from types import ModuleType

from google.protobuf.descriptor import MethodDescriptor

import whitehall.gen.whitehall


def contract() -> dict[str, MethodDescriptor]:
    """Every method of our protos, by its full name."""
    methods = {}
    packages = pkgutil.walk_packages(whitehall.gen.whitehall.__path__, "whitehall.gen.whitehall.")
    for package in packages:
        if package.name.endswith("_pb2"):
            module: ModuleType = import_module(package.name)
            for service in module.DESCRIPTOR.services_by_name.values():
                methods.update({method.full_name: method for method in service.methods})
    return methods


def path_of(method: MethodDescriptor) -> str:
    """Where a method is called."""
    return f"/{method.containing_service.full_name}/{method.name}"
