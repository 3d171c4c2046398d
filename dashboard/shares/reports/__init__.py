"""A report as HTML that needs no network, as Markdown for a ticket, and as pictures. This package
does not need Streamlit.
"""
