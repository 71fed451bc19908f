"""What makes the calls of vectors: in the test's own process, over gRPC, through each client."""
