"""What every fetch from the web keeps to: addresses that were checked, links, redirects."""
