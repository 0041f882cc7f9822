"""``python -m server.access NAME``: makes a token, and the entry of the list that lets it in."""

from __future__ import annotations

import argparse
import secrets
import sys

from pydantic import SecretStr, ValidationError

from server.access.clients import Client, digest

_TOKEN_BYTES = 32


def main() -> None:
    """Prints the entry for the tokens file to standard output and the token to standard error."""
    parser = argparse.ArgumentParser(
        prog="python -m server.access",
        description="Makes a token. The entry for the tokens file goes to standard output, so that "
        "it can be appended to the file; the token itself is shown once, on standard error.",
    )
    parser.add_argument("name", help="name of the client")
    parser.add_argument("--calls-per-minute", type=float, metavar="N")
    parser.add_argument("--search-seconds-per-minute", type=float, metavar="X")
    parser.add_argument("--calls-at-once", type=int, metavar="N")
    given = {key: value for key, value in vars(parser.parse_args()).items() if value is not None}
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    hashed = digest(token).hex()
    try:
        Client(token_sha256=SecretStr(hashed), **given)
    except ValidationError as error:
        parser.error(error.errors()[0]["msg"])
    lines = ["[[client]]", f'name = "{given.pop("name")}"', f'token_sha256 = "{hashed}"']
    lines += [f"{key} = {value}" for key, value in given.items()]
    sys.stdout.write("\n".join(lines) + "\n\n")
    sys.stderr.write(f"{token}\n")


if __name__ == "__main__":
    main()
