"""Where a run stands: its clock, its learning rate, and its log of JSON lines."""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import Any

_BEGUN = time.monotonic()
"""When the process began, near enough: imports count against its minutes."""


class Clock:
    """Minutes that a process may take."""

    def __init__(self, minutes: float | None) -> None:
        self.seconds = math.inf if minutes is None else minutes * 60

    def spent(self) -> float:
        """Returns the seconds since the process began."""
        return time.monotonic() - _BEGUN

    def left(self) -> float:
        """Returns the seconds that are left."""
        return self.seconds - self.spent()


def rate_factor(progress: float, warmup: float, final: float) -> float:
    """Returns the share of the highest rate at a point 0…1 of the run.

    It rises in a line, then falls along a cosine to `final`.
    """
    if progress < warmup:
        return max(progress / warmup, 1e-3)
    fallen = min(1.0, (progress - warmup) / max(1e-9, 1 - warmup))
    return final + (1 - final) * 0.5 * (1 + math.cos(math.pi * fallen))


class Log:
    """Lines of JSON, in a file and on standard output."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file = open(path, "a", encoding="utf-8")  # noqa: SIM115
        self.clock = Clock(None)

    def write(self, kind: str, **facts: Any) -> None:
        """Writes a line at once, so that a watcher sees it and a crash keeps it."""
        line = {"kind": kind, "seconds": round(self.clock.spent(), 1), **_rounded(facts)}
        text = json.dumps(line)
        for out in (self.file, sys.stdout):
            out.write(text + "\n")
            out.flush()


def _rounded(value: Any) -> Any:
    """Rounds floats to six digits and turns what JSON cannot say into null."""
    match value:
        case float():
            return float(f"{value:.6g}") if math.isfinite(value) else None
        case dict():
            return {key: _rounded(it) for key, it in value.items()}
        case list() | tuple():
            return [_rounded(it) for it in value]
    return value
