"""Beginning with the weights of an earlier run, of the same shape or of fewer blocks.

The first blocks are the earlier run's. Each further block begins by adding nothing to
what passes through it, so that a deeper net begins as good as the one it grew from.
"""

from __future__ import annotations

from typing import Any

import torch

from .export import from_checkpoint
from .nets import Net

_LAST = ("conv2.weight", "output.weight", "linear2.weight")
"""What a block of any kind adds goes through one of these."""


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
        if found is not None and found.shape == tensor.shape:
            tensor.copy_(found)
        elif found is not None or not name.startswith(tuple(added)):
            raise StartError(f"a {net.name} cannot begin as a {earlier.name}: {name} differs")
        elif name.endswith(_LAST):
            tensor.zero_()
    if known:
        raise StartError(f"a {net.name} cannot begin as a {earlier.name}: it has no {min(known)}")
