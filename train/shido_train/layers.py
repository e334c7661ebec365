"""The layers and blocks of a network, as modules that train and infer.

Each module bears the name of a record of `katago_format.py` and its parts bear
the names of that record's fields, so that `convert.py` needs no table of weights.
Boards of any size lie in a frame; a `Frame` says which points are on the board,
and no layer lets anything off the board influence what is on it. Sums over the
board are taken in float32, whatever the precision of the rest.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

OFF_BOARD = -1e4
"""The logit of a point that is not on the board."""


class Frame(NamedTuple):
    """Where the boards of a batch are."""

    mask: Tensor
    """`[n, 1, y, x]`, 1 on the board."""
    area: Tensor
    """`[n, 1]`, points on the board."""
    key_bias: Tensor | None
    """`[n, 1, 1, points]` added to attention's logits; none if every board fills the frame."""

    @staticmethod
    def of(planes: Tensor, full: bool) -> Frame:
        """Reads the boards off plane 0; `full` promises that they fill the frame."""
        mask = planes[:, :1].float()
        bias = None if full else (1 - mask.flatten(2)).unsqueeze(1) * OFF_BOARD
        return Frame(mask, mask.sum((2, 3)), bias)


class Parts(nn.Module):
    """A module made of named parts, in the order of the record of the same name."""

    def __init__(self, **parts: object) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


class Activation(nn.Module):
    """What follows a norm."""

    KINDS = {"IDENTITY": lambda x: x, "RELU": F.relu, "MISH": F.mish, "SILU": F.silu}  # noqa: RUF012

    def __init__(self, kind: str) -> None:
        super().__init__()
        if kind not in self.KINDS:
            raise ValueError(f"unknown activation {kind!r}; known are {', '.join(self.KINDS)}")
        self.kind = kind

    def forward(self, x: Tensor) -> Tensor:
        """Applies it to every number."""
        return self.KINDS[self.kind](x)


class Conv(nn.Conv2d):
    """A convolution that keeps the size of the board."""

    def __init__(self, inputs: int, outputs: int, size: int = 3, dilation: int = 1) -> None:
        padding = dilation * (size // 2)
        super().__init__(inputs, outputs, size, padding=padding, dilation=dilation, bias=False)


class Matrix(nn.Linear):
    """A linear map without bias."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__(inputs, outputs, bias=False)


class Bias(nn.Module):
    """Numbers added to a vector."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(outputs))

    def forward(self, x: Tensor) -> Tensor:
        """Adds them."""
        return x + self.weight


class BatchNorm(nn.Module):
    """Scale and bias of each channel; before them, if it `learns`, batch statistics.

    One that does not learn statistics is the plain bias of KataGo's heads. One that is
    `anchored` trains on its running statistics, as it is used, but lets gradients flow as if
    they were the batch's, which keeps training as steady as theirs does (Sergey Ioffe, "Batch
    Renormalization", 2017).
    """

    MOMENTUM = 0.01
    MOST_SCALE, MOST_SHIFT = 3.0, 5.0
    """The largest factor, and the largest shift in deviations, between an anchored norm and
    the batch's own."""

    def __init__(
        self, channels: int, learns: bool = True, scale: bool = True, epsilon: float = 1e-4
    ) -> None:
        super().__init__()
        self.learns = learns
        self.anchored = False
        self.epsilon = epsilon
        self.scale = nn.Parameter(torch.ones(channels)) if scale else None
        self.bias = nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("variance", torch.ones(channels))

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Normalizes; in training over the on-board points of the batch."""
        wide = x.float()
        if self.learns and self.training:
            mean, variance = self.statistics(wide, frame)
            factor = torch.rsqrt(variance + self.epsilon)
            shift = -mean * factor
            if self.anchored:
                scale, offset = self._anchor(mean, variance)
                factor, shift = factor * scale, shift * scale + offset
            with torch.no_grad():
                self.mean.lerp_(mean, self.MOMENTUM)
                self.variance.lerp_(variance, self.MOMENTUM)
        else:
            factor = torch.rsqrt(self.variance + self.epsilon)
            shift = -self.mean * factor
        if self.scale is not None:
            factor, shift = factor * self.scale, shift * self.scale
        shift = shift + self.bias
        return (wide * factor[:, None, None] + shift[:, None, None]).to(x.dtype)

    @torch.no_grad()
    def _anchor(self, mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor]:
        """Returns what turns values normalized by the batch into those of the running norm."""
        running = torch.rsqrt(self.variance + self.epsilon)
        scale = (variance + self.epsilon).sqrt() * running
        offset = (mean - self.mean) * running
        scale = scale.clamp(1 / self.MOST_SCALE, self.MOST_SCALE)
        return scale, offset.clamp(-self.MOST_SHIFT, self.MOST_SHIFT)

    def statistics(self, x: Tensor, frame: Frame) -> tuple[Tensor, Tensor]:
        """Returns mean and variance of each channel over the on-board points of the batch."""
        wide = x.float()
        count = frame.area.sum()
        mean = (wide * frame.mask).sum((0, 2, 3)) / count
        centered = (wide - mean[:, None, None]) * frame.mask
        return mean, centered.square().sum((0, 2, 3)) / count


class RmsNorm(nn.Module):
    """Divides by the root mean square of a point, or (spatial) of the whole board."""

    def __init__(self, channels: int, spatial: bool = False, epsilon: float = 1e-6) -> None:
        super().__init__()
        self.spatial = spatial
        self.epsilon = epsilon
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Normalizes, scales and shifts."""
        wide = x.float()
        if self.spatial:
            total = (wide.square() * frame.mask).sum((1, 2, 3), keepdim=True)
            mean = total / (frame.area[:, :, None, None] * x.shape[1])
        else:
            mean = wide.square().mean(1, keepdim=True)
        y = wide * torch.rsqrt(mean + self.epsilon) * self.gamma[:, None, None]
        return (y + self.beta[:, None, None]).to(x.dtype)


class PointNorm(nn.Module):
    """Root-mean-square norm over the last axis, scaled."""

    def __init__(self, channels: int, epsilon: float = 1e-6) -> None:
        super().__init__()
        self.epsilon = epsilon
        self.weight = nn.Parameter(torch.ones(channels))

    def forward(self, x: Tensor) -> Tensor:
        """Normalizes and scales."""
        wide = x.float()
        factor = torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.epsilon)
        return (wide * factor * self.weight).to(x.dtype)


