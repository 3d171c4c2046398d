"""What every source needs: context, numbers, what is no text."""
