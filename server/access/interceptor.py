"""Asks for access where Adamas's own services don't: at server reflection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from server.access.guard import Guard
from server.access.origin import Origin
from server.errors import Refused
from server.handlers import Handler, WrappingInterceptor, behavior_of, like

_REFLECTION = "/grpc.reflection."


class ReflectionGuard(WrappingInterceptor):
    """Lets only callers that the guard knows list the services."""

    def __init__(self, guard: Guard) -> None:
        super().__init__()
        self._guard = guard

    def concerns(self, method: str, handler: Handler) -> bool:
        """Whether it is reflection."""
        return method.startswith(_REFLECTION)

    def wrap(self, method: str, handler: Handler) -> Handler:
        """The method, guarded."""
        answer = behavior_of(handler)

        async def guarded(requests: Any, context: Any) -> AsyncIterator[Any]:
            try:
                with self._guard.identify(Origin.of(context)).account.calling():
                    async for response in answer(requests, context):
                        yield response
            except Refused as refused:
                await refused.abort(context)

        return like(handler, guarded)
