"""What surrounds every call: the transport, the gate, the log line, the status it ends with."""
