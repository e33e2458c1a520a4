"""The bridge as devices find it: its broker announced by mDNS."""
