"""The strips of seeds as HTML."""

import numpy as np

from evenkeel.dashboard.whatif.charts import seeds_html
from evenkeel.data.scenarios.run.seeds import SeedFigures


def test_both_figures_have_a_strip_that_a_screen_reader_can_say():
    html = seeds_html(SeedFigures(np.array([84] * 200), np.array([157_000] * 200)))

    assert 'aria-label="moves: 84 in all 200, 200 of 200 seeds"' in html
    assert "<b>157\u202fk</b> in all 200" in html
    assert "200 seeds, median (5–95 %)" in html


def test_a_figure_that_no_seed_has_is_unknown():
    html = seeds_html(SeedFigures(np.array([1, 2]), np.empty(0, dtype=np.int64)))

    assert "<span>worst</span><i></i><em>unknown</em>" in html
    assert "2 of 200 seeds" in html
