"""Queued work: what waits in the tables is carried out, on this machine or another, whatever process dies.

Pages and commands only write rows; a sweep in each worker finds them. ``Engine`` (in ``engine``, which imports the
durable engine) carries the work out. What is carried out is a ``Work`` of each kind: the rules of the critic are not
known here.
"""

from core.service.jobs.contract import CRITIC, Due, Waiting, Work, WorkSettings
from core.service.jobs.nudges import nudge

__all__ = ["CRITIC", "Due", "Waiting", "Work", "WorkSettings", "nudge"]
