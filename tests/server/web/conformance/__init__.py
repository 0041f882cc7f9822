"""The service of Connect's own conformance suite, on the stack that our services are on."""
