"""Figures as people read them."""


def number(value: float, form: str = "g") -> str:
    """A number with a minus sign, which a hyphen is not."""
    return format(value, form).replace("-", "−")


def percent(share: float, digits: int = 1) -> str:
    """A share as a percentage: "62.6%"."""
    return f"{100 * share:.{digits}f}%"
