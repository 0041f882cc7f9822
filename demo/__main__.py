"""Runs the demonstration: `python -m demo`, or `make demo`."""

import sys

INTERRUPTED = 130

try:
    from demo.program import main

    status = main()
except KeyboardInterrupt:  # also while the packages are loaded
    status = INTERRUPTED
sys.exit(status)
