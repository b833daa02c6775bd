"""The confidence at which a procedure comes back: stated by whoever reinstates it, beginning at what it has."""

from decimal import Decimal

import streamlit as st

from core.service.views import Card
from core.vocabulary import Action
from ui.deciding import Seen


def stated_confidence(card: Card, what: Seen, action: Action) -> Decimal | None:
    """The field, where the act states a confidence, and what stands in it; None where it states none."""
    if action is not Action.REINSTATE or card.confidence_now is None:
        return None
    value = st.number_input(
        "Confidence from now on",
        0.0,
        1.0,
        float(card.confidence_now),
        0.01,
        key=f"confidence-{what.key}",
        label_visibility="collapsed",
        help="Confidence from now on, 0.00 to 1.00",
        width=110,
    )
    return Decimal(f"{value:.2f}")
