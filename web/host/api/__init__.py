"""The paths of the host, which docs/web.md describes."""
