"""What a bridge is made of: how its components live, and those that app.py has built here."""
