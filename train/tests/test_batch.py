"""Decoding and symmetries: everything on a board turns together."""

import numpy as np
import pytest
import torch

from shido_train import records, synthetic
from shido_train.batch import Batch, decode
from shido_train.meta import describe


def rows(made: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(made.view(np.uint8).reshape(len(made), -1).copy())


def labels_of(made: np.ndarray) -> np.ndarray:
    """Labels that say what the records say: the policy is the move."""
    labels = np.zeros(len(made), records.LABEL)
    labels["policy"][np.arange(len(made)), made["move"]] = 1
    labels["value"] = [0.7, 0.3, 0]
    owned = np.unpackbits(made["owned"], axis=-1, bitorder="little")[..., :361].astype(int)
    labels["ownership"] = (owned[:, 0] - owned[:, 1]) * 127
    labels["flags"] = 1
    return labels


def decoded(made: np.ndarray, symmetry: int) -> Batch:
    turns = torch.full((len(made),), symmetry)
    return decode(rows(made), rows(labels_of(made)), turns)


@pytest.mark.parametrize("symmetry", range(8))
def test_a_small_frame_holds_what_the_large_one_does(symmetry: int) -> None:
    made = synthetic.positions(6, 4, (9, 8))
    made["move"][1] = records.PASS
    made["reply"] = made["move"]
    made["policy_moves"][:, 0] = made["move"]
    turns = torch.full((len(made),), symmetry)
    large = decode(rows(made), rows(labels_of(made)), turns)
    small = decode(rows(made), rows(labels_of(made)), turns, side=9)

    def cut(points: torch.Tensor) -> torch.Tensor:
        return points[..., :361].unflatten(-1, (19, 19))[..., :9, :9].flatten(-2)

    assert torch.equal(small.planes, large.planes[..., :9, :9])
    assert torch.equal(small.ownership, cut(large.ownership))
    assert torch.equal(small.teaching.ownership, cut(large.teaching.ownership))
    for get in (lambda it: it.search, lambda it: it.teaching.policy):
        assert torch.equal(get(small)[:, :81], cut(get(large)))
        assert torch.equal(get(small)[:, 81], get(large)[:, 361])
        assert torch.equal(get(small).argmax(1), small.move)
    assert small.move[1] == small.reply[1] == 81


def test_fields_are_what_was_written() -> None:
    made = synthetic.positions(6, 1)
    made["move"][1] = records.PASS
    made["reply"][1] = 5
    made["result"] = [0, 1, 2, 255, 2, 0]
    batch = decoded(made, 0)
    planes = np.unpackbits(made["planes"], axis=-1, bitorder="little")[..., :361]
    assert (batch.planes.flatten(2).numpy() == planes).all()
    assert np.allclose(batch.globals.numpy(), made["globals"])
    assert batch.move[1] == 361 and batch.reply.tolist() == [-1, 5, -1, -1, -1, -1]
    assert batch.move[0] == made["move"][0]
    assert batch.result[:3].tolist() == [0, 0.5, 1] and batch.result[3].isnan()
    assert batch.area.tolist() == [361, 169, 81] * 2
    assert (
        batch.search.argmax(1) == torch.from_numpy(made["policy_moves"][:, 0].astype(int))
    ).all()


@pytest.mark.parametrize("symmetry", range(8))
def test_planes_moves_and_owners_turn_together(symmetry: int) -> None:
    made = synthetic.positions(9, 2)
    made["reply"] = made["move"]
    before, after = decoded(made, 0), decoded(made, symmetry)
    for i in range(len(made)):
        side = int(made["width"][i])

        def turned(board: torch.Tensor, side: int = side) -> torch.Tensor:
            """Turns the board itself, the plain way."""
            board = board[..., :side, :side]
            board = board.flip(-2) if symmetry & 1 else board
            board = board.flip(-1) if symmetry & 2 else board
            board = board.transpose(-1, -2) if symmetry & 4 else board
            return torch.nn.functional.pad(board, (0, 19 - side, 0, 19 - side))

        def same(name: str, get, i: int = i, turned=turned) -> None:
            old = get(before)[i][..., :361].unflatten(-1, (19, 19))
            new = get(after)[i][..., :361].unflatten(-1, (19, 19))
            assert torch.equal(turned(old), new), name

        same("planes", lambda it: it.planes.flatten(2))
        same("ownership", lambda it: it.ownership)
        same("teacher's ownership", lambda it: it.teaching.ownership)
        same("teacher's policy", lambda it: it.teaching.policy)
        same("search policy", lambda it: it.search)
        for name in ("move", "reply"):
            move = getattr(after, name)[i]
            assert move == after.teaching.policy[i].argmax() == after.search[i].argmax()
    assert torch.equal(before.globals, after.globals)


def test_pass_stays_pass_under_every_symmetry() -> None:
    made = synthetic.positions(3, 2)
    made["move"] = made["policy_moves"][:, 0] = records.PASS
    for symmetry in range(8):
        batch = decoded(made, symmetry)
        assert batch.move.tolist() == [361] * 3
        assert batch.search[:, 361].tolist() == [1] * 3
        assert batch.teaching.policy[:, 361].tolist() == [1] * 3


def test_boards_that_are_not_square_are_transposed_whole() -> None:
    made = synthetic.positions(1, 4, (9,))
    planes = np.zeros((1, 22, 19, 19), bool)
    planes[:, 0, :5, :9] = True
    planes[:, 1, 4, 8] = True
    made["planes"], made["height"] = records.pack(planes), 5
    batch = decoded(made, 4)
    assert batch.planes[0, 0, :9, :5].all() and batch.planes[0, 0].sum() == 45
    assert batch.planes[0, 1, 8, 4] == 1 and batch.planes[0, 1].sum() == 1


def test_ranks_are_thermometers() -> None:
    # 9d, 1d, 25k, 30k, unknown; the opponents the other way round.
    rank = torch.tensor([38, 30, 5, 0, 255])
    meta = describe(rank, rank.flip(0), torch.tensor([361.0, 361, 361, 81, 81]))
    assert meta[:, 6:40].sum(1).tolist() == [1, 9, 34, 34, 0]
    assert meta[:, 40:74].sum(1).tolist() == [0, 34, 34, 9, 1]
    assert meta[:, 167:172].sum(1).tolist() == [0, 0, 0, 5, 0]
    assert meta[:, 4].tolist() == [0, 0, 0, 0, 1] and meta[:, 5].tolist() == [1, 0, 0, 0, 0]
    # Ones come first: a stronger player's are a beginning of a weaker one's.
    assert meta[1, 6:15].all() and not meta[1, 15:40].any()
    assert meta[0, 86] == 0 and meta[3, 86] == pytest.approx(0.5 * np.log(81 / 361), rel=1e-5)
    assert meta[0, 151:167].tolist() == [0, 0, 1] + [0] * 13
    assert meta[0, 75:82].sum() == 1 and meta[0, 79] == 1
    assert not meta[:, 177:].any()
