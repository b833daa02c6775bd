"""The transcript view beside a chat of Streamlit's own elements."""
