"""KataGo's network files, read and written: plain data, every array in the file's order.

A file is gzip of whitespace-separated words; an array is `@BIN@` and its floats,
or, in `.txt.gz` files, decimal numbers. Each class below lists its fields in the
file's order, and one reader and one writer walk those lists; so what is read can
be written back byte for byte. Convolutions are `[y][x][in][out]`, matrices
`[in][out]`. Nothing here computes; `convert.py` turns these records into modules.
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np


class FormatError(Exception):
    """A file that is no network, or is cut short, or holds what nobody knows."""


def _spec(kind: str, since: int = 0, when: Callable[[Any], bool] | None = None, **more: Any) -> Any:
    """Describes a field: its kind, the version that has it first, a further condition."""
    return field(default=None, metadata={"kind": kind, "since": since, "when": when, **more})


def _text(since: int = 0) -> Any:
    return _spec("text", since)


def _int(since: int = 0) -> Any:
    return _spec("int", since)


def _float(since: int = 0, when: Callable[[Any], bool] | None = None) -> Any:
    return _spec("float", since, when)


def _ints(count: int, since: int) -> Any:
    return _spec("ints", since, count=count)


def _array(*dims: str, when: Callable[[Any], bool] | None = None) -> Any:
    return _spec("array", when=when, dims=dims)


def _part(cls: type | Callable[[Any], type], since: int = 0, when: Any = None) -> Any:
    return _spec("part", since, when, cls=cls)


def _blocks(count: str) -> Any:
    return _spec("blocks", count=count)


@dataclass
class Conv:
    """A convolution that keeps the size of the board."""

    name: str = _text()
    height: int = _int()
    width: int = _int()
    inputs: int = _int()
    outputs: int = _int()
    dilation_y: int = _int()
    dilation_x: int = _int()
    weights: np.ndarray = _array("height", "width", "inputs", "outputs")


@dataclass
class Matrix:
    """A linear map without bias."""

    name: str = _text()
    inputs: int = _int()
    outputs: int = _int()
    weights: np.ndarray = _array("inputs", "outputs")


@dataclass
class Bias:
    """Numbers added to a vector."""

    name: str = _text()
    outputs: int = _int()
    weights: np.ndarray = _array("outputs")


@dataclass
class Activation:
    """What follows a norm; ReLU wherever a version below 11 does not say."""

    name: str = _text()
    kind: str = _text(since=11)


@dataclass
class BatchNorm:
    """Batch norm, its statistics fixed by training."""

    name: str = _text()
    channels: int = _int()
    epsilon: float = _float()
    has_scale: int = _int()
    has_bias: int = _int()
    mean: np.ndarray = _array("channels")
    variance: np.ndarray = _array("channels")
    scale: np.ndarray | None = _array("channels", when=lambda it: it.has_scale)
    bias: np.ndarray | None = _array("channels", when=lambda it: it.has_bias)


@dataclass
class RmsNorm:
    """Root-mean-square norm of the trunk; spatial: one mean over the whole board."""

    name: str = _text()
    channels: int = _int()
    epsilon: float = _float()
    spatial: int = _int()
    channel_group: int = _int()
    gamma: np.ndarray = _array("channels")
    beta: np.ndarray = _array("channels")


@dataclass
class PointNorm:
    """Root-mean-square norm of each point, inside attention and feed-forward blocks."""

    name: str = _text()
    channels: int = _int()
    epsilon: float = _float()
    weight: np.ndarray = _array("channels")


@dataclass
class Ordinary:
    """Two convolutions."""

    name: str = _text()
    norm1: BatchNorm = _part(BatchNorm)
    activation1: Activation = _part(Activation)
    conv1: Conv = _part(Conv)
    norm2: BatchNorm = _part(BatchNorm)
    activation2: Activation = _part(Activation)
    conv2: Conv = _part(Conv)


@dataclass
class GlobalPooling:
    """Two convolutions with a pooled side channel."""

    name: str = _text()
    norm1: BatchNorm = _part(BatchNorm)
    activation1: Activation = _part(Activation)
    regular_conv: Conv = _part(Conv)
    gpool_conv: Conv = _part(Conv)
    gpool_norm: BatchNorm = _part(BatchNorm)
    gpool_activation: Activation = _part(Activation)
    gpool_to_bias: Matrix = _part(Matrix)
    norm2: BatchNorm = _part(BatchNorm)
    activation2: Activation = _part(Activation)
    conv2: Conv = _part(Conv)


@dataclass
class NestedBottleneck:
    """A narrower stack of blocks between two 1×1 convolutions."""

    name: str = _text()
    count: int = _int()
    pre_norm: BatchNorm = _part(BatchNorm)
    pre_activation: Activation = _part(Activation)
    pre_conv: Conv = _part(Conv)
    blocks: list[Block] = _blocks("count")
    post_norm: BatchNorm = _part(BatchNorm)
    post_activation: Activation = _part(Activation)
    post_conv: Conv = _part(Conv)


@dataclass
class FixedRotation:
    """Rotary positions whose frequencies fall from 1 by powers of `theta`."""

    name: str = _text()
    theta: float = _float()


@dataclass
class LearnedRotation:
    """Rotary positions with a frequency pair (x, y) for each pair of each key head."""

    name: str = _text()
    heads: int = _int()
    pairs: int = _int()
    axes: int = _int()
    frequencies: np.ndarray = _array("heads", "pairs", "axes")


@dataclass
class Attention:
    """Softmax attention; each key head serves `heads / kv_heads` query heads."""

    name: str = _text()
    heads: int = _int()
    kv_heads: int = _int()
    query_width: int = _int()
    value_width: int = _int()
    rotates: int = _int()
    learns_rotation: int = _int()
    norm: PointNorm = _part(PointNorm)
    query: Matrix = _part(Matrix)
    key: Matrix = _part(Matrix)
    value: Matrix = _part(Matrix)
    output: Matrix = _part(Matrix)
    rotation: FixedRotation | LearnedRotation | None = _part(
        lambda it: LearnedRotation if it.learns_rotation else FixedRotation,
        when=lambda it: it.rotates,
    )


@dataclass
class FeedForward:
    """A small network applied to each point."""

    name: str = _text()
    channels: int = _int()
    hidden: int = _int()
    gated: int = _int()
    norm: PointNorm = _part(PointNorm)
    linear1: Matrix = _part(Matrix)
    gate: Matrix | None = _part(Matrix, when=lambda it: it.gated)
    linear2: Matrix = _part(Matrix)


Block = Ordinary | GlobalPooling | NestedBottleneck | Attention | FeedForward

BLOCKS: dict[str, type] = {
    "ordinary_block": Ordinary,
    "gpool_block": GlobalPooling,
    "nested_bottleneck_block": NestedBottleneck,
    "transformer_attention_block": Attention,
    "transformer_ffn_block": FeedForward,
}


@dataclass
class MetaEncoder:
    """Turns the description of a player into channels of the trunk."""

    name: str = _text()
    inputs: int = _int()
    first: Matrix = _part(Matrix)
    first_bias: Bias = _part(Bias)
    first_activation: Activation = _part(Activation)
    second: Matrix = _part(Matrix)
    second_bias: Bias = _part(Bias)
    second_activation: Activation = _part(Activation)
    third: Matrix = _part(Matrix)


@dataclass
class Trunk:
    """The blocks and what feeds them."""

    name: str = _text()
    count: int = _int()
    channels: int = _int()
    mid_channels: int = _int()
    regular_channels: int = _int()
    dilated_channels: int = _int()
    gpool_channels: int = _int()
    norm_kind: int = _int(since=15)
    spare: list[int] = _ints(5, since=15)
    initial_conv: Conv = _part(Conv)
    initial_matrix: Matrix = _part(Matrix)
    meta_encoder: MetaEncoder | None = _part(MetaEncoder, when=lambda it: it.has_meta)
    blocks: list[Block] = _blocks("count")
    tip_norm: BatchNorm | RmsNorm = _part(lambda it: RmsNorm if it.norm_kind else BatchNorm)
    tip_activation: Activation = _part(Activation)
    has_meta: bool = False


@dataclass
class PolicyHead:
    """Where to play."""

    name: str = _text()
    channels: int = _int(since=17)
    spare: list[int] = _ints(3, since=17)
    p1_conv: Conv = _part(Conv)
    g1_conv: Conv = _part(Conv)
    g1_norm: BatchNorm = _part(BatchNorm)
    g1_activation: Activation = _part(Activation)
    gpool_to_bias: Matrix = _part(Matrix)
    p1_norm: BatchNorm = _part(BatchNorm)
    p1_activation: Activation = _part(Activation)
    p2_conv: Conv = _part(Conv)
    pass1: Matrix = _part(Matrix)
    pass_bias: Bias | None = _part(Bias, since=15)
    pass_activation: Activation | None = _part(Activation, since=15)
    pass2: Matrix | None = _part(Matrix, since=15)


@dataclass
class ValueHead:
    """Who wins, by how much, who owns what."""

    name: str = _text()
    spare: list[int] = _ints(3, since=17)
    v1_conv: Conv = _part(Conv)
    v1_norm: BatchNorm = _part(BatchNorm)
    v1_activation: Activation = _part(Activation)
    v2: Matrix = _part(Matrix)
    v2_bias: Bias = _part(Bias)
    v2_activation: Activation = _part(Activation)
    v3: Matrix = _part(Matrix)
    v3_bias: Bias = _part(Bias)
    sv3: Matrix = _part(Matrix)
    sv3_bias: Bias = _part(Bias)
    ownership_conv: Conv = _part(Conv)


@dataclass
class KataNet:
    """A whole file."""

    name: str = _text()
    version: int = _int()
    planes: int = _int()
    globals: int = _int()
    td_score: float = _float(since=13)
    score_mean: float = _float(since=13)
    score_deviation: float = _float(since=13)
    lead: float = _float(since=13)
    variance_time: float = _float(since=13)
    value_error: float = _float(since=13)
    score_error: float = _float(since=13)
    meta_version: int = _int(since=15)
    spare: list[int] = _ints(7, since=15)
    trunk: Trunk = _part(Trunk)
    policy: PolicyHead = _part(PolicyHead)
    value: ValueHead = _part(ValueHead)


OLDEST, NEWEST = 8, 17


def read(path: Path) -> KataNet:
    """Reads a file to its last byte; raises `FormatError` with what is wrong and where."""
    data = Path(path).read_bytes()
    try:
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (OSError, EOFError) as error:
        raise FormatError(f"{path}: damaged gzip: {error}") from error
    try:
        return parse(data)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error


def parse(data: bytes) -> KataNet:
    """Reads an uncompressed file."""
    reader = _Reader(data)
    net = reader.record(KataNet, "net")
    if data[reader.at :].strip():
        raise FormatError(f"{len(data) - reader.at} bytes left after the value head")
    return net


def write(net: KataNet, path: Path) -> None:
    """Writes a file, the same bytes for the same network."""
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(unparse(net))


def unparse(net: KataNet) -> bytes:
    """Returns the uncompressed file."""
    writer = _Writer(net.version)
    writer.record(net)
    return b"".join(writer.pieces)


class _Reader:
    """A place in the words of a file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.version = 0

    def word(self, where: str) -> str:
        data, end = self.data, len(self.data)
        while self.at < end and data[self.at] <= 32:
            self.at += 1
        begin = self.at
        while self.at < end and data[self.at] > 32:
            self.at += 1
        if begin == self.at:
            raise FormatError(f"the file ends at {where}")
        try:
            return data[begin : self.at].decode("ascii")
        except UnicodeDecodeError as error:
            raise FormatError(f"{where} is no word but binary data") from error

    def number(self, kind: type, where: str) -> Any:
        word = self.word(where)
        try:
            return kind(word)
        except ValueError as error:
            raise FormatError(f"{where} is {word[:40]!r}, no {kind.__name__}") from error

    def array(self, shape: tuple[int, ...], where: str) -> np.ndarray:
        if min(shape) < 1:
            raise FormatError(f"{where} has the shape {shape}")
        count = math.prod(shape)
        found = self.data.find(b"@BIN@", self.at, self.at + 105)
        if found < 0 or self.data[self.at : found].strip():
            values = [self.number(float, where) for _ in range(count)]
            floats = np.array(values, "<f4")
        else:
            self.at = found + 5
            if len(self.data) - self.at < 4 * count:
                raise FormatError(f"the file ends within {where}, {count} floats")
            floats = np.frombuffer(self.data, "<f4", count, self.at)
            self.at += 4 * count
        if not np.isfinite(floats).all():
            raise FormatError(f"{where} holds a number that is not finite")
        return floats.reshape(shape)

    def record(self, cls: type, where: str, **known: Any) -> Any:
        it = cls(**known)
        for item in fields(cls):
            if "kind" in item.metadata and _present(it, item.metadata, self.version):
                setattr(it, item.name, self.value(it, item, f"{where}.{item.name}"))
                if cls is KataNet and item.name == "version":
                    self.set_version(it.version)
        return it

    def set_version(self, version: int) -> None:
        if not OLDEST <= version <= NEWEST:
            raise FormatError(f"version {version}; known are {OLDEST} to {NEWEST}")
        self.version = version

    def value(self, it: Any, item: Any, where: str) -> Any:
        spec = item.metadata
        match spec["kind"]:
            case "text":
                return self.word(where)
            case "int":
                return self.number(int, where)
            case "float":
                return self.number(float, where)
            case "ints":
                return [self.number(int, where) for _ in range(spec["count"])]
            case "array":
                return self.array(tuple(getattr(it, dim) for dim in spec["dims"]), where)
            case "blocks":
                return [self.block(f"{where}[{i}]") for i in range(getattr(it, spec["count"]))]
            case _:
                known = {"has_meta": bool(it.meta_version)} if spec["cls"] is Trunk else {}
                return self.record(_class_of(it, spec), where, **known)

    def block(self, where: str) -> Block:
        kind = self.word(where)
        if kind not in BLOCKS:
            raise FormatError(f"{where} is of the unknown kind {kind[:40]!r}")
        return self.record(BLOCKS[kind], where)


