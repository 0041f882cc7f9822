"""Records of Diamonds to messages and back."""
