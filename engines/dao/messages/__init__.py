"""Records of DAO to messages and back."""
