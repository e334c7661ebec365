"""A teacher's answers to every position of some shards, written beside them.

The teacher is any KataGo file. Positions are answered in large batches, boards
that fill the frame apart from smaller ones; a shard that already has its labels
is skipped, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from .batch import decode
from .meta import describe
from .nets import Net, Outputs, load
from .progress import Clock, Log
from .records import LABEL, SIDE, Shard, labels_path, read, write


def label_folder(
    folder: Path, teacher: Path, batch: int, clock: Clock, log: Log, device: torch.device
) -> int:
    """Labels the shards of a folder while there is time; returns how many are left."""
    torch.set_float32_matmul_precision("high")
    net = load(teacher).to(device)
    facts = {"teacher": net.name, "sha256": hashlib.sha256(teacher.read_bytes()).hexdigest()}
    answer = _answerer(net, device, log)
    paths = [path for path in sorted(folder.glob("*.pos")) if not labels_path(path).exists()]
    log.write("label", teacher=net.name, shards=len(paths), device=str(device))
    slowest = 0.0
    for i, path in enumerate(paths):
        if clock.left() < 1.5 * slowest + 5:
            log.write("end", reason="out of time", left=len(paths) - i)
            return len(paths) - i
        begun = clock.spent()
        shard = read(path)
        labels = label(shard, answer, batch, device)
        header = {**facts, "symmetry": 0, "count": len(labels)}
        write(labels_path(path), labels, header)
        took = clock.spent() - begun
        # The first shard pays for the compiler.
        slowest = max(slowest, took) if i else 0.0
        log.write("shard", path=path.name, count=len(labels), per_second=len(labels) / took)
    log.write("end", reason="finished", left=0)
    return 0


Answerer = Callable[[Tensor, bool], tuple[Tensor, Tensor, Tensor, Tensor]]


def _answerer(net: Net, device: torch.device, log: Log) -> Answerer:
    """Returns the teacher as a function of bytes, compiled on a GPU."""
    run: Callable[..., Outputs] = net
    if device.type == "cuda":
        net.to(memory_format=torch.channels_last)
        run = torch.compile(net, dynamic=False)

    @torch.no_grad()
    def answer(rows: Tensor, full: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        nonlocal run
        symmetry = torch.zeros(len(rows), dtype=torch.long, device=device)
        batch = decode(rows.to(device, non_blocking=True), None, symmetry)
        meta = describe(batch.rank, batch.opponent_rank, batch.area) if net.knows_player else None
        with torch.autocast(device.type, torch.bfloat16, device.type == "cuda"):
            try:
                outputs = run(batch.planes, batch.globals, meta, full)
            except Exception as error:
                if run is net:
                    raise
                log.write("problem", what=f"not compiled: {error!r}"[:2000])
                run = net
                outputs = run(batch.planes, batch.globals, meta, full)
        return (
            torch.softmax(outputs.policy[:, 0], 1).half().cpu(),
            torch.softmax(outputs.value, 1).half().cpu(),
            net.points(outputs.scores).half().cpu(),
            (outputs.ownership.tanh() * batch.planes[:, 0].flatten(1) * 127).round().char().cpu(),
        )

    return answer


def label(shard: Shard, answer: Answerer, batch: int, device: torch.device) -> np.ndarray:
    """Returns the labels of a shard."""
    records = shard.records
    labels = np.zeros(len(records), LABEL)
    fills = (np.array(records["width"]) == SIDE) & (np.array(records["height"]) == SIDE)
    for full in (True, False):
        numbers = np.flatnonzero(fills == full)
        for i in range(0, len(numbers), batch):
            part = numbers[i : i + batch]
            # A short batch is filled up, so that the compiler sees one size.
            rows = np.zeros((batch, shard.rows.shape[1]), np.uint8)
            rows[: len(part)] = shard.rows[part]
            rows[len(part) :] = rows[0]
            answers = answer(torch.from_numpy(rows), full)
            for name, found in zip(
                ("policy", "value", "scores", "ownership"), answers, strict=True
            ):
                labels[name][part] = found[: len(part)].numpy()
            labels["flags"][part] = 1
    return labels
