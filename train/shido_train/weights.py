"""The moving parts of training: averaged weights, optimizers, checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .config import Optimization
from .layers import Conv, Matrix, Trunk
from .muon import Muon


class Average:
    """A moving average of all weights and statistics, smoother than the last step's."""

    def __init__(self, net: nn.Module, decay: float) -> None:
        self.decay = decay
        self.live = [it for it in net.state_dict().values() if it.is_floating_point()]
        self.kept = [it.clone() for it in self.live]

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Moves towards the weights as they are; quickly in the first steps."""
        decay = min(self.decay, (1 + step) / (10 + step))
        torch._foreach_lerp_(self.kept, self.live, 1 - decay)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Puts the averages into the network for a while."""
        with torch.no_grad():
            saved = [it.clone() for it in self.live]
            torch._foreach_copy_(self.live, self.kept)
            try:
                yield
            finally:
                torch._foreach_copy_(self.live, saved)

    def state(self) -> list[Tensor]:
        """Returns what `restore` takes."""
        return self.kept

    @torch.no_grad()
    def restore(self, state: list[Tensor]) -> None:
        """Takes back what `state` returned."""
        torch._foreach_copy_(self.kept, [it.to(self.kept[0].device) for it in state])


def optimizers(
    net: nn.Module, settings: Optimization, device: torch.device
) -> list[torch.optim.Optimizer]:
    """Returns what moves the weights: AdamW, and Muon for what multiplies in the blocks."""
    matrices, decayed, plain = _sorted_parameters(net)
    if settings.optimizer == "adamw":
        decayed, matrices = decayed + matrices, []
    groups = [
        {"params": decayed, "weight_decay": settings.decay},
        {"params": plain, "weight_decay": 0.0},
    ]
    fused = {"fused": True} if device.type == "cuda" else {}
    found: list[torch.optim.Optimizer] = [
        torch.optim.AdamW(groups, settings.rate, betas=(0.9, 0.98), eps=1e-8, **fused)
    ]
    if matrices:
        found.append(Muon(matrices, settings.rate, settings.decay))
    return found


def _sorted_parameters(
    net: nn.Module,
) -> tuple[list[nn.Parameter], list[nn.Parameter], list[nn.Parameter]]:
    """Returns what multiplies in the blocks, other weights that decay, and those that do not."""
    matrices: list[nn.Parameter] = []
    decayed: list[nn.Parameter] = []
    for module in net.modules():
        if isinstance(module, Trunk):
            blocks = module.blocks.modules()
            matrices += [it.weight for it in blocks if isinstance(it, Conv | Matrix)]
    seen = {id(it) for it in matrices}
    for module in net.modules():
        if isinstance(module, Conv | Matrix) and id(module.weight) not in seen:
            decayed.append(module.weight)
    seen |= {id(it) for it in decayed}
    return matrices, decayed, [it for it in net.parameters() if id(it) not in seen]


def save(path: Path, state: dict[str, Any]) -> None:
    """Writes a checkpoint; the last one stays until this one is whole."""
    part = path.with_name(path.name + ".part")
    torch.save(state, part)
    part.replace(path)


def load(path: Path) -> dict[str, Any]:
    """Reads a checkpoint onto the CPU."""
    return torch.load(path, map_location="cpu", weights_only=True)
