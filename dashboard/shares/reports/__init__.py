"""A comparison as a separate document: HTML that opens without a network, Markdown for a ticket,
and pictures. The package needs no Streamlit page.
"""
