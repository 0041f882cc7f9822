"""The services as the protos have them: what their methods do, and in which order."""
