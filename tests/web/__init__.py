"""The table in the browser: its host, and its page."""
