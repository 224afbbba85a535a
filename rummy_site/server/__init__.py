"""The web process under granian: a request is read whole, in bounded time and room, before it takes a thread."""
