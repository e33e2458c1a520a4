"""What the offline assistant understands and says in languages other than English."""
