"""One figure a file, drawn from numbers that are given; no Streamlit."""
