"""Placeholder while the page is written."""
import streamlit as st
st.title("later")