def normalize(x: Tensor, norm: nn.Module, activation: nn.Module, frame: Frame) -> Tensor:
    """Norm, activation, and 0 off the board."""
    return activation(norm(x, frame)) * frame.mask.to(x.dtype)


def pool(x: Tensor, frame: Frame) -> Tensor:
    """Mean, mean by the board's size, and maximum of each channel over the board."""
    wide = x.float()
    mean = wide.sum((2, 3)) / frame.area
    size = (frame.area.sqrt() - 14) * 0.1
    # Activations stay above −1, so a point off the board, at 0, falls below all others.
    highest = (wide + (frame.mask - 1)).amax((2, 3))
    return torch.cat([mean, mean * size, highest], 1)


def pool_value(x: Tensor, frame: Frame) -> Tensor:
    """Mean of each channel, alone and by the board's size and its square."""
    mean = x.float().sum((2, 3)) / frame.area
    size = (frame.area.sqrt() - 14) * 0.1
    return torch.cat([mean, mean * size, mean * (size.square() - 0.1)], 1)


def _exactly(x: Tensor) -> torch.autocast:
    """Keeps small sums over the whole board in float32 where the rest is not."""
    return torch.autocast(x.device.type, enabled=False)


def _spread(x: Tensor, like: Tensor) -> Tensor:
    """Brings `[n, c]` to every point of `like`."""
    return x.to(like.dtype)[:, :, None, None]


class Ordinary(Parts):
    """Two convolutions, added to their input."""

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Returns the stream after the block."""
        y = self.conv1(normalize(x, self.norm1, self.activation1, frame))
        return x + self.conv2(normalize(y, self.norm2, self.activation2, frame))


class GlobalPooling(Parts):
    """Two convolutions; the first gets a bias pooled from the whole board."""

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Returns the stream after the block."""
        y = normalize(x, self.norm1, self.activation1, frame)
        pooled = normalize(self.gpool_conv(y), self.gpool_norm, self.gpool_activation, frame)
        y = self.regular_conv(y)
        with _exactly(x):
            bias = self.gpool_to_bias(pool(pooled, frame))
        y = y + _spread(bias, y)
        return x + self.conv2(normalize(y, self.norm2, self.activation2, frame))


