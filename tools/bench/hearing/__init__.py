"""What the offline assistant makes of hard sound, and how soon it answers: in virtual time."""
