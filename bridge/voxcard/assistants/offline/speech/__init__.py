"""Speech in and out: voice activity, recognition, voices."""
