"""What the code checks find in real sessions, how much of people's labels they meet, and what they cost."""
