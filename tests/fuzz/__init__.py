"""Whatever a client sends: requests that are valid, spoilt or nonsense, and what must hold of each.

``python -m tests.fuzz`` (``make fuzz``) is the long form, the tests in this folder the short one,
``tests.fuzz.coverage`` (``make fuzz-coverage``) the coverage-guided one.
"""
