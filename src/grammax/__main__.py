"""`python -m grammax`: the same as the command `grammax`."""

from grammax.cli.main import main

if __name__ == "__main__":
    main()
