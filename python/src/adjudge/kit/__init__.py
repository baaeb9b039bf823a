"""What an adapter of a Python library for adjudge is made of: `docs/protocol.md` begins with one that runs."""
