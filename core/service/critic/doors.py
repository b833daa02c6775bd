"""The doors to models that a worker holds open: one for each way of asking, so that requests share its connections."""

import os
from collections.abc import Mapping
from threading import Lock

from core.critic.critic_settings import CriticSettings
from core.critic.llm import Llm
from core.critic.model_settings import ModelSettings
from core.errors import ModelNotConfigured
from core.service.critic.settings import model_settings


class Doors:
    """Doors by how a model is asked, with the key and the address of ``environ``. It may be shared between threads."""

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self.environ = environ
        self._doors: dict[ModelSettings, Llm] = {}
        self._lock = Lock()

    def way(self, settings: CriticSettings, server: str, what: str) -> ModelSettings:
        """How the model of a run is asked from here; ``what`` names the run.

        Raises ``ModelNotConfigured`` where nothing can be asked, and where the run is for another ``server``.
        """
        how = model_settings(settings, self.environ)
        if how.endpoint.shown != server:
            said = f"this worker's OPENAI_BASE_URL is {how.endpoint.shown}, and the {what} is for {server}"
            raise ModelNotConfigured(said, f"Set it to that address, or try the {what} again for this one.")
        return how

    def door(self, how: ModelSettings) -> Llm:
        """The one door for these settings."""
        with self._lock:
            if how not in self._doors:
                self._doors[how] = Llm(how)
            return self._doors[how]

    def close(self) -> None:
        """Close the connections."""
        with self._lock:
            for llm in self._doors.values():
                llm.close()
            self._doors.clear()


def with_caps(settings: CriticSettings, desk: CriticSettings) -> CriticSettings:
    """The settings of a run with the caps that the desk has now."""
    return settings.model_copy(update={"daily_cost": desk.daily_cost, "daily_tokens": desk.daily_tokens})