class NestedBottleneck(Parts):
    """A narrower stack of blocks between two 1×1 convolutions."""

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Returns the stream after the block."""
        y = self.pre_conv(normalize(x, self.pre_norm, self.pre_activation, frame))
        for block in self.blocks:
            y = block(y, frame)
        return x + self.post_conv(normalize(y, self.post_norm, self.post_activation, frame))


class FixedRotation(nn.Module):
    """Half of the pairs turn with the row, half with the column, ever slower."""

    def __init__(self, theta: float) -> None:
        super().__init__()
        self.theta = theta

    def angles(self, y: Tensor, x: Tensor, pairs: int) -> Tensor:
        """Returns `[points, 1, pairs]`."""
        half = torch.arange(pairs // 2, device=y.device, dtype=torch.float32)
        frequencies = torch.exp(half * (-2 / pairs * math.log(self.theta)))
        turns = torch.cat([y[:, None] * frequencies, x[:, None] * frequencies], 1)
        return turns[:, None]


class LearnedRotation(nn.Module):
    """Each pair of each key head turns by `x·fx + y·fy`."""

    def __init__(self, heads: int, pairs: int) -> None:
        super().__init__()
        self.frequencies = nn.Parameter(torch.zeros(heads, pairs, 2))

    def angles(self, y: Tensor, x: Tensor, pairs: int) -> Tensor:
        """Returns `[points, key heads, pairs]`."""
        assert self.frequencies.shape[1] == pairs
        fx, fy = self.frequencies.unbind(-1)
        return x[:, None, None] * fx + y[:, None, None] * fy


class Attention(Parts):
    """Every point looks at every other; added to its input."""

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Returns the stream after the block."""
        n, _, height, width = x.shape
        points = x.permute(0, 2, 3, 1).reshape(n, height * width, -1)
        normed = self.norm(points)
        q = self.query(normed).unflatten(-1, (self.heads, self.query_width))
        k = self.key(normed).unflatten(-1, (self.kv_heads, self.query_width))
        v = self.value(normed).unflatten(-1, (self.kv_heads, self.value_width))
        if self.rotation is not None:
            angles = self._angles(height, width, x.device)
            k = _turn(k, angles)
            if angles.shape[1] != 1:
                angles = angles.repeat_interleave(self.heads // self.kv_heads, 1)
            q = _turn(q, angles)
        if self.heads != self.kv_heads:
            k = k.repeat_interleave(self.heads // self.kv_heads, 2)
            v = v.repeat_interleave(self.heads // self.kv_heads, 2)
        q, k, v = (it.transpose(1, 2) for it in (q, k, v))
        bias = None if frame.key_bias is None else frame.key_bias.to(q.dtype)
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        seen = self.output(seen.transpose(1, 2).flatten(2))
        return x + _to_board(seen, x, frame)

    def _angles(self, height: int, width: int, device: torch.device) -> Tensor:
        index = torch.arange(height * width, device=device)
        y = torch.div(index, width, rounding_mode="floor").float()
        x = (index % width).float()
        return self.rotation.angles(y, x, self.query_width // 2)


def _turn(x: Tensor, angles: Tensor) -> Tensor:
    """Turns each pair of neighbors of `[n, points, heads, width]`."""
    cos, sin = angles.cos(), angles.sin()
    a, b = x.float().unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2).to(x.dtype)


def _to_board(points: Tensor, like: Tensor, frame: Frame) -> Tensor:
    """Brings `[n, points, c]` back to a board, 0 off it."""
    board = points.unflatten(1, like.shape[2:]).permute(0, 3, 1, 2)
    return board.to(like.dtype) * frame.mask.to(like.dtype)


class FeedForward(Parts):
    """`silu(x·linear1) ⊙ (x·gate)`, then `linear2`; added to its input."""

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Returns the stream after the block."""
        normed = self.norm(x.permute(0, 2, 3, 1).flatten(1, 2))
        hidden = F.silu(self.linear1(normed))
        if self.gate is not None:
            hidden = hidden * self.gate(normed)
        return x + _to_board(self.linear2(hidden), x, frame)


class MetaEncoder(Parts):
    """Turns the description of a player into channels of the trunk."""

    def forward(self, meta: Tensor) -> Tensor:
        """Returns `[n, channels]`."""
        y = self.first_activation(self.first_bias(self.first(meta)))
        y = self.second_activation(self.second_bias(self.second(y)))
        return self.third(y)


class PolicyHead(Parts):
    """Where to play: a logit for each point of the frame and for pass."""

    def forward(self, x: Tensor, frame: Frame) -> Tensor:
        """Returns `[n, channels, points + 1]` in float32."""
        pooled = pool(normalize(self.g1_conv(x), self.g1_norm, self.g1_activation, frame), frame)
        with _exactly(x):
            bias = self.gpool_to_bias(pooled)
            passing = self.pass1(pooled)
            if self.pass2 is not None:
                passing = self.pass2(self.pass_activation(self.pass_bias(passing)))
        y = self.p1_conv(x)
        y = y + _spread(bias, y)
        board = self.p2_conv(normalize(y, self.p1_norm, self.p1_activation, frame)).float()
        board = board.masked_fill(frame.mask == 0, OFF_BOARD).flatten(2)
        return torch.cat([board, passing[:, :, None]], 2)


class ValueHead(Parts):
    """Who wins, by how much, who owns what; all before softmax, softplus and tanh."""

    def forward(self, x: Tensor, frame: Frame) -> tuple[Tensor, Tensor, Tensor]:
        """Returns value `[n, 3]`, scores `[n, 4 or 6]`, ownership `[n, points]`, in float32."""
        y = normalize(self.v1_conv(x), self.v1_norm, self.v1_activation, frame)
        with _exactly(x):
            hidden = self.v2_activation(self.v2_bias(self.v2(pool_value(y, frame))))
            value = self.v3_bias(self.v3(hidden))
            scores = self.sv3_bias(self.sv3(hidden))
        return value, scores, self.ownership_conv(y).float().flatten(1)


class Trunk(Parts):
    """The blocks and what feeds them."""

    def forward(
        self, planes: Tensor, globals_: Tensor, meta: Tensor | None, frame: Frame
    ) -> Tensor:
        """Returns what both heads read."""
        x = self.initial_conv(planes)
        with _exactly(x):
            whole = self.initial_matrix(globals_)
            if self.meta_encoder is not None:
                if meta is None:
                    raise ValueError("this network needs the description of a player")
                whole = whole + self.meta_encoder(meta)
        x = (x + _spread(whole, x)) * frame.mask.to(x.dtype)
        for block in self.blocks:
            x = block(x, frame)
        return normalize(x, self.tip_norm, self.tip_activation, frame)
