"""Import rules that import-linter's own contract types can't express."""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class GamesContract(Contract):
    """Games import no other game, and only the registry imports games.

    A game is a sub-package of `engines` with a `rules` module, so a new game is covered without
    a change here.

    Configuration options:
        - engines:  The package that holds the games.
        - registry: The one module of it, outside the games, that may import them.
        - blind:    Further packages that may not import a game.
    """

    type_name = "games"

    engines = fields.StringField()
    registry = fields.StringField()
    blind = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look for direct imports of a game from where they are not allowed."""
        options: Any = self  # the fields hold plain values once the contract has been read
        games = {
            child
            for child in graph.find_children(options.engines)
            if f"{child}.rules" in graph.modules
        }
        home = {module: game for game in games for module in _inside(graph, game)}
        watched = [
            module
            for package in (options.engines, *options.blind)
            for module in _inside(graph, package)
        ]
        wrong = sorted(
            (importer, imported)
            for importer in watched
            if importer != options.registry
            for imported in graph.find_modules_directly_imported_by(importer)
            if imported in home and home[imported] != home.get(importer)
        )
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line for each import that breaks the contract."""
        for importer, imported in check.metadata["wrong"]:
            output.print_error(f"{importer} may not import the game module {imported}", bold=False)
        output.new_line()


def _inside(graph: ImportGraph, package: str) -> set[str]:
    return {package, *graph.find_descendants(package)}
