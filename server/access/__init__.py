"""Who may call: encryption, who callers are, and how much each of them may ask for."""