class _Writer:
    """The pieces of a file so far."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.pieces: list[bytes] = []

    def line(self, value: object) -> None:
        self.pieces.append(f"{value}\n".encode("ascii"))

    def record(self, it: Any) -> None:
        for item in fields(it):
            if "kind" in item.metadata and _present(it, item.metadata, self.version):
                self.value(it, item)

    def value(self, it: Any, item: Any) -> None:
        value, spec = getattr(it, item.name), item.metadata
        match spec["kind"]:
            case "array":
                shape = tuple(getattr(it, dim) for dim in spec["dims"])
                if value.shape != shape:
                    raise FormatError(f"{it.name}.{item.name} is {value.shape}, not {shape}")
                self.pieces += [b"@BIN@", value.astype("<f4").tobytes(), b"\n"]
            case "ints":
                for number in value:
                    self.line(number)
            case "blocks":
                for block in value:
                    self.line(next(kind for kind, cls in BLOCKS.items() if type(block) is cls))
                    self.record(block)
            case "part":
                self.record(value)
            case _:
                self.line(value)


def _present(it: Any, spec: Any, version: int) -> bool:
    return version >= spec["since"] and (spec["when"] is None or bool(spec["when"](it)))


def _class_of(it: Any, spec: Any) -> type:
    cls = spec["cls"]
    return cls if isinstance(cls, type) else cls(it)
