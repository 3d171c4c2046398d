"""Steps of a scenario as rows and cards: texts, stars, totals, differences between two times, CSV."""
