"""A whole network, and the shapes we train.

`Net` is what a KataGo file holds, as one module: the same class is the teacher
read from a file and the student built from a `Shape`. A shape names the sizes;
everything a file does not store (how weights begin) is decided here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from . import katago_format as kata
from . import layers
from .convert import to_module, to_record
from .records import GLOBALS, PLANES, SCORES

META_CHANNELS = 192


class Outputs(NamedTuple):
    """What a network says, before softmax, softplus and tanh."""

    policy: Tensor
    """`[n, channels, 362]`; channel 0 is the move to play."""
    value: Tensor
    """`[n, 3]`: win, loss, no result."""
    scores: Tensor
    """`[n, 4 or 6]`: mean, deviation, lead, variance time, two short-term errors."""
    ownership: Tensor
    """`[n, 361]`."""


class Multipliers(NamedTuple):
    """What turns the score outputs into points; the values every known net has."""

    td_score: float = 20.0
    score_mean: float = 20.0
    score_deviation: float = 20.0
    lead: float = 20.0
    variance_time: float = 40.0
    value_error: float = 0.25
    score_error: float = 150.0


@dataclass(frozen=True)
class Shape:
    """The sizes of a network to train.

    `kind` is "residual" (blocks of two convolutions, every `gpool_every`-th with
    pooling) or "transformer" (`blocks` pairs of attention and feed-forward).
    """

    kind: str
    blocks: int
    channels: int
    heads: int = 0
    """Attention: query heads of `channels / heads` each."""
    kv_heads: int = 0
    """Attention: key heads, as many as query heads if 0."""
    hidden: int = 0
    """Feed-forward: hidden channels, 8/3 of `channels` in multiples of 32 if 0."""
    rotation: str = "fixed"
    """Attention: "fixed" or "learned" rotary positions."""
    theta: float = 100.0
    """Attention: the base of fixed frequencies."""
    gpool_every: int = 3
    gpool_channels: int = 32
    head_channels: int = 32
    value_channels: int = 0
    """Channels of the value head, `head_channels` if 0."""
    value_hidden: int = 64
    meta_hidden: int = 0
    """Hidden channels of the player's encoder; 0 for a net that knows no player."""
    activation: str = "SILU"
    initial_kernel: int = 3

    @property
    def name(self) -> str:
        """Returns a short name such as b7c96h3tf or b6c96."""
        if self.kind == "residual":
            tail = ""
        else:
            shared = f"kv{self.kv_heads}" if self.kv_heads else ""
            tail = f"h{self.heads}{shared}" + ("tfl" if self.rotation == "learned" else "tf")
        return f"b{self.blocks}c{self.channels}{tail}" + ("-meta" if self.meta_hidden else "")

    def check(self) -> None:
        """Raises `ValueError` for sizes that do not fit together."""
        if self.kind not in ("residual", "transformer"):
            raise ValueError(f"net.kind is {self.kind!r}, not residual or transformer")
        sizes = (self.blocks, self.channels, self.head_channels, self.value_hidden)
        if min(sizes) < 1 or self.value_channels < 0:
            raise ValueError("a net needs blocks and channels above 0")
        if self.kind == "transformer":
            heads, kv_heads = self.heads, self.kv_heads or self.heads
            if heads < 1 or self.channels % heads or self.channels // heads % 4:
                raise ValueError(
                    f"{self.channels} channels in {heads} heads: each head needs a multiple of 4"
                )
            if heads % kv_heads:
                raise ValueError(f"{heads} query heads do not share {kv_heads} key heads evenly")
            if self.rotation not in ("fixed", "learned"):
                raise ValueError(f"net.rotation is {self.rotation!r}, not fixed or learned")
        elif self.gpool_channels >= self.channels:
            raise ValueError("net.gpool_channels must be below net.channels")


class Net(nn.Module):
    """A network of any shape."""

    def __init__(
        self,
        trunk: nn.Module,
        policy: nn.Module,
        value: nn.Module,
        multipliers: Multipliers | None = None,
        version: int = kata.NEWEST,
        name: str = "",
    ) -> None:
        super().__init__()
        self.trunk = trunk
        self.policy = policy
        self.value = value
        self.multipliers = multipliers or Multipliers()
        self.version = version
        self.name = name

    @property
    def knows_player(self) -> bool:
        """Whether it needs the description of a player."""
        return self.trunk.meta_encoder is not None

    def forward(
        self, planes: Tensor, globals_: Tensor, meta: Tensor | None = None, full: bool = False
    ) -> Outputs:
        """Evaluates `[n, 22, y, x]` planes; `full`: every board fills the frame."""
        if planes.is_cuda:
            # Points then lie together in memory, as convolutions and attention want them.
            planes = planes.contiguous(memory_format=torch.channels_last)
        frame = layers.Frame.of(planes, full)
        x = self.trunk(planes, globals_, meta, frame)
        return Outputs(self.policy(x, frame), *self.value(x, frame))

    def points(self, scores: Tensor) -> Tensor:
        """Turns the score outputs into points and errors, `[n, 6]`; NaN for what is missing."""
        m = self.multipliers
        mean, deviation, lead, time = scores[:, :4].unbind(1)
        unknown = torch.full_like(mean, math.nan)
        columns = [
            mean * m.score_mean,
            F.softplus(deviation) * m.score_deviation,
            lead * m.lead,
            F.softplus(time) * m.variance_time if self.version >= 9 else unknown,
        ]
        if scores.shape[1] == SCORES:
            columns.append(self._error(scores[:, 4], m.value_error, 1.0))
            columns.append(self._error(scores[:, 5], m.score_error, 10.0))
        else:
            columns += [unknown, unknown]
        return torch.stack(columns, 1)

    def _error(self, raw: Tensor, multiplier: float, oldest: float) -> Tensor:
        """Turns a short-term error into its unit, as each version of the format does."""
        if self.version >= 14:
            return F.softplus(raw * 0.5) * math.sqrt(multiplier)
        if self.version >= 10:
            return (F.softplus(raw) * multiplier).sqrt()
        return F.softplus(raw) * oldest


