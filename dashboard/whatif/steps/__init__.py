"""Steps of a scenario, drawn: strip, table, figures, seeds; for What-if, shares and reports."""
