"""Cards drawn without a device."""
