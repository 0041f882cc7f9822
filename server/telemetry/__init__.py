"""What is seen of the server from outside: metrics and traces. Costs nothing while switched off."""
