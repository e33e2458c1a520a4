"""Wake words: found in the sound that devices let out while their gates are open."""
