"""Losses: what each term is, and that what is unknown does not count."""

import dataclasses

import numpy as np
import pytest
import torch
from conftest import SHAPES, disturbed
from test_batch import labels_of, rows

from shido_train import records, synthetic
from shido_train.batch import Batch, decode
from shido_train.losses import Weights, _own_errors, losses
from shido_train.measure import evaluate
from shido_train.nets import Outputs

NET = disturbed(SHAPES["residual"])
EVERYTHING = Weights(**{item.name: 0.5 for item in dataclasses.fields(Weights)})


def batch_of(made: np.ndarray, labels: np.ndarray | None = None) -> Batch:
    given = None if labels is None else rows(labels)
    return decode(rows(made), given, torch.zeros(len(made), dtype=torch.long))


def unknown(made: np.ndarray) -> np.ndarray:
    """Strikes out everything that became of the positions."""
    made = made.copy()
    made["move"] = made["reply"] = records.NO_MOVE
    made["result"] = records.UNKNOWN
    made["score"] = made["root_win"] = made["root_score"] = np.nan
    made["flags"] = 0
    return made


def terms_of(outputs: Outputs, batch: Batch, weights: Weights) -> dict[str, float]:
    return {name: it.item() for name, it in losses(NET, outputs, batch, weights).items()}


def silent(count: int) -> Outputs:
    """Outputs of a net that says nothing about anything."""
    shapes = ((count, 2, 362), (count, 3), (count, 6), (count, 361))
    return Outputs(*(torch.zeros(shape) for shape in shapes))


def test_what_is_unknown_costs_nothing_and_leaves_gradients_alone() -> None:
    made = synthetic.positions(6, 1)
    labels = labels_of(made)
    labels["flags"][:3] = 0
    labels["scores"] = np.nan
    made[:3] = unknown(made[:3])
    both, known = batch_of(made, labels), batch_of(made[3:], labels[3:])
    grads = []
    for batch in (both, known):
        NET.zero_grad()
        losses(NET, evaluate(NET, batch, False), batch, EVERYTHING)["total"].backward()
        grads.append({name: it.grad.clone() for name, it in NET.named_parameters()})
    for name, gradient in grads[0].items():
        assert gradient.isfinite().all(), name
        assert torch.allclose(gradient, grads[1][name], atol=1e-5, rtol=1e-3), name


def test_silence_costs_what_it_should() -> None:
    made = synthetic.positions(4, 1, (19,))
    labels = labels_of(made)
    batch = batch_of(made, labels)
    terms = terms_of(silent(4), batch, dataclasses.replace(EVERYTHING, smoothing=0))
    even = 0.5 * np.log(362)
    assert terms["move"] == pytest.approx(even, rel=1e-4)
    assert terms["search"] == pytest.approx(even, rel=1e-4)
    assert terms["teacher"] == pytest.approx(even, rel=1e-4)
    assert terms["result"] == pytest.approx(0.5 * np.log(3), rel=1e-4)
    assert terms["ownership"] == pytest.approx(0.5 * np.log(2), rel=1e-4)
    assert terms["root"] == pytest.approx(0.5 * np.log(3), rel=1e-4)
    value = labels["value"][0, :2].astype(float)
    assert terms["teacher_value"] == pytest.approx(
        0.5 * (np.log(3) + (value * np.log(value)).sum()), rel=1e-2
    )
    assert terms["total"] == pytest.approx(sum(terms.values()) - terms["total"], rel=1e-4)


def test_the_truth_costs_least() -> None:
    made = synthetic.positions(4, 1, (19,))
    batch = batch_of(made, labels_of(made))
    weights = dataclasses.replace(EVERYTHING, smoothing=0)
    told = silent(4)
    told.policy[torch.arange(4), 0, batch.move] = 50
    told.value[:, 0] = batch.result * 50
    told.value[:, 1] = (1 - batch.result) * 50
    told.scores[:, 0] = told.scores[:, 2] = batch.score / 20
    told.ownership[:] = batch.ownership * 20
    truth, silence = terms_of(told, batch, weights), terms_of(silent(4), batch, weights)
    for name in ("move", "search", "teacher", "result"):
        assert truth[name] == pytest.approx(0, abs=1e-4), name
    assert truth["score"] < silence["score"]
    assert truth["root_score"] == pytest.approx(0, abs=1e-6) and silence["root_score"] > 0
    assert truth["ownership"] < silence["ownership"]


def test_positions_count_by_their_weight() -> None:
    made = synthetic.positions(2, 1, (19,))
    told = silent(2)
    told.policy[0, 0, int(made["move"][0])] = 50
    for weight, expected in ((1, 0.5), (3, 0.25), (0, 1)):
        made["weight"] = [weight, 1]
        terms = terms_of(told, batch_of(made), Weights(move=1))
        assert terms["move"] == pytest.approx(expected * np.log(362), rel=1e-4)


def test_smoothing_spreads_over_empty_points_and_pass() -> None:
    made = synthetic.positions(1, 1, (19,))
    batch = batch_of(made)
    told = silent(1)
    stones = (batch.planes[:, 1] + batch.planes[:, 2]).flatten(1) > 0
    told.policy[:, 0, :361][stones] = -50
    empty = 362 - int(stones.sum())
    terms = terms_of(told, batch, Weights(move=1, smoothing=0.5))
    assert terms["move"] == pytest.approx(np.log(empty), rel=1e-4)


def test_expected_errors_grow_with_the_nets_own() -> None:
    made = synthetic.positions(4, 5)
    labels = labels_of(made)
    labels["scores"] = [6, 5, 4, 10, 0.1, 2]
    batch = batch_of(made, labels)
    outputs = silent(4)
    points = NET.points(outputs.scores)
    found = _own_errors(outputs, points, batch.teaching)
    assert torch.allclose(found[4], torch.tensor(-0.4), atol=1e-3), "even against 0.7 to 0.3"
    assert torch.allclose(found[5], torch.tensor(-6.0)), "0 points against 6"
    alone, own = (Weights(teacher_scores=1.0, own_error=it) for it in (1e-9, 1.0))
    # A net that agrees with its teacher about value and score has only the teacher's errors.
    agreed = outputs._replace(value=batch.teaching.value.clamp_min(1e-9).log())
    mean = batch.teaching.scores[:, 0] / NET.multipliers.score_mean
    agreed = agreed._replace(scores=torch.cat([mean[:, None], outputs.scores[:, 1:]], 1))
    one, other = (terms_of(agreed, batch, it)["teacher_scores"] for it in (alone, own))
    assert one == pytest.approx(other, rel=1e-4)
    one, other = (terms_of(outputs, batch, it)["teacher_scores"] for it in (alone, own))
    assert one != pytest.approx(other, rel=1e-2)
