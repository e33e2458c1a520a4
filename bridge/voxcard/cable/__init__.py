"""A board on a cable: image, firmware, settings, its serial line. Needs the extra `flash`."""
