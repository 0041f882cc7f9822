"""`python -m adamas` is the command `adamas`."""

import sys

from adamas.command import main

sys.exit(main())
