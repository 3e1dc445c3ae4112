"""The `grammax` command: a file of commands for each subject, assembled in `app`."""
