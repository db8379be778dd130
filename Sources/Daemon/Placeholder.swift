// The room's first file.
