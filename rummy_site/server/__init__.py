"""The web process under granian: a request is read whole, within time and memory limits, before it takes a thread."""
