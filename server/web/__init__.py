"""The services for browsers and curl: Connect, gRPC-Web and plain JSON, over HTTP."""
