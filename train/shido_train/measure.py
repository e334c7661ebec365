"""How well a network predicts and judges held-out positions, by rank band and board.

Sums are kept on the device and read once. Top-1, top-5 and log evidence are of
the move played among the moves that look legal (empty, not a ko); the rest
compares with results and, where there are any, with a search's and a teacher's words.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from .batch import Batch, decode
from .frames import FRAMINGS
from .loader import Gathered, Loader
from .meta import describe
from .nets import Net, Outputs
from .records import UNKNOWN

BANDS = ("30-21k", "20-16k", "15-11k", "10-6k", "5-1k", "dan", "9d", "unranked")
_LIMITS = (10, 15, 20, 25, 30, 38, 39)
BOARDS = ("9x9", "13x13", "19x19", "other")
_AREAS = (81, 169, 361)
_PAIRS = (
    ("top1", "moves"),
    ("top5", "moves"),
    ("log_evidence", "moves"),
    ("value_ce", "results"),
    ("score_error", "scores"),
    ("search_kl", "searches"),
    ("root_win_error", "roots"),
    ("root_lead_error", "roots"),
    ("policy_kl", "labels"),
    ("value_kl", "labels"),
    ("lead_error", "labels"),
    ("ownership_error", "labels"),
)
_COUNTS = ("moves", "results", "scores", "searches", "roots", "labels")


@torch.no_grad()
def measure(
    net: Net, loader: Loader, positions: int, device: torch.device, autocast: bool
) -> dict[str, dict[str, float]]:
    """Measures on the first positions of the loader's shards; net in evaluation mode.

    Returns means by group: "all", the rank bands and the boards.
    """
    groups = ("all", *BANDS, *BOARDS)
    names = (*(name for name, _ in _PAIRS), *_COUNTS)
    sums = torch.zeros(len(groups), len(names), dtype=torch.float64, device=device)
    for gathered in _in_order(loader, positions):
        batch = to_batch(gathered, device)
        with torch.autocast(device.type, torch.bfloat16, autocast):
            outputs = evaluate(net, batch, gathered.framing.full)
        values = torch.stack([column for _, column in _columns(net, outputs, batch)], 1)
        everyone = torch.zeros_like(batch.rank)
        sums.index_add_(0, everyone, values.double())
        sums.index_add_(0, 1 + _band(batch.rank), values.double())
        sums.index_add_(0, 1 + len(BANDS) + _board(batch.area), values.double())
    return _means(groups, names, sums.cpu().numpy())


def to_batch(gathered: Gathered, device: torch.device) -> Batch:
    """Decodes a batch as it is, without turning it."""
    rows = gathered.rows.to(device, non_blocking=True)
    labels = None if gathered.labels is None else gathered.labels.to(device, non_blocking=True)
    unturned = torch.zeros(len(rows), dtype=torch.long, device=device)
    return decode(rows, labels, unturned, gathered.framing.side)


def evaluate(net: Net, batch: Batch, full: bool) -> Outputs:
    """Runs a network on a batch, with the players' description if it wants one."""
    meta = describe(batch.rank, batch.opponent_rank, batch.area) if net.knows_player else None
    return net(batch.planes, batch.globals, meta, full)


def _in_order(loader: Loader, positions: int) -> Iterator[Gathered]:
    """Yields a fixed spread of the records, each frame apart."""
    count = min(positions, len(loader))
    numbers = np.linspace(0, len(loader) - 1, count).astype(np.int64)
    for kind, framing in enumerate(FRAMINGS):
        pool = numbers[loader.framing[numbers] == kind]
        for i in range(0, len(pool), loader.batch):
            yield loader.gather(pool[i : i + loader.batch], framing)


