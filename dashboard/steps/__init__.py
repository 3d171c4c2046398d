"""Steps of a scenario, as several pages draw them: strip, forms, list, tables and figures."""
