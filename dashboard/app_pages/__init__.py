"""One script a page, run by Streamlit from top to bottom; no functions."""
