// The port's own growth: whatever is left.