def _columns(net: Net, outputs: Outputs, batch: Batch) -> Iterator[tuple[str, Tensor]]:
    moved = (batch.move >= 0).float()
    log_policy = F.log_softmax(outputs.policy[:, 0].masked_fill(~_legal(batch), -1e4), 1)
    found = log_policy.gather(1, batch.move.clamp(min=0)[:, None])
    better = (log_policy > found).sum(1)
    yield "top1", (better < 1) * moved
    yield "top5", (better < 5) * moved
    # A move that looks illegal counts as one in a million, not as impossible.
    yield "log_evidence", found[:, 0].clamp(min=-13.8) * moved
    known = batch.result.isfinite()
    win = torch.where(known, batch.result, 0.0)
    log_value = F.log_softmax(outputs.value, 1)
    yield "value_ce", -(win * log_value[:, 0] + (1 - win) * log_value[:, 1]) * known
    points = net.points(outputs.scores)
    counted = batch.score.isfinite()
    yield "score_error", (points[:, 0] - torch.where(counted, batch.score, 0.0)).abs() * counted
    yield from _beside_search(outputs, points, batch)
    yield from _beside_teacher(outputs, points, batch)
    yield "moves", moved
    yield "results", known.float()
    yield "scores", counted.float()
    yield "searches", batch.search_known
    yield "roots", batch.root_win.isfinite().float()
    yield "labels", torch.zeros_like(moved) if batch.teaching is None else batch.teaching.known


def _beside_search(outputs: Outputs, points: Tensor, batch: Batch) -> Iterator[tuple[str, Tensor]]:
    yield "search_kl", _divergence(batch.search, outputs.policy[:, 0]) * batch.search_known
    known = batch.root_win.isfinite()
    win = (outputs.value.softmax(1)[:, 0] - torch.nan_to_num(batch.root_win)).abs()
    lead = (points[:, 2] - torch.nan_to_num(batch.root_score)).abs()
    yield "root_win_error", win * known
    yield "root_lead_error", lead * known


def _divergence(target: Tensor, logits: Tensor) -> Tensor:
    """Kullback–Leibler divergence."""
    return (torch.xlogy(target, target) - target * F.log_softmax(logits, 1)).sum(1)


def _beside_teacher(outputs: Outputs, points: Tensor, batch: Batch) -> Iterator[tuple[str, Tensor]]:
    it = batch.teaching
    if it is None:
        for name in ("policy_kl", "value_kl", "lead_error", "ownership_error"):
            yield name, torch.zeros_like(batch.weight)
        return
    for name, target, logits in (
        ("policy_kl", it.policy, outputs.policy[:, 0]),
        ("value_kl", it.value, outputs.value),
    ):
        yield name, _divergence(target, logits) * it.known
    lead = torch.nan_to_num(it.scores[:, 2])
    yield "lead_error", (points[:, 2] - lead).abs() * it.known
    on_board = batch.planes[:, 0].flatten(1)
    error = ((outputs.ownership.tanh() - it.ownership).abs() * on_board).sum(1) / batch.area
    yield "ownership_error", error * it.known


def _legal(batch: Batch) -> Tensor:
    """Returns the points that are empty and no ko, and pass."""
    planes = batch.planes.flatten(2)
    points = (planes[:, 0] - planes[:, 1] - planes[:, 2] - planes[:, 6]) > 0
    return F.pad(points, (0, 1), value=True)


def _band(rank: Tensor) -> Tensor:
    limits = torch.tensor(_LIMITS, device=rank.device)
    return torch.where(rank == UNKNOWN, len(BANDS) - 1, torch.bucketize(rank, limits, right=True))


def _board(area: Tensor) -> Tensor:
    board = torch.full_like(area, len(_AREAS), dtype=torch.long)
    for i, points in enumerate(_AREAS):
        board = torch.where(area == points, i, board)
    return board


def _means(
    groups: tuple[str, ...], names: tuple[str, ...], sums: np.ndarray
) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for group, row in zip(groups, sums, strict=True):
        column = dict(zip(names, row.tolist(), strict=True))
        means = {name: column[name] / column[by] for name, by in _PAIRS if column[by] > 0}
        if means:
            table[group] = means | {name: int(column[name]) for name in _COUNTS if column[name]}
    return table
