"""What the games say: about entrants, about pairs of them, and whether it is enough."""
