"""The report of a tournament: one HTML file that needs no network and nothing beside it."""

from adamas_tournament.report.page import report_page

__all__ = ["report_page"]
