"""Beginning with the weights of an earlier run, of the same shape or of a smaller one.

The first blocks are the earlier run's. Each further block begins by adding nothing to
what passes through it, and what a wider value head has more is not listened to at first:
a larger net begins as good as the one it grew from.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .export import from_checkpoint
from .nets import Net

_LAST = ("conv2.weight", "output.weight", "linear2.weight")
"""What a block of any kind adds goes through one of these."""
_HEAD = "value."
_MEANS = 3
"""How often the value head's hidden layer sees each channel: its mean by powers of the size."""


class StartError(Exception):
    """A checkpoint that a net of this shape cannot begin with."""


@torch.no_grad()
def start(net: Net, state: dict[str, Any]) -> None:
    """Fills a net with the averaged weights of a checkpoint."""
    earlier, _ = from_checkpoint(state)
    known = earlier.state_dict()
    added = [f"trunk.blocks.{i}." for i in range(len(earlier.trunk.blocks), len(net.trunk.blocks))]
    for name, tensor in net.state_dict().items():
        found = known.pop(name, None)
        if found is None and name.startswith(tuple(added)):
            if name.endswith(_LAST):
                tensor.zero_()
        elif found is not None and found.shape == tensor.shape:
            tensor.copy_(found)
        elif found is not None and name.startswith(_HEAD) and _fits(found, tensor):
            _widen(tensor, found, name)
        else:
            was = "missing" if found is None else tuple(found.shape)
            raise StartError(
                f"a {net.name} cannot begin as a {earlier.name}: "
                f"{name} is {tuple(tensor.shape)}, was {was}"
            )
    if known:
        raise StartError(f"a {net.name} cannot begin as a {earlier.name}: it has no {min(known)}")


def _fits(found: Tensor, tensor: Tensor) -> bool:
    return all(old <= new for old, new in zip(found.shape, tensor.shape, strict=True))


def _widen(tensor: Tensor, found: Tensor, name: str) -> None:
    """Copies what was there; of it, nothing listens to what is new."""
    rows = found.shape[0]
    if tensor.dim() == 1:
        tensor[:rows] = found
        return
    tensor[:rows].zero_()
    if name == _HEAD + "v2.weight":
        new, old = tensor.unflatten(1, (_MEANS, -1)), found.unflatten(1, (_MEANS, -1))
        new[:rows, :, : old.shape[2]] = old
    else:
        tensor[:rows, : found.shape[1]] = found
