"""The host of tables: an ordinary client of the service, and the only one with full states."""
