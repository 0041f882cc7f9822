"""Configurations for tests, as text."""

ENTRANTS = """
[[entrants]]
name = "strong"
kind = "service"
iterations = 60

[[entrants]]
name = "random"
kind = "random"
"""


def config_text(
    *,
    deals: int = 3,
    seats: int = 2,
    game: str = "dao",
    entrants: str = ENTRANTS,
    tournament: str = "",
    rest: str = "",
    options: str = "",
) -> str:
    """A configuration; the arguments are further lines of its sections."""
    return f"""
[tournament]
name = "Trial"
seed = 7
deals = {deals}
{tournament}

[game]
id = "{game}"
seats = {seats}
{options}
{entrants}
{rest}
"""
