"""Batches of bytes from mapped shards, in an order that a seed fixes.

An epoch is a shuffle of all records, some of them repeated or left out as the
sampling says. Boards that fill the frame come in batches of their own, because
attention is faster without a mask; what is left over is mixed. Threads gather the
bytes ahead of the trainer; no Python runs per position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .records import SIDE, SOURCES, WITH_PROGRAM, Shard, ShardError

_THREADS = 6
_AHEAD = 12


class Gathered(NamedTuple):
    """The bytes of a batch, and where in the epochs it is."""

    rows: Tensor
    labels: Tensor | None
    full: bool
    """Whether every board fills the frame."""
    epoch: int
    place: int
    """The number of the batch in its epoch."""


class Plan(NamedTuple):
    """The batches of an epoch: record numbers, and which batches are of full boards."""

    batches: list[np.ndarray]
    full: list[bool]


class Loader:
    """Endless batches from shards."""

    def __init__(
        self,
        shards: Sequence[Shard],
        labels: Sequence[Shard] | None,
        batch: int,
        seed: int,
        sampling: Mapping[str, float] | None = None,
        programs: bool = True,
        pin: bool = False,
    ) -> None:
        if not shards:
            raise ShardError("there is no shard of positions to read")
        self.rows = [shard.rows for shard in shards]
        self.labels = None if labels is None else [shard.rows for shard in labels]
        self.starts = np.cumsum([0] + [len(rows) for rows in self.rows])
        self.batch = batch
        self.seed = seed
        self.pin = pin
        with ThreadPoolExecutor(_THREADS) as pool:
            columns = list(pool.map(_columns, shards))
        self.full, source, flags = (np.concatenate(it) for it in zip(*columns, strict=True))
        self.copies = _copies(source, sampling or {})
        if not programs:
            people = (flags & WITH_PROGRAM) == 0
            self.copies = people * (np.float32(1) if self.copies is None else self.copies)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def plan(self, epoch: int) -> Plan:
        """Returns the batches of an epoch, always the same for the same seed."""
        random = np.random.default_rng([self.seed, epoch])
        drawn = self._draw(random)
        random.shuffle(drawn)
        full = self.full[drawn]
        pools = drawn[full], drawn[~full]
        size = self.batch
        kept = [len(pool) - len(pool) % size for pool in pools]
        rest = np.concatenate([pool[keep:] for pool, keep in zip(pools, kept, strict=True)])
        random.shuffle(rest)
        batches: list[np.ndarray] = []
        for pool, keep in zip((*pools, rest), (*kept, len(rest) - len(rest) % size), strict=True):
            batches += [pool[i : i + size] for i in range(0, keep, size)]
        order = random.permutation(len(batches))
        whole = kept[0] // size
        return Plan([batches[i] for i in order], [bool(i < whole) for i in order])

    def _draw(self, random: np.random.Generator) -> np.ndarray:
        everything = np.arange(len(self), dtype=np.uint32 if len(self) < 1 << 32 else np.int64)
        if self.copies is None:
            return everything
        whole = np.floor(self.copies)
        more = random.random(len(self), np.float32) < self.copies - whole
        return np.repeat(everything, whole.astype(np.int64) + more)

    def batches(self, epoch: int = 0, place: int = 0) -> Iterator[Gathered]:
        """Yields batches without end, from the given place on."""
        with ThreadPoolExecutor(_THREADS) as pool:
            ahead: deque = deque()
            for numbers, full, at_epoch, at_place in self._places(epoch, place):
                ahead.append(pool.submit(self.gather, numbers, full, at_epoch, at_place))
                if len(ahead) > _AHEAD:
                    yield ahead.popleft().result()

    def _places(self, epoch: int, place: int) -> Iterator[tuple[np.ndarray, bool, int, int]]:
        while True:
            plan = self.plan(epoch)
            if not plan.batches:
                raise ShardError(f"{len(self)} positions do not fill a batch of {self.batch}")
            for i in range(place, len(plan.batches)):
                yield plan.batches[i], plan.full[i], epoch, i
            epoch, place = epoch + 1, 0

    def gather(self, numbers: np.ndarray, full: bool, epoch: int = 0, place: int = 0) -> Gathered:
        """Copies the records of the given numbers together."""
        numbers = np.sort(numbers)
        rows = self._take(self.rows, numbers)
        labels = None if self.labels is None else self._take(self.labels, numbers)
        return Gathered(rows, labels, full, epoch, place)

    def _take(self, shards: list[np.ndarray], numbers: np.ndarray) -> Tensor:
        taken = torch.empty(
            len(numbers), shards[0].shape[1], dtype=torch.uint8, pin_memory=self.pin
        )
        out = taken.numpy()
        cuts = np.searchsorted(numbers, self.starts)
        for i in np.flatnonzero(np.diff(cuts)):
            begin, end = cuts[i], cuts[i + 1]
            local = numbers[begin:end].astype(np.int64) - self.starts[i]
            # "clip" spares numpy a second buffer; the numbers are in range.
            np.take(shards[i], local, axis=0, out=out[begin:end], mode="clip")
        return taken


def _columns(shard: Shard) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Reads what the order depends on: whether the board is full, its source, its flags."""
    records = shard.records
    full = (records["width"] == SIDE) & (records["height"] == SIDE)
    return full, np.array(records["source"]), np.array(records["flags"])


def _copies(source: np.ndarray, sampling: Mapping[str, float]) -> np.ndarray | None:
    """Returns how often each record is in an epoch; none if each is once."""
    if not sampling:
        return None
    table = np.ones(256, np.float32)
    for name, copies in sampling.items():
        if name not in SOURCES:
            raise ValueError(f"unknown source {name!r}; known are {', '.join(SOURCES)}")
        table[SOURCES[name]] = copies
    return table[source]
