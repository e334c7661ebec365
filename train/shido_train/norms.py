"""Batch norms that train on what they are used with.

A batch norm trains on the statistics of its batch and is used with averages of them.
The two differ where batches do: here each batch has boards of one frame, and 9×9
boards are not like 19×19 boards. A net that begins with another's weights can train on the
averages instead: they are measured over all kinds of batches before the first step and
follow slowly (`layers.BatchNorm.anchored`). It then trains as what it will be used as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn

from .layers import BatchNorm

_MOMENTUM = 0.03
"""What a batch counts in the measured statistics; later norms see those of earlier ones."""


def _learning(net: nn.Module) -> list[BatchNorm]:
    return [it for it in net.modules() if isinstance(it, BatchNorm) and it.learns]


def anchor(net: nn.Module) -> None:
    """Has every norm train on its running statistics."""
    for norm in _learning(net):
        norm.anchored = True


@torch.no_grad()
def settle(net: nn.Module, forward: Callable[[Any], object], batches: Iterable[Any]) -> None:
    """Measures the statistics of a net on batches, each run through `forward`."""
    hooks = [norm.register_forward_pre_hook(_follow) for norm in _learning(net)]
    was_training = net.training
    net.eval()
    try:
        for batch in batches:
            forward(batch)
    finally:
        net.train(was_training)
        for hook in hooks:
            hook.remove()


def _follow(norm: BatchNorm, inputs: tuple[Any, ...]) -> None:
    mean, variance = norm.statistics(*inputs)
    norm.mean.lerp_(mean, _MOMENTUM)
    norm.variance.lerp_(variance, _MOMENTUM)
