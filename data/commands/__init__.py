"""The command line `evenkeel`: a file for each command."""
