"""A browser without a page: its cookie, its requests, its streams, and all that it hears."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.server.positions import eventually

Json = Any
PATIENCE = 60.0


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Json:
        """The body."""
        return json.loads(self.body)

    @property
    def reason(self) -> str:
        """Why it was refused."""
        return str(self.json["error"]["reason"])


class Stream:
    """A stream that is read as it comes."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        self.events: list[tuple[str, Json]] = []
        self.ended = False
        self._connection = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=PATIENCE)
        self._connection.request("GET", path, headers=visitor.headers())
        self.response = self._connection.getresponse()
        assert self.response.status == 200, self.response.read()
        self._heard = visitor.heard
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        name = ""
        with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            for line in self.response:
                self._heard.append(line)
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text.removeprefix("event: ")
                elif text.startswith("data: "):
                    self.events.append((name, json.loads(text.removeprefix("data: "))))
        self.ended = True

    def all(self, name: str) -> list[Json]:
        """What has come of one kind."""
        return [data for event, data in tuple(self.events) if event == name]

    def wait(self, name: str, wanted: Callable[[Json], Any] = lambda _: True) -> Json:
        """The first of one kind that is as wanted."""
        return eventually(
            lambda: next(([data] for data in self.all(name) if wanted(data)), None), PATIENCE
        )[0]

    def close(self) -> None:
        """Hangs up."""
        with suppress(OSError, AttributeError):
            self._connection.sock.shutdown(2)
        self._thread.join(PATIENCE)
        self._connection.close()


@dataclass
class Visitor:
    """One browser."""

    port: int
    cookie: str = ""
    language: str = "en"
    heard: list[bytes] = field(default_factory=list)
    """Everything that has come over the wire, headers included."""

    def headers(self, **more: str) -> dict[str, str]:
        """What it sends with every request."""
        found = {"cookie": self.cookie} if self.cookie else {}
        return found | {name.replace("_", "-"): value for name, value in more.items()}

    def ask(
        self,
        method: str,
        path: str,
        body: Json = None,
        *,
        data: bytes | None = None,
        **headers: str,
    ) -> Answer:
        """One request."""
        if method != "GET":
            data = json.dumps({} if body is None else body).encode() if data is None else data
            headers = {"content_type": "application/json"} | headers
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, self._with_language(path), data, self.headers(**headers))
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        self.heard += [str(answer.headers).encode(), answer.body]
        given = answer.headers.get("set-cookie")
        if given:
            self.cookie = given.partition(";")[0]
        return answer

    def get(self, path: str, status: int = 200) -> Json:
        """What is at a path."""
        answer = self.ask("GET", path)
        assert answer.status == status, answer.body
        return answer.json

    def post(self, path: str, body: Json = None, status: int = 200) -> Json:
        """What comes of a request."""
        answer = self.ask("POST", path, body)
        assert answer.status == status, answer.body
        return answer.json

    def open(self, game: str, *seats: Json, **more: Json) -> Json:
        """Opens a table."""
        asked = {"options": {game: {}}, "seats": list(seats), "seed": "7"} | more
        return self.post("/api/tables", asked, 201)

    def move(self, table: Json, choice: int = 0) -> Answer:
        """Plays one of the moves that a table offers."""
        move = table["moves"][choice % len(table["moves"])]["move"]
        return self.ask(
            "POST", f"/api/tables/{table['id']}/moves", {"turn": table["turn"], "move": move}
        )

    @contextmanager
    def stream(self, query: str = "") -> Iterator[Stream]:
        """Holds a stream."""
        stream = Stream(self, self._with_language(f"/api/stream?{query}"))
        try:
            yield stream
        finally:
            stream.close()

    def _with_language(self, path: str) -> str:
        joint = "&" if "?" in path else "?"
        return f"{path}{joint}language={self.language}"


YOU = {"kind": "you", "name": "Ann"}
OPEN = {"kind": "open"}


def bot(level: int = 1) -> Json:
    """A bot's seat."""
    return {"kind": "bot", "level": level}
