"""Made by tools/generate.py from proto/. Never edited by hand."""
