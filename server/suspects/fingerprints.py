"""What tells a search from others, and is the same when it is tried again."""

from __future__ import annotations

import hashlib
import secrets

from adamas.v1 import advisor_service_pb2 as pb

_BYTES = 8


class Fingerprints:
    """Gives out fingerprints.

    They are made with a key that nobody knows: as they are logged and told, nobody may find out a
    position from its fingerprint by trying all that it could be.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(hashlib.blake2b.MAX_KEY_SIZE)

    def of(self, query: pb.SearchQuery) -> str:
        """Of the position and of what decides how its search runs.

        The time is left out, as whoever tries again may have less of it left, and so are the words'
        language and the priority. A seed counts if the client has chosen it; otherwise each try
        gets another one anyway.
        """
        kept = pb.SearchQuery()
        kept.CopyFrom(query)
        kept.DiscardUnknownFields()
        kept.ClearField("language")
        kept.ClearField("priority")
        kept.ClearField("player")  # only those who search have a fingerprint
        kept.limits.ClearField("time")
        data = kept.SerializeToString(deterministic=True)
        return hashlib.blake2b(data, digest_size=_BYTES, key=self._key).hexdigest()
