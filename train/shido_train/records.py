"""Shards of positions and of a teacher's labels: FORMAT.md as code.

A shard is a header and records of one fixed size, mapped into memory and handed
on as bytes. Nothing here interprets a record beyond naming its fields; what a
batch of them means is in `batch.py`.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

SIDE = 19
"""The frame every board lies in."""
POINTS = SIDE * SIDE
PASS = POINTS
"""The index of a pass among the moves."""
MOVES = POINTS + 1
NO_MOVE = 0xFFFF
PLANES = 22
PLANE_BYTES = (POINTS + 7) // 8
GLOBALS = 19
SEARCH_MOVES = 32
"""Moves of a search policy that a record has room for."""
SCORES = 6

UNKNOWN = 255
"""An unknown rank or result."""
RANKS = 39
"""30k = 0 … 1k = 29, 1d = 30 … 9d = 38."""

LOSS, DRAW, WIN = 0, 1, 2
OWNED_KNOWN, POLICY_KNOWN, RESIGNED, WITH_PROGRAM = 1, 2, 4, 8

SOURCES = {
    "other": 0,
    "ogs": 1,
    "kgs": 2,
    "fox": 3,
    "tygem": 4,
    "pro": 5,
    "ladder": 8,
    "small": 9,
    "selfplay": 10,
}

POSITION = np.dtype(
    [
        ("planes", "u1", (PLANES, PLANE_BYTES)),
        ("globals", "<f4", (GLOBALS,)),
        ("owned", "u1", (2, PLANE_BYTES)),
        ("policy_moves", "<u2", (SEARCH_MOVES,)),
        ("policy_weights", "<f2", (SEARCH_MOVES,)),
        ("game", "<u4"),
        ("ply", "<u2"),
        ("moves", "<u2"),
        ("move", "<u2"),
        ("reply", "<u2"),
        ("score", "<f4"),
        ("weight", "<f4"),
        ("root_win", "<f4"),
        ("root_score", "<f4"),
        ("width", "u1"),
        ("height", "u1"),
        ("rank", "u1"),
        ("opponent_rank", "u1"),
        ("source", "u1"),
        ("time", "u1"),
        ("result", "u1"),
        ("flags", "u1"),
    ]
)

LABEL = np.dtype(
    [
        ("policy", "<f2", (MOVES,)),
        ("value", "<f2", (3,)),
        ("scores", "<f2", (SCORES,)),
        ("ownership", "i1", (POINTS,)),
        ("flags", "u1"),
    ]
)

VERSION = 1
_MAGICS = {POSITION: b"SHIDOPOS", LABEL: b"SHIDOLAB"}
_FIXED = struct.Struct("<8sIIQII")
_UNFINISHED = (1 << 64) - 1
_ALIGNMENT = 64


class ShardError(Exception):
    """A file that is no shard, or is damaged, or does not fit its neighbor."""


@dataclass(frozen=True)
class Shard:
    """A mapped file of records."""

    path: Path
    header: dict[str, Any]
    records: np.ndarray

    @property
    def rows(self) -> np.ndarray:
        """The records as bytes, one row each."""
        return self.records.view(np.uint8).reshape(len(self.records), self.records.dtype.itemsize)


def read(path: Path, dtype: np.dtype = POSITION) -> Shard:
    """Maps a shard; raises `ShardError` with what is wrong with it."""
    with open(path, "rb") as file:
        fixed = file.read(_FIXED.size)
        if len(fixed) < _FIXED.size:
            raise ShardError(f"{path}: {len(fixed)} bytes are too few for a header")
        magic, version, size, count, first, length = _FIXED.unpack(fixed)
        if magic != _MAGICS[dtype]:
            raise ShardError(f"{path}: begins with {magic!r}, not {_MAGICS[dtype]!r}")
        if version != VERSION:
            raise ShardError(f"{path}: version {version}; this program reads {VERSION}")
        if size != dtype.itemsize:
            raise ShardError(f"{path}: records of {size} bytes; expected {dtype.itemsize}")
        if count == _UNFINISHED:
            raise ShardError(f"{path}: its writer did not finish")
        found, expected = os.path.getsize(path), first + count * size
        if found != expected:
            raise ShardError(f"{path}: {found} bytes; its header promises {expected}")
        try:
            header = json.loads(file.read(length))
        except ValueError as error:
            raise ShardError(f"{path}: the header's JSON is damaged: {error}") from error
    if count == 0:
        return Shard(path, header, np.zeros(0, dtype))
    return Shard(path, header, np.memmap(path, dtype, "r", first, (count,)))


def write(path: Path, records: np.ndarray, header: Mapping[str, Any]) -> None:
    """Writes a whole shard; it appears under its name only when complete."""
    text = json.dumps(dict(header)).encode()
    first = -(-(_FIXED.size + len(text)) // _ALIGNMENT) * _ALIGNMENT
    fixed = _FIXED.pack(
        _MAGICS[records.dtype], VERSION, records.dtype.itemsize, len(records), first, len(text)
    )
    part = path.with_name(path.name + ".part")
    with open(part, "wb") as file:
        file.write((fixed + text).ljust(first, b"\0"))
        file.write(np.ascontiguousarray(records).data)
    part.replace(path)


def labels_path(shard: Path) -> Path:
    """Returns where the labels of a shard are."""
    return shard.with_name(shard.name + ".labels")


def read_labels(shard: Shard) -> Shard:
    """Maps the labels of a shard of positions."""
    labels = read(labels_path(shard.path), LABEL)
    if len(labels.records) != len(shard.records):
        raise ShardError(
            f"{labels.path}: {len(labels.records)} labels for {len(shard.records)} positions"
        )
    return labels


def read_folder(folder: Path, split: str) -> list[Shard]:
    """Maps every shard of a split in a folder, by name."""
    shards = [read(path) for path in sorted(folder.glob("*.pos"))]
    return [shard for shard in shards if shard.header.get("split") == split]


def check_sample(shard: Shard, count: int = 256) -> None:
    """Looks at some records for what no writer should have written."""
    step = max(1, len(shard.records) // count)
    sample = np.array(shard.records[::step])
    area = sample["width"].astype(int) * sample["height"]
    on_board = np.unpackbits(sample["planes"][:, 0], axis=-1).sum(-1)
    faults = {
        "a board plane that is not its board": on_board != area,
        "a move that is none": (sample["move"] > PASS) & (sample["move"] != NO_MOVE),
        "a rank that is none": (sample["rank"] >= RANKS) & (sample["rank"] != UNKNOWN),
        "a global input that is not finite": ~np.isfinite(sample["globals"]).all(1),
        "a weight below 0": ~(sample["weight"] >= 0),
    }
    for fault, where in faults.items():
        if where.any():
            raise ShardError(f"{shard.path}: record {step * int(np.argmax(where))} has {fault}")


def pack(planes: np.ndarray) -> np.ndarray:
    """Packs `[..., 19, 19]` of yes and no into `[..., 46]` bytes."""
    flat = planes.reshape(*planes.shape[:-2], POINTS)
    return np.packbits(flat.astype(np.uint8), axis=-1, bitorder="little")
