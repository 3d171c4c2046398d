"""Frames and plain rows behind tables and CSV files; no Streamlit."""
