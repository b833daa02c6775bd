"""``python -m core``: the desk from a command line."""

from core.service.cli import main

if __name__ == "__main__":
    main()
