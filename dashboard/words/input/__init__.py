"""What an input lacks, assumes and contradicts, in words."""
