"""Why an answer is as it is: facts that stand beside its figures. Nothing else of this floor imports it."""
