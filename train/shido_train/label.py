"""A teacher's answers to every position of some shards, written beside them.

The teacher is any KataGo file. Positions are answered in large batches, those of a frame
together; while one is answered the answers to the one before are put away. A shard that
already has its labels is skipped, so a run that was stopped goes on where it was; shards
that come while others are labeled are labeled too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .batch import decode
from .frames import FRAMINGS, Framing, framings, widen_moves, widen_points
from .meta import describe
from .nets import Net, Outputs, load
from .progress import Clock, Log
from .records import LABEL, Shard, labels_path, read, write


def label_folder(
    folder: Path, teacher: Path, batch: int, clock: Clock, log: Log, device: torch.device
) -> int:
    """Labels the shards of a folder while there is time; returns how many are left."""
    torch.set_float32_matmul_precision("high")
    net = load(teacher).to(device)
    facts = {"teacher": net.name, "sha256": hashlib.sha256(teacher.read_bytes()).hexdigest()}
    answer = _answerer(net, device, log)
    log.write("label", teacher=net.name, shards=len(_unlabeled(folder)), device=str(device))
    slowest, first, reason = 0.0, True, "finished"
    written: Future[None] | None = None
    with ThreadPoolExecutor(1) as writer:
        for path in _as_they_come(folder):
            if clock.left() < 1.5 * slowest + 5:
                reason = "out of time"
                break
            begun = clock.spent()
            labels = label(read(path), answer, batch)
            header = {**facts, "symmetry": 0, "count": len(labels)}
            if written is not None:
                written.result()
            written = writer.submit(write, labels_path(path), labels, header)
            took = clock.spent() - begun
            # The first shard pays for the compiler.
            slowest, first = 0.0 if first else max(slowest, took), False
            log.write("shard", path=path.name, count=len(labels), per_second=len(labels) / took)
        if written is not None:
            written.result()
    left = len(_unlabeled(folder))
    log.write("end", reason=reason, left=left)
    return left


def _unlabeled(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.pos")) if not labels_path(path).exists()]


def _as_they_come(folder: Path) -> Iterator[Path]:
    """Yields shards without labels, those that appear meanwhile included."""
    seen: set[Path] = set()
    while fresh := [path for path in _unlabeled(folder) if path not in seen]:
        seen.update(fresh)
        yield from fresh


class Answers(NamedTuple):
    """A teacher's answers to a batch, in the frame's size, on their way to the CPU."""

    policy: Tensor
    value: Tensor
    scores: Tensor
    ownership: Tensor
    arrived: torch.cuda.Event | None


Answerer = Callable[[Tensor, Framing], Answers]


def _answerer(net: Net, device: torch.device, log: Log) -> Answerer:
    """Returns the teacher as a function of bytes, compiled on a GPU."""
    run: Callable[..., Outputs] = net
    if device.type == "cuda":
        net.to(memory_format=torch.channels_last)
        run = torch.compile(net, dynamic=False)

    @torch.no_grad()
    def answer(rows: Tensor, framing: Framing) -> Answers:
        nonlocal run
        symmetry = torch.zeros(len(rows), dtype=torch.long, device=device)
        batch = decode(rows.to(device, non_blocking=True), None, symmetry, framing.side)
        meta = describe(batch.rank, batch.opponent_rank, batch.area) if net.knows_player else None
        with torch.autocast(device.type, torch.bfloat16, device.type == "cuda"):
            try:
                outputs = run(batch.planes, batch.globals, meta, framing.full)
            except Exception as error:
                if run is net:
                    raise
                log.write("problem", what=f"not compiled: {error!r}"[:2000])
                run = net
                outputs = run(batch.planes, batch.globals, meta, framing.full)
        owners = outputs.ownership.tanh() * batch.planes[:, 0].flatten(1) * 127
        return _send(
            torch.softmax(outputs.policy[:, 0], 1).half(),
            torch.softmax(outputs.value, 1).half(),
            net.points(outputs.scores).half(),
            owners.round().char(),
        )

    return answer


def _send(*tensors: Tensor) -> Answers:
    """Begins to bring tensors to the CPU."""
    sent = [it.to("cpu", non_blocking=True) for it in tensors]
    arrived = None
    if tensors[0].is_cuda:
        arrived = torch.cuda.Event()
        arrived.record()
    return Answers(*sent, arrived)


def label(shard: Shard, answer: Answerer, batch: int) -> np.ndarray:
    """Returns the labels of a shard."""
    labels = np.zeros(len(shard.records), LABEL)
    waiting: tuple[np.ndarray, Framing, Answers] | None = None
    for part, framing in _parts(shard, batch):
        # A short batch is filled up, so that the compiler sees one size.
        rows = np.zeros((batch, shard.rows.shape[1]), np.uint8)
        rows[: len(part)] = shard.rows[part]
        rows[len(part) :] = rows[0]
        answers = answer(torch.from_numpy(rows), framing)
        if waiting is not None:
            _put(labels, *waiting)
        waiting = part, framing, answers
    if waiting is not None:
        _put(labels, *waiting)
    return labels


def _parts(shard: Shard, batch: int) -> Iterator[tuple[np.ndarray, Framing]]:
    """Yields the numbers of the records of each batch, and its frame."""
    kinds = framings(shard.records)
    for kind, framing in enumerate(FRAMINGS):
        numbers = np.flatnonzero(kinds == kind)
        for i in range(0, len(numbers), batch):
            yield numbers[i : i + batch], framing


def _put(labels: np.ndarray, part: np.ndarray, framing: Framing, answers: Answers) -> None:
    """Writes answers to the labels of the given numbers."""
    if answers.arrived is not None:
        answers.arrived.synchronize()
    count, side = len(part), framing.side
    labels["policy"][part] = widen_moves(answers.policy[:count].numpy(), side)
    labels["value"][part] = answers.value[:count].numpy()
    labels["scores"][part] = answers.scores[:count].numpy()
    labels["ownership"][part] = widen_points(answers.ownership[:count].numpy(), side)
    labels["flags"][part] = 1
