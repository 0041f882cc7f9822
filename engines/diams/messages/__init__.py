"""Records of Diam's to protobuf messages and back."""
