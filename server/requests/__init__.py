"""What a caller asks for: messages to positions, limits, strengths; checked, with paths."""