def load(path: Path) -> Net:
    """Reads a KataGo file."""
    return from_file(kata.read(path))


def from_file(file: kata.KataNet) -> Net:
    """Builds the module of a file."""
    multipliers = Multipliers()._replace(score_error=30.0)
    if file.version >= 13:
        multipliers = Multipliers(*(getattr(file, name) for name in Multipliers._fields))
    parts = (to_module(file.trunk), to_module(file.policy), to_module(file.value))
    return Net(*parts, multipliers, file.version, file.name).eval()


def to_file(net: Net, name: str) -> kata.KataNet:
    """Returns the file of a network whose version is 15 or newer."""
    if net.version < 15:
        raise ValueError(f"networks are written from version 15 on, not {net.version}")
    trunk = to_record(net.trunk, "trunk")
    trunk.norm_kind = int(isinstance(trunk.tip_norm, kata.RmsNorm))
    trunk.spare = [0] * 5
    trunk.has_meta = net.knows_player
    policy = to_record(net.policy, "policy")
    policy.channels, policy.spare = policy.p2_conv.outputs, [0] * 3
    value = to_record(net.value, "value")
    value.spare = [0] * 3
    return kata.KataNet(
        name,
        net.version,
        PLANES,
        GLOBALS,
        *net.multipliers,
        meta_version=int(net.knows_player),
        spare=[0] * 7,
        trunk=trunk,
        policy=policy,
        value=value,
    )


POLICIES = 2
"""Policy channels we train: the move, and the opponent's reply, a help that is not exported."""


