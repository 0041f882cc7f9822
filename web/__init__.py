"""A table in the browser: the host in Python, and the page that it sends."""
