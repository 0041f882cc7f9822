"""The rules of Diamonds Club, a module a section of docs/rules/diamonds-club.md."""
