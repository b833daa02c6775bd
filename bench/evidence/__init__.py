"""How fast quotes are grounded, and how rightly, beside other ways of checking them."""
