"""The service: gRPC in front, searches in time slices behind. Knows no game by name."""
