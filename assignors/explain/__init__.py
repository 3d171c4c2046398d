"""Why an answer is as it is: facts beside its figures. No other room of this floor imports it."""
