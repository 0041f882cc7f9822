"""Records of Diamonds Club to messages and back."""
