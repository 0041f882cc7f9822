"""The service under load, as clients see it from outside: ``make load`` and ``make soak``."""
