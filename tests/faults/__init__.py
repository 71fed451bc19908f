"""Tests of faults: clients play on while the service and its store are killed, and nothing is lost or doubled."""
