"""Numbers, names and sentences; no Streamlit."""
