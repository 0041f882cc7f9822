"""The rules of Diamonds, a module a section of docs/rules/diamonds.md."""
