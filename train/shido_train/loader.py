"""Batches of bytes from mapped shards, in an order that a seed fixes.

An epoch is a shuffle of all records, some of them repeated or left out as the
sampling says. Boards that share a frame (`frames.py`) come in batches of their own;
what is left over is mixed. Threads gather the bytes ahead of the trainer; no Python
runs per position.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .frames import ANY, FRAMINGS, Framing, framings
from .records import SOURCES, WITH_PROGRAM, Shard, ShardError

_THREADS = 6
_AHEAD = 12


class Gathered(NamedTuple):
    """The bytes of a batch, and where in the epochs it is."""

    rows: Tensor
    labels: Tensor | None
    framing: Framing
    epoch: int
    place: int
    """The number of the batch in its epoch."""


class Plan(NamedTuple):
    """The batches of an epoch: record numbers, and the frame of each."""

    batches: list[np.ndarray]
    framings: list[Framing]


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
        self.framing, source, flags = (np.concatenate(it) for it in zip(*columns, strict=True))
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
        of = self.framing[drawn]
        found: list[tuple[np.ndarray, Framing]] = []
        rest: list[np.ndarray] = []
        for i, framing in enumerate(FRAMINGS):
            pool = drawn[of == i]
            cuts = np.split(pool, range(self.batch, len(pool) + 1, self.batch))
            found += [(cut, framing) for cut in cuts[:-1]]
            rest.append(cuts[-1])
        left = np.concatenate(rest)
        random.shuffle(left)
        cuts = np.split(left, range(self.batch, len(left) + 1, self.batch))
        found += [(cut, ANY) for cut in cuts[:-1]]
        order = random.permutation(len(found))
        return Plan([found[i][0] for i in order], [found[i][1] for i in order])

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
            for numbers, framing, at_epoch, at_place in self._places(epoch, place):
                ahead.append(pool.submit(self.gather, numbers, framing, at_epoch, at_place))
                if len(ahead) > _AHEAD:
                    yield ahead.popleft().result()

    def _places(self, epoch: int, place: int) -> Iterator[tuple[np.ndarray, Framing, int, int]]:
        while True:
            plan = self.plan(epoch)
            if not plan.batches:
                raise ShardError(f"{len(self)} positions do not fill a batch of {self.batch}")
            for i in range(place, len(plan.batches)):
                yield plan.batches[i], plan.framings[i], epoch, i
            epoch, place = epoch + 1, 0

    def gather(
        self, numbers: np.ndarray, framing: Framing = ANY, epoch: int = 0, place: int = 0
    ) -> Gathered:
        """Copies the records of the given numbers together."""
        numbers = np.sort(numbers)
        rows = self._take(self.rows, numbers)
        labels = None if self.labels is None else self._take(self.labels, numbers)
        return Gathered(rows, labels, framing, epoch, place)

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
    """Reads what the order depends on: the frame, the source, the flags."""
    records = shard.records
    return framings(records), np.array(records["source"]), np.array(records["flags"])


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
