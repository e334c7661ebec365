"""A trained network as a KataGo file, with a card that says where it comes from.

The second policy channel of a file is KataGo's "optimistic" policy, which its
search uses. Ours is a help in training (the opponent's reply), so the exported
one is the first again. What was written is read back and compared before it
counts as written.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from . import katago_format as kata
from .config import Config
from .nets import META_CHANNELS, Net, build, from_file, to_file
from .records import GLOBALS, PLANES, SIDE


class ExportError(Exception):
    """A network that cannot be written, or not as it should be."""


def export(net: Net, path: Path, config: Config, facts: dict[str, Any]) -> dict[str, Any]:
    """Writes `path` and its card beside it; returns the card."""
    name = f"{config.keep.name}-{config.net.name}"
    file = to_file(net, name)
    _copy_policy(file)
    if config.keep.mantissa < 23:
        _shorten(file, config.keep.mantissa)
    part = path.with_name(path.name + ".part")
    kata.write(file, part)
    size = part.stat().st_size
    if size > config.keep.most_bytes:
        raise ExportError(f"{part} has {size} bytes; at most {config.keep.most_bytes} are allowed")
    error = _difference(net, from_file(kata.read(part)))
    if config.keep.mantissa == 23 and error > 1e-3:
        raise ExportError(f"{part} read back differs by {error:.2g} in a policy logit")
    part.replace(path)
    card = {
        "name": name,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "bytes": size,
        "weights": sum(it.numel() for it in net.parameters()),
        "format_version": net.version,
        "read_back_error": error,
        **facts,
        "settings": config.as_dict(),
    }
    write_card(path, card)
    return card


def write_card(net: Path, card: dict[str, Any]) -> None:
    """Writes the card as JSON, for programs, and as Markdown, for people."""
    stem = net.name.removesuffix(".gz").removesuffix(".bin")
    net.with_name(stem + ".json").write_text(json.dumps(card, indent=1) + "\n")
    net.with_name(stem + ".md").write_text(_markdown(card))


def _markdown(card: dict[str, Any]) -> str:
    lines = [f"# {card['name']}", ""]
    for key in ("date", "commit", "sha256", "bytes", "weights", "format_version", "positions"):
        if key in card:
            lines.append(f"* {key}: {card[key]}")
    for key in ("data", "began_with", "teachers"):
        for it in card.get(key, []):
            lines.append(f"* {key}: {it}")
    measures = card.get("measures") or {}
    if measures:
        columns = sorted({name for row in measures.values() for name in row})
        lines += ["", "| held out | " + " | ".join(columns) + " |"]
        lines.append("|---" * (len(columns) + 1) + "|")
        for group, row in measures.items():
            cells = [f"{row[name]:.4g}" if name in row else "" for name in columns]
            lines.append(f"| {group} | " + " | ".join(cells) + " |")
    lines += ["", "## Settings", "", "```json", json.dumps(card["settings"], indent=1), "```", ""]
    return "\n".join(lines)


def from_checkpoint(state: dict[str, Any]) -> tuple[Net, Config]:
    """Returns the averaged network of a checkpoint."""
    config = Config.of_dict(state["config"])
    net = build(config.net)
    live = [it for it in net.state_dict().values() if it.is_floating_point()]
    with torch.no_grad():
        torch._foreach_copy_(live, state["average"])
    return net.eval(), config


def _copy_policy(file: kata.KataNet) -> None:
    """Makes every policy channel the first."""
    conv, last = file.policy.p2_conv, file.policy.pass2
    conv.weights = np.repeat(conv.weights[..., :1], conv.outputs, -1)
    last.weights = np.repeat(last.weights[..., :1], last.outputs, -1)


def _shorten(record: Any, bits: int) -> None:
    """Rounds every large array to `bits` bits of mantissa, which gzip then packs tighter."""
    for name, value in vars(record).items():
        if isinstance(value, np.ndarray) and value.ndim > 1:
            setattr(record, name, round_mantissa(value, bits))
        elif isinstance(value, list):
            for it in value:
                if hasattr(it, "__dataclass_fields__"):
                    _shorten(it, bits)
        elif hasattr(value, "__dataclass_fields__"):
            _shorten(value, bits)


def round_mantissa(values: np.ndarray, bits: int) -> np.ndarray:
    """Rounds floats to the nearest with `bits` bits of mantissa."""
    cut = 23 - bits
    raw = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    raw = (raw + (1 << (cut - 1))) >> cut << cut
    return raw.astype(np.uint32).view(np.float32)


@torch.no_grad()
def _difference(net: Net, again: Net) -> float:
    """Returns the largest difference of a policy logit on random positions."""
    random = torch.Generator().manual_seed(1)
    planes = (torch.rand(4, PLANES, SIDE, SIDE, generator=random) < 0.1).float()
    planes[:, 0] = 0
    for i, side in enumerate((19, 13, 9, 7)):
        planes[i, 0, :side, :side] = 1
    planes *= planes[:, :1]
    globals_ = torch.randn(4, GLOBALS, generator=random) * 0.3
    meta = torch.zeros(4, META_CHANNELS) if net.knows_player else None
    device = next(net.parameters()).device
    was_training = net.training
    net.eval()
    here = net(planes.to(device), globals_.to(device), None if meta is None else meta.to(device))
    net.train(was_training)
    there = again(planes, globals_, meta)
    return float((here.policy[:, 0].cpu() - there.policy[:, 0]).abs().max())
