"""What must hold before anything is served or worked on."""
