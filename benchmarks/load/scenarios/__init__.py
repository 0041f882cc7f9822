"""What is promised about the service under load, one scenario a module."""
