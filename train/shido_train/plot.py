"""The curves of runs, drawn from their logs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def read_log(path: Path) -> list[dict[str, Any]]:
    """Reads the lines of a log; a last line cut short by a crash is left out."""
    lines = []
    for text in path.read_text(encoding="utf-8").splitlines():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            continue
    return lines


def plot(logs: Sequence[Path], out: Path) -> None:
    """Draws loss, accuracy, evidence and value of every run over positions."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(11, 7), constrained_layout=True)
    panels = {"loss": axes[0, 0], "top1": axes[0, 1], "log_evidence": axes[1, 0]}
    panels["value_ce"] = axes[1, 1]
    for path in logs:
        lines = read_log(path)
        name = next((it["net"] for it in lines if it["kind"] == "start"), path.parent.name)
        train = [it for it in lines if it["kind"] == "train"]
        panels["loss"].plot(
            [it["positions"] / 1e6 for it in train],
            [it["loss"]["total"] for it in train],
            label=name,
        )
        held_out = [it for it in lines if it["kind"] == "measure"]
        for key in ("top1", "log_evidence", "value_ce"):
            pairs = [
                (it["positions"] / 1e6, it["measures"]["all"][key])
                for it in held_out
                if key in it["measures"].get("all", {})
            ]
            panels[key].plot([x for x, _ in pairs], [y for _, y in pairs], "o-", label=name)
    titles = {
        "loss": "training loss",
        "top1": "held out: top-1 accuracy",
        "log_evidence": "held out: mean log evidence",
        "value_ce": "held out: value cross entropy",
    }
    for key, axis in panels.items():
        axis.set_title(titles[key])
        axis.set_xlabel("million positions")
        axis.grid(alpha=0.3)
    panels["loss"].set_yscale("log")
    panels["loss"].legend()
    figure.savefig(out)
    plt.close(figure)
