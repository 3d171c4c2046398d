"""What the steps do: figures, charts and moves of the step that is shown, and all scenarios side by side."""