def build(shape: Shape) -> Net:
    """Builds a fresh network; seed torch first."""
    shape.check()
    residual = shape.kind == "residual"
    make = _residual_blocks if residual else _transformer_blocks
    tip = layers.BatchNorm(shape.channels) if residual else layers.RmsNorm(shape.channels)
    blocks = make(shape)
    trunk = layers.Trunk(
        count=len(blocks),
        channels=shape.channels,
        mid_channels=shape.channels,
        regular_channels=shape.channels - min(shape.gpool_channels, shape.channels // 2),
        dilated_channels=shape.gpool_channels,
        gpool_channels=shape.gpool_channels,
        initial_conv=_conv(PLANES, shape.channels, shape.initial_kernel),
        initial_matrix=_matrix(GLOBALS, shape.channels),
        meta_encoder=_meta_encoder(shape) if shape.meta_hidden else None,
        blocks=blocks,
        tip_norm=tip,
        tip_activation=layers.Activation(shape.activation),
    )
    # Version 15 is the oldest with all that our residual nets hold, 17 the first
    # that promises to know attention.
    version = 15 if residual else 17
    return Net(trunk, _policy_head(shape), _value_head(shape), None, version, shape.name)


def _residual_blocks(shape: Shape) -> nn.ModuleList:
    blocks = nn.ModuleList()
    for i in range(shape.blocks):
        pools = shape.gpool_every > 0 and i % shape.gpool_every == shape.gpool_every - 1
        blocks.append(_pooling_block(shape) if pools else _ordinary_block(shape))
    return blocks


def _ordinary_block(shape: Shape) -> layers.Ordinary:
    c = shape.channels
    return layers.Ordinary(
        norm1=layers.BatchNorm(c),
        activation1=layers.Activation(shape.activation),
        conv1=_conv(c, c),
        norm2=layers.BatchNorm(c),
        activation2=layers.Activation(shape.activation),
        conv2=_conv(c, c, gain=1 / math.sqrt(shape.blocks)),
    )


def _pooling_block(shape: Shape) -> layers.GlobalPooling:
    c, g = shape.channels, shape.gpool_channels
    return layers.GlobalPooling(
        norm1=layers.BatchNorm(c),
        activation1=layers.Activation(shape.activation),
        regular_conv=_conv(c, c - g),
        gpool_conv=_conv(c, g),
        gpool_norm=layers.BatchNorm(g),
        gpool_activation=layers.Activation(shape.activation),
        gpool_to_bias=_matrix(3 * g, c - g),
        norm2=layers.BatchNorm(c - g),
        activation2=layers.Activation(shape.activation),
        conv2=_conv(c - g, c, gain=1 / math.sqrt(shape.blocks)),
    )


def _transformer_blocks(shape: Shape) -> nn.ModuleList:
    blocks = nn.ModuleList()
    for _ in range(shape.blocks):
        blocks.append(_attention(shape))
        blocks.append(_feed_forward(shape))
    return blocks


def _attention(shape: Shape) -> layers.Attention:
    c, heads, kv_heads = shape.channels, shape.heads, shape.kv_heads or shape.heads
    width = c // heads
    learned = shape.rotation == "learned"
    return layers.Attention(
        heads=heads,
        kv_heads=kv_heads,
        query_width=width,
        value_width=width,
        rotates=1,
        learns_rotation=int(learned),
        norm=layers.PointNorm(c),
        query=_matrix(c, c),
        key=_matrix(c, kv_heads * width),
        value=_matrix(c, kv_heads * width),
        output=_matrix(c, c, gain=1 / math.sqrt(2 * shape.blocks)),
        rotation=_rotation(kv_heads, width // 2) if learned else layers.FixedRotation(shape.theta),
    )


def _rotation(heads: int, pairs: int) -> layers.LearnedRotation:
    """Learned frequencies begin in every direction, from a turn in 6 points to one in 120."""
    rotation = layers.LearnedRotation(heads, pairs)
    with torch.no_grad():
        speed = torch.logspace(0, math.log10(0.05), pairs).expand(heads, pairs)
        direction = torch.rand(heads, pairs) * 2 * math.pi
        waves = torch.stack([speed * direction.cos(), speed * direction.sin()], -1)
        rotation.frequencies.copy_(waves)
    return rotation


def _feed_forward(shape: Shape) -> layers.FeedForward:
    c = shape.channels
    hidden = shape.hidden or -(-c * 8 // 3 // 32) * 32
    return layers.FeedForward(
        channels=c,
        hidden=hidden,
        gated=1,
        norm=layers.PointNorm(c),
        linear1=_matrix(c, hidden),
        gate=_matrix(c, hidden),
        linear2=_matrix(hidden, c, gain=1 / math.sqrt(2 * shape.blocks)),
    )


def _meta_encoder(shape: Shape) -> layers.MetaEncoder:
    hidden = shape.meta_hidden
    return layers.MetaEncoder(
        inputs=META_CHANNELS,
        first=_matrix(META_CHANNELS, hidden),
        first_bias=layers.Bias(hidden),
        first_activation=layers.Activation(shape.activation),
        second=_matrix(hidden, hidden),
        second_bias=layers.Bias(hidden),
        second_activation=layers.Activation(shape.activation),
        third=_matrix(hidden, shape.channels),
    )


def _policy_head(shape: Shape) -> layers.PolicyHead:
    c, h = shape.channels, shape.head_channels
    return layers.PolicyHead(
        p1_conv=_conv(c, h, 1),
        g1_conv=_conv(c, h, 1),
        g1_norm=_head_bias(h),
        g1_activation=layers.Activation(shape.activation),
        gpool_to_bias=_matrix(3 * h, h),
        p1_norm=_head_bias(h),
        p1_activation=layers.Activation(shape.activation),
        p2_conv=_conv(h, POLICIES, 1, gain=0.3),
        pass1=_matrix(3 * h, h),
        pass_bias=layers.Bias(h),
        pass_activation=layers.Activation(shape.activation),
        pass2=_matrix(h, POLICIES, gain=0.3),
    )


def _value_head(shape: Shape) -> layers.ValueHead:
    c, h, wide = shape.channels, shape.value_channels or shape.head_channels, shape.value_hidden
    return layers.ValueHead(
        v1_conv=_conv(c, h, 1),
        v1_norm=_head_bias(h),
        v1_activation=layers.Activation(shape.activation),
        v2=_matrix(3 * h, wide),
        v2_bias=layers.Bias(wide),
        v2_activation=layers.Activation(shape.activation),
        v3=_matrix(wide, 3),
        v3_bias=layers.Bias(3),
        sv3=_matrix(wide, SCORES, gain=0.3),
        sv3_bias=layers.Bias(SCORES),
        ownership_conv=_conv(h, 1, 1, gain=0.3),
    )


def _head_bias(channels: int) -> layers.BatchNorm:
    return layers.BatchNorm(channels, learns=False, scale=False, epsilon=1e-20)


def _conv(inputs: int, outputs: int, size: int = 3, gain: float = 1.0) -> layers.Conv:
    conv = layers.Conv(inputs, outputs, size)
    _begin(conv.weight, inputs * size * size, gain)
    return conv


def _matrix(inputs: int, outputs: int, gain: float = 1.0) -> layers.Matrix:
    matrix = layers.Matrix(inputs, outputs)
    _begin(matrix.weight, inputs, gain)
    return matrix


def _begin(weight: Tensor, inputs: int, gain: float) -> None:
    nn.init.trunc_normal_(weight, 0.0, gain / math.sqrt(inputs), -3.0, 3.0)
