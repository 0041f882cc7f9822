"""Bundles of arrays that compiled code uses without counting references to them.

Numba counts a reference whenever an array is taken out of a tuple. In the loops of the search that
costs a tenth of an iteration, and whoever called the kernel holds the arrays anyway.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from engines.jit import JIT_ENABLED

if JIT_ENABLED:

    @intrinsic  # type: ignore[untyped-decorator]
    def borrowed(typing_context: Any, bundle: Any) -> Any:
        """The same named tuple with arrays without owners; valid while somebody else holds them."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            found = args[0]
            for place, member in enumerate(bundle):
                if isinstance(member, types.Array):
                    value = builder.extract_value(found, place)
                    array = make_array(member)(context, builder, value)
                    array.meminfo = cgutils.get_null_value(array.meminfo.type)
                    array.parent = cgutils.get_null_value(array.parent.type)
                    found = builder.insert_value(found, array._getvalue(), place)
            return found

        return bundle(bundle), codegen

else:

    def borrowed(bundle: Any) -> Any:
        """The bundle itself: the interpreter counts references anyway."""
        return bundle
