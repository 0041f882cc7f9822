"""What ends a command early, and the exit codes."""

FOUND = 1
"""The command has found what it looked for: something wrong."""
WRONG_USE = 2
"""What was given can't be used."""
FAILED = 3
"""The server can't be had, or refuses."""
INTERRUPTED = 130


class Trouble(Exception):
    """Ends a command; the text is for people.

    Attributes:
        exit_code: What the program ends with.
    """

    def __init__(self, text: str, exit_code: int = WRONG_USE) -> None:
        self.exit_code = exit_code
        super().__init__(text)
