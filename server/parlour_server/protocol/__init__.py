"""The language between server and client: the classes of its messages, and the codec that checks every frame."""
