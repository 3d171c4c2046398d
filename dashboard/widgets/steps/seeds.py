"""Moves and worst lag of a step over many seeds, a strip of bins for each."""

from html import escape

import streamlit as st

from evenkeel.dashboard.charts.count_histogram import SeedBins, seed_bins
from evenkeel.data.scenarios.run.seeds import SEEDS, Drawn


def show(drawn: Drawn, wanted: int = SEEDS) -> None:
    """Draw both strips; the figures of seeds that are still being computed come later."""
    st.html(seeds_html(drawn, wanted))


def seeds_html(drawn: Drawn, wanted: int = SEEDS) -> str:
    """Return both strips as HTML."""
    strips = (("moves", seed_bins(drawn.moved_partitions, True, wanted)), ("worst", seed_bins(drawn.max_lag, False, wanted)))
    done = max(drawn.moved_partitions.size, drawn.max_lag.size)
    note = f"{wanted} seeds" if done >= wanted else f"{done} of {wanted} seeds"
    rows = "".join(_row(name, bins) for name, bins in strips)
    return f'<div class="seeds"><p><b>New ids decide ties.</b> {note}, median (5–95 %)</p>{rows}</div>'


def _row(name: str, bins: SeedBins | None) -> str:
    if bins is None:
        return f"<div><span>{name}</span><i></i><em>unknown</em></div>"
    most = max(bins.counts)
    bars = "".join(
        f'<i class="{"middle" if place == bins.middle else ""}" style="height:{_height(count, most)}%"></i>'
        for place, count in enumerate(bins.counts)
    )
    said = escape(bins.sentence(name), quote=True)
    strip = f'<span class="bins" role="img" aria-label="{said}" title="{said}">{bars}</span>'
    return f"<div><span>{name}</span>{strip}<em><b>{escape(bins.median)}</b> {escape(bins.range)}</em></div>"


def _height(count: int, most: int) -> int:
    """Return percent; one seed is seen too."""
    return max(round(100 * count / most), 12) if count else 0
