"""Muon: steps whose matrices have all singular values near 1.

(Keller Jordan and others, "Muon: An optimizer for hidden layers in neural networks", 2024.)

PyTorch's own takes matrices alone; here a convolution counts as the matrix from what one
output sees to that output, and weights of one shape are turned together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor, nn

_MOMENTUM = 0.95
_ITERATIONS = 5
_POLYNOMIAL = (3.4445, -4.7750, 2.0315)
"""Brings singular values of 0…1 near 1 when applied a few times."""
_LENGTH = 0.2
"""Root mean square of a step, by the rate: about AdamW's, so that one rate serves both."""


class Muon(torch.optim.Optimizer):
    """For the matrices and convolutions of blocks."""

    def __init__(self, weights: Iterable[nn.Parameter], rate: float, decay: float) -> None:
        super().__init__(weights, {"lr": rate, "weight_decay": decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:
        """Moves all weights that have a gradient."""
        assert closure is None, "gradients are computed before the step"
        for group in self.param_groups:
            alike: dict[tuple[int, int], list[nn.Parameter]] = {}
            for weight in group["params"]:
                if weight.grad is not None:
                    alike.setdefault((len(weight), weight[0].numel()), []).append(weight)
            for weights in alike.values():
                self._move(weights, group["lr"], group["weight_decay"])

    def _move(self, weights: list[nn.Parameter], rate: float, decay: float) -> None:
        pushes = [self._push(it) for it in weights]
        turned = orthogonal(torch.stack([it.flatten(1) for it in pushes]))
        length = _LENGTH * max(turned.shape[1:]) ** 0.5
        steps = [step.view(it.shape) for it, step in zip(weights, turned, strict=True)]
        torch._foreach_mul_(weights, 1 - rate * decay)
        torch._foreach_add_(weights, steps, alpha=-rate * length)

    def _push(self, weight: nn.Parameter) -> Tensor:
        """Returns the gradient carried on by those before it (Nesterov's momentum)."""
        state = self.state[weight]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(weight)
        momentum = state["momentum_buffer"].lerp_(weight.grad, 1 - _MOMENTUM)
        return weight.grad.lerp(momentum, _MOMENTUM)


def orthogonal(matrices: Tensor) -> Tensor:
    """Returns `[n, rows, columns]` with the same singular vectors and values near 1."""
    x = matrices.bfloat16() if matrices.is_cuda else matrices
    tall = x.shape[1] > x.shape[2]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    a, b, c = _POLYNOMIAL
    for _ in range(_ITERATIONS):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return (x.mT if tall else x).to(matrices.dtype)
