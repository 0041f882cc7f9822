"""Hypothesis strategies of messages, built from their descriptors."""

from __future__ import annotations

from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st

from tests.fuzz.structure import TEXTS

_LONGEST_LIST = 4
_WIDTHS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}


@cache
def messages(descriptor: Descriptor) -> st.SearchStrategy[Message]:
    """Messages of a type, with any of its fields set to anything; small numbers more often."""
    fields = {field.name: st.deferred(_of_field(field)) for field in descriptor.fields}
    kind = GetMessageClass(descriptor)
    return st.fixed_dictionaries({}, optional=fields).map(lambda values: kind(**values))


def _of_field(field: FieldDescriptor) -> Any:
    def strategy() -> st.SearchStrategy[Any]:
        one = messages(field.message_type) if field.message_type is not None else _scalars(field)
        return st.lists(one, max_size=_LONGEST_LIST) if field.is_repeated else one

    return strategy


def _scalars(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.enum_type is not None:
        return st.sampled_from([*field.enum_type.values_by_number, -1, 99, 2**31 - 1])
    if field.cpp_type in _WIDTHS:
        low, high = _WIDTHS[field.cpp_type]
        return st.integers(max(low, -1), 9) | st.integers(low, high)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if field.type == FieldDescriptor.TYPE_BYTES:
        return st.binary(max_size=50)
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return st.sampled_from(TEXTS) | st.text(max_size=20)
    return st.floats()
