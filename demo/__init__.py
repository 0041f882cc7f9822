"""A demonstration: what the service answers, in the terminal. Run it with `make demo`."""
