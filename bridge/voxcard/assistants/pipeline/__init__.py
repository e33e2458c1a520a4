"""The assistant of three servers: speech to text, chat with tools, text to speech."""
