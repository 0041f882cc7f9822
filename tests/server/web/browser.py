"""A page in headless Chromium, which sends back what it has found out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_FLAGS = (
    "--headless=new",
    "--no-sandbox",  # it runs our own page only, and containers allow no sandbox
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
)
PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>'


def chromium_or_skip() -> str:
    """Where Chromium is. Skips the test if there is none."""
    chromium = next(filter(None, map(shutil.which, _NAMES)), None)
    if chromium is None:
        pytest.skip("needs Chromium (the Debian package chromium)")
    return chromium


def found_by_page(script: str, query: str = "", *, host: str = "127.0.0.1") -> Any:
    """Opens a page with a script; returns what the script posts to ``results``.

    The page's origin is ``http://HOST:`` with some free port. Skips the test without Chromium.
    """
    chromium = chromium_or_skip()
    results: Queue[Any] = Queue()
    files = {"/": ("text/html", PAGE), "/page.js": ("text/javascript", script)}
    server = ThreadingHTTPServer((host, 0), _handler(files, results))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [
                *(chromium, *_FLAGS, f"--user-data-dir={profile}"),
                f"http://{host}:{server.server_port}/?{query}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": profile},
        )
        try:
            return results.get(timeout=120)
        except Empty:
            pytest.fail("the page has sent nothing")
        finally:
            browser.kill()
            browser.wait()
            server.shutdown()
            server.server_close()


def _handler(
    files: Mapping[str, tuple[str, str]], results: Queue[Any]
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = files.get(self.path.partition("?")[0], ("", ""))
            self.send_response(200 if kind else 404)
            self.send_header("content-type", f"{kind}; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def do_POST(self) -> None:
            results.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
