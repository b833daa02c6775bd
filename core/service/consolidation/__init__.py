"""Consolidation: what runs in the background over memory itself, not over one session.

``work`` is what the durable engine carries out; it knows a run only as a row and asks ``beliefs`` or ``buffer``, by the
row's memory, which requests it needs and what comes of the replies. ``runs`` queues a run, and ends it.
"""
