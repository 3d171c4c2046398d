"""A comparison as a page of its own: HTML that opens without a network, Markdown for a ticket,
pictures; no Streamlit.
"""
