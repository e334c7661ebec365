"""What training lowers: one term for each thing a record or a teacher knows.

Every term is a mean over the positions that have its target, each counted by its
weight; a term whose weight in the settings is 0, or that no position has, is 0.
The terms and the proportions of their default weights follow KataGo's training:
cross entropy for policy, value and ownership, Huber's loss for what is in points.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
import torch.nn.functional as F
from torch import Tensor

from .batch import Batch, Teaching
from .nets import Net, Outputs


@dataclass(frozen=True)
class Weights:
    """How much each term counts; 0 leaves it out."""

    move: float = 0.0
    """Policy: the move played."""
    smoothing: float = 0.0
    """Share of the move's probability spread over all empty points and pass."""
    reply: float = 0.0
    """Policy, second channel: the opponent's next move."""
    search: float = 0.0
    """Policy: the search's."""
    teacher: float = 0.0
    """Policy: the teacher's."""
    result: float = 0.0
    """Value: who won."""
    root: float = 0.0
    """Value: the search's."""
    teacher_value: float = 0.0
    """Value: the teacher's."""
    score: float = 0.0
    """Score mean, deviation and lead: the counted score."""
    root_score: float = 0.0
    """Lead: the search's."""
    teacher_scores: float = 0.0
    """Score mean, deviation, lead, variance time and short-term errors: the teacher's."""
    own_error: float = 0.0
    """Short-term errors: how much of the net's own distance from the teacher is added, in
    squares, to those the teacher expects. Nothing where the teacher expects none."""
    ownership: float = 0.0
    """Ownership: the counted one."""
    teacher_ownership: float = 0.0
    """Ownership: the teacher's."""

    def __post_init__(self) -> None:
        for item in fields(self):
            if getattr(self, item.name) < 0:
                raise ValueError(f"loss.{item.name} is below 0")


# Points per unit of loss: an error of a point in the mean costs 0.0015 of Huber's
# loss, one in the lead 0.006, and so on, so that no term drowns the policy.
_SCORE_SCALES = (0.0015, 0.0015, 0.006, 0.0003, 2.0, 0.002)
_SCORE_KNEES = (12.0, 10.0, 8.0, 50.0, 0.4, 10.0)
_SQUARES = {4: (2.0, 0.4), 5: (0.00002, 100.0)}
"""Scale and knee of the expected errors where squares are compared."""
_DEVIATION_FLOOR = 1.0
"""Points; a counted score is never taken as more certain than this."""


def losses(net: Net, outputs: Outputs, batch: Batch, weights: Weights) -> dict[str, Tensor]:
    """Returns every term, already weighted, and their sum as "total"."""
    terms = _policy_terms(outputs, batch, weights)
    terms |= _value_terms(outputs, batch, weights)
    terms |= _score_terms(net, outputs, batch, weights)
    terms |= _ownership_terms(outputs, batch, weights)
    terms["total"] = torch.stack(list(terms.values())).sum()
    return terms


def _mean(loss: Tensor, known: Tensor, batch: Batch) -> Tensor:
    """Weighted mean over the positions that have the target."""
    share = known * batch.weight
    return (loss * share).sum() / share.sum().clamp_min(1e-6)


def _known(target: Tensor) -> tuple[Tensor, Tensor]:
    """Returns a target with 0 for NaN, and 1 where it was a number.

    A NaN must not enter the computation at all: even times 0 it spoils gradients.
    """
    known = target.isfinite()
    return torch.where(known, target, 0.0), known.float()


def _policy_terms(outputs: Outputs, batch: Batch, weights: Weights) -> dict[str, Tensor]:
    terms: dict[str, Tensor] = {}
    log_policy = F.log_softmax(outputs.policy[:, 0], 1)
    if weights.move:
        loss = _move_loss(log_policy, batch.move)
        if weights.smoothing:
            spread = -(log_policy * _open(batch)).sum(1) / _open(batch).sum(1)
            loss = (1 - weights.smoothing) * loss + weights.smoothing * spread
        terms["move"] = weights.move * _mean(loss, (batch.move >= 0).float(), batch)
    if weights.reply:
        loss = _move_loss(F.log_softmax(outputs.policy[:, 1], 1), batch.reply)
        terms["reply"] = weights.reply * _mean(loss, (batch.reply >= 0).float(), batch)
    if weights.search:
        loss = _divergence(batch.search, log_policy)
        terms["search"] = weights.search * _mean(loss, batch.search_known, batch)
    if weights.teacher and batch.teaching is not None:
        loss = _divergence(batch.teaching.policy, log_policy)
        terms["teacher"] = weights.teacher * _mean(loss, batch.teaching.known, batch)
    return terms


def _move_loss(log_policy: Tensor, move: Tensor) -> Tensor:
    return -log_policy.gather(1, move.clamp(min=0)[:, None])[:, 0]


