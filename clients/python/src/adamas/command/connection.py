"""Which server is asked, and how."""

import argparse
import os

from adamas.client import Client
from adamas.command.languages import preferred
from adamas.command.trouble import Trouble

SERVER_VARIABLE = "ADAMAS_SERVER"
DEFAULT_SERVER = "localhost:50051"


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Describes how a server is chosen."""
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        default=os.environ.get(SERVER_VARIABLE, DEFAULT_SERVER),
        help=f"the server to ask [{DEFAULT_SERVER}, or what {SERVER_VARIABLE} says]",
    )
    parser.add_argument(
        "--tls",
        action="store_true",
        default=None,
        help="use TLS; without this flag only if ADAMAS_CLIENT_TLS_ROOT or _CERT is set",
    )
    parser.add_argument(
        "--language",
        default=preferred(),
        help="of all words: en or zh-TW [that of the system; here %(default)s]",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for other programs")


def connect(arguments: argparse.Namespace) -> Client:
    """A client of the chosen server. The token is that of the environment, if there is one.

    Raises:
        Trouble: If it can't be made so.
    """
    try:
        return Client(arguments.server, tls=arguments.tls, language=arguments.language)
    except (ValueError, OSError) as error:
        raise Trouble(str(error)) from None
