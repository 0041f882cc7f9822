"""What may be done in Diam's and what it counts for, a module a section of docs/rules/diams.md."""
