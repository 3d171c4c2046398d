"""What-if: the answers to each step of a scenario, kept by the steps up to it, and drafts that no address can hold."""
