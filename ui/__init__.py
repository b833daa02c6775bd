"""Streamlit pieces that pages share: frame, drawing, transcript, card, queue, table, chart."""
