"""The games as environments of the field's frameworks, in one process with the engines.

* ``environments.aec``: PettingZoo, all seats (``aec.env("dao", seats=3)``).
* ``environments.single_seat``: Gymnasium, one seat against opponents of a level.
* ``environments.openspiel``: OpenSpiel (``pyspiel.load_game("adamas(game=dao,players=3)")``).

Each needs the framework that it is named for: ``pip install 'adamas-server[environments]'``.
"""