def _divergence(target: Tensor, log_policy: Tensor) -> Tensor:
    """Kullback–Leibler divergence: cross entropy less what no network can avoid."""
    return (torch.xlogy(target, target) - target * log_policy).sum(1)


def _open(batch: Batch) -> Tensor:
    """Returns 1 at empty points and pass."""
    planes = batch.planes.flatten(2)
    points = planes[:, 0] - planes[:, 1] - planes[:, 2]
    return torch.cat([points, torch.ones_like(points[:, :1])], 1)


def _value_terms(outputs: Outputs, batch: Batch, weights: Weights) -> dict[str, Tensor]:
    terms: dict[str, Tensor] = {}
    log_value = F.log_softmax(outputs.value, 1)
    for name, target in (("result", batch.result), ("root", batch.root_win)):
        if weight := getattr(weights, name):
            win, known = _known(target)
            loss = -(win * log_value[:, 0] + (1 - win) * log_value[:, 1])
            terms[name] = weight * _mean(loss, known, batch)
    if weights.teacher_value and batch.teaching is not None:
        loss = _divergence(batch.teaching.value, log_value)
        terms["teacher_value"] = weights.teacher_value * _mean(loss, batch.teaching.known, batch)
    return terms


def _score_terms(net: Net, outputs: Outputs, batch: Batch, weights: Weights) -> dict[str, Tensor]:
    terms: dict[str, Tensor] = {}
    points = net.points(outputs.scores)
    if weights.score:
        score, known = _known(batch.score)
        loss = _huber(points[:, 0], score, 0) + _huber(points[:, 2], score, 2)
        loss = loss + _deviation_loss(points, score)
        terms["score"] = weights.score * _mean(loss, known, batch)
    if weights.root_score:
        lead, known = _known(batch.root_score)
        loss = _huber(points[:, 2], lead, 2)
        terms["root_score"] = weights.root_score * _mean(loss, known, batch)
    if weights.teacher_scores and batch.teaching is not None:
        total = torch.zeros_like(batch.weight)
        own = _own_errors(outputs, points, batch.teaching) if weights.own_error else {}
        for i in range(points.shape[1]):
            target, known = _known(batch.teaching.scores[:, i])
            if i in own:
                square = target.square() + weights.own_error * own[i].square()
                total = total + known * _square_loss(points[:, i], square, i)
            else:
                total = total + known * _huber(points[:, i], target, i)
        loss = _mean(total, batch.teaching.known, batch)
        terms["teacher_scores"] = weights.teacher_scores * loss
    return terms


@torch.no_grad()
def _own_errors(outputs: Outputs, points: Tensor, teaching: Teaching) -> dict[int, Tensor]:
    """Returns how far off wins less losses (−1…1) and score are, by the column of the error.

    A student errs more than its teacher, and elsewhere; a search that weighs what it finds by the
    expected error (KataGo's `useUncertainty`) needs to know the student's.
    """
    value = F.softmax(outputs.value, 1) - teaching.value
    score, known = _known(teaching.scores[:, 0])
    return {4: value[:, 0] - value[:, 1], 5: known * (points[:, 0] - score)}


def _square_loss(found: Tensor, square: Tensor, column: int) -> Tensor:
    """Loss of an expected error against a noisy one: their squares, whose mean is what counts."""
    scale, knee = _SQUARES[column]
    return scale * F.huber_loss(found.square(), square, reduction="none", delta=knee)


def _huber(found: Tensor, target: Tensor, column: int) -> Tensor:
    knee = _SCORE_KNEES[column]
    return _SCORE_SCALES[column] * F.huber_loss(found, target, reduction="none", delta=knee)


def _deviation_loss(points: Tensor, score: Tensor) -> Tensor:
    """Log likelihood of the counted score about the predicted mean, which it does not move."""
    deviation = points[:, 1] + _DEVIATION_FLOOR
    surprise = ((score - points[:, 0].detach()) / deviation).square()
    return 0.02 * (deviation.log() + 0.5 * surprise)


def _ownership_terms(outputs: Outputs, batch: Batch, weights: Weights) -> dict[str, Tensor]:
    terms: dict[str, Tensor] = {}
    on_board = batch.planes[:, 0].flatten(1)
    pairs = [("ownership", batch.ownership, batch.ownership_known)]
    if batch.teaching is not None:
        pairs.append(("teacher_ownership", batch.teaching.ownership, batch.teaching.known))
    for name, owner, known in pairs:
        if weight := getattr(weights, name):
            # tanh(x) = 2·sigmoid(2x) − 1: cross entropy of the owner of each point.
            loss = F.binary_cross_entropy_with_logits(
                outputs.ownership * 2, (owner + 1) / 2, reduction="none"
            )
            loss = (loss * on_board).sum(1) / batch.area
            terms[name] = weight * _mean(loss, known, batch)
    return terms
