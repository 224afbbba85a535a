"""Players, their names, devices, and who may do what."""
