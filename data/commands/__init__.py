"""The command line `evenkeel`: one file for each command."""
