"""Bytes of records into tensors, on the device that trains.

Whole records travel as bytes; here they are cut into fields, their bits unpacked
and turned by one of the eight symmetries, all in a few operations over the batch.
Boards lie in the top left corner of the frame, so a flip is within the board; a batch
of small boards may be cut down to a smaller frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from .records import (
    LABEL,
    NO_MOVE,
    OWNED_KNOWN,
    PASS,
    POINTS,
    POLICY_KNOWN,
    POSITION,
    SIDE,
)

SYMMETRIES = 8
"""Bit 1 flips y, bit 2 flips x, bit 4 transposes (after the flips)."""
_NOWHERE = POINTS
"""A bit of every packed plane that is always 0."""


class Teaching(NamedTuple):
    """A teacher's answers."""

    policy: Tensor
    """`[n, 362]`, sums to 1."""
    value: Tensor
    """`[n, 3]`."""
    scores: Tensor
    """`[n, 6]`, NaN where unknown."""
    ownership: Tensor
    """`[n, 361]`, −1 … 1."""
    known: Tensor
    """`[n]`, 1 if labeled."""


class Batch(NamedTuple):
    """Positions, and what became of them; all from the mover's side.

    Sizes are those of the 19×19 frame.
    """

    planes: Tensor
    """`[n, 22, 19, 19]`."""
    globals: Tensor
    """`[n, 19]`."""
    area: Tensor
    """`[n]`, points of the board."""
    rank: Tensor
    opponent_rank: Tensor
    move: Tensor
    """`[n]`, 0 … 361, or −1."""
    reply: Tensor
    search: Tensor
    """`[n, 362]`, the search's policy; sums to 1 or is 0."""
    search_known: Tensor
    """`[n]`, 1 if there is one."""
    result: Tensor
    """`[n]`, 1 win, ½ draw, 0 loss, NaN unknown."""
    score: Tensor
    """`[n]`, points, NaN unknown."""
    root_win: Tensor
    """`[n]`, the search's, 0 … 1, NaN unknown."""
    root_score: Tensor
    """`[n]`, the search's lead in points, NaN unknown."""
    ownership: Tensor
    """`[n, 361]`, −1, 0, 1."""
    ownership_known: Tensor
    """`[n]`, 1 if it is."""
    weight: Tensor
    teaching: Teaching | None


def decode(rows: Tensor, labels: Tensor | None, symmetry: Tensor, side: int = SIDE) -> Batch:
    """Reads `[n, 1344]` bytes and, where given, `[n, 1104]` bytes of labels.

    `side` is that of the frame, which every board must fit into.
    """
    width, height = _byte(rows, "width"), _byte(rows, "height")
    source, target = _maps(width, height, symmetry, side)
    flags = _byte(rows, "flags")
    owned = _unpack(_bytes(rows, "owned").unflatten(1, (2, -1)), source).float()
    result = _byte(rows, "result")
    search = _search_policy(rows, target, side)
    return Batch(
        planes=_unpack(_bytes(rows, "planes").unflatten(1, (22, -1)), source)
        .float()
        .unflatten(2, (side, side)),
        globals=_floats(rows, "globals"),
        area=(width * height).float(),
        rank=_byte(rows, "rank"),
        opponent_rank=_byte(rows, "opponent_rank"),
        move=_turn_move(_words(rows, "move")[:, 0], target, side),
        reply=_turn_move(_words(rows, "reply")[:, 0], target, side),
        search=search,
        search_known=((flags & POLICY_KNOWN) != 0).float() * (search.sum(1) > 0),
        result=torch.where(result > 2, torch.nan, result / 2),
        score=_floats(rows, "score")[:, 0],
        root_win=_floats(rows, "root_win")[:, 0],
        root_score=_floats(rows, "root_score")[:, 0],
        ownership=owned[:, 0] - owned[:, 1],
        ownership_known=((flags & OWNED_KNOWN) != 0).float(),
        weight=_floats(rows, "weight")[:, 0],
        teaching=None if labels is None else _teaching(labels, source),
    )


def _teaching(labels: Tensor, source: Tensor) -> Teaching:
    policy = _cut(labels, LABEL, "policy").view(torch.float16).float()
    policy = torch.cat([_gather(policy[:, :POINTS], source), policy[:, PASS:]], 1)
    value = _cut(labels, LABEL, "value").view(torch.float16).float()
    ownership = _cut(labels, LABEL, "ownership").view(torch.int8).float() / 127
    return Teaching(
        policy=policy / policy.sum(1, keepdim=True).clamp_min(1e-6),
        value=value / value.sum(1, keepdim=True).clamp_min(1e-6),
        scores=_cut(labels, LABEL, "scores").view(torch.float16).float(),
        ownership=_gather(ownership, source),
        known=(_cut(labels, LABEL, "flags")[:, 0] & 1).float(),
    )


def _maps(width: Tensor, height: Tensor, symmetry: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Returns where each point of the turned frame comes from, and where each goes to.

    The first is `[n, side²]`, points of a record; the second `[n, 361]`, points of the
    frame. `_NOWHERE` off the board.
    """
    width, height = width[:, None], height[:, None]
    flip_y, flip_x = (symmetry & 1)[:, None] != 0, (symmetry & 2)[:, None] != 0
    transpose = (symmetry & 4)[:, None] != 0

    y, x = _coordinates(side, width.device)
    from_x, from_y = torch.where(transpose, y, x), torch.where(transpose, x, y)
    inside = (from_x < width) & (from_y < height)
    from_x = torch.where(flip_x, width - 1 - from_x, from_x)
    from_y = torch.where(flip_y, height - 1 - from_y, from_y)
    source = torch.where(inside, from_y * SIDE + from_x, _NOWHERE)

    y, x = _coordinates(SIDE, width.device)
    inside = (x < width) & (y < height)
    to_x = torch.where(flip_x, width - 1 - x, x)
    to_y = torch.where(flip_y, height - 1 - y, y)
    turned = torch.where(transpose, to_x * side + to_y, to_y * side + to_x)
    return source, torch.where(inside, turned, _NOWHERE)


def _coordinates(side: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Returns y and x of every point of a frame."""
    index = torch.arange(side * side, device=device)
    return torch.div(index, side, rounding_mode="floor"), index % side


def _unpack(packed: Tensor, source: Tensor) -> Tensor:
    """Reads the bits of `[n, planes, 46]` bytes at `source`."""
    at = (source >> 3)[:, None].expand(-1, packed.shape[1], -1)
    shift = (source & 7).to(torch.uint8)[:, None]
    return (packed.gather(2, at) >> shift) & 1


def _gather(values: Tensor, source: Tensor) -> Tensor:
    """Turns `[n, 361]`, 0 off the board."""
    return torch.nn.functional.pad(values, (0, 1)).gather(1, source)


def _turn_move(move: Tensor, target: Tensor, side: int) -> Tensor:
    on_board = target.gather(1, move.clamp(max=POINTS - 1)[:, None])[:, 0]
    turned = torch.where(move < POINTS, on_board, side * side)
    return torch.where(move == NO_MOVE, -1, turned)


def _search_policy(rows: Tensor, target: Tensor, side: int) -> Tensor:
    moves = _words(rows, "policy_moves")
    weights = _cut(rows, POSITION, "policy_weights").view(torch.float16).float()
    weights = torch.where(moves == NO_MOVE, 0, weights)
    turned = target.gather(1, moves.clamp(max=POINTS - 1))
    moves = torch.where(moves < POINTS, turned, side * side)
    policy = torch.zeros(len(rows), side * side + 1, device=rows.device)
    policy = policy.scatter_add(1, moves, weights)
    return policy / policy.sum(1, keepdim=True).clamp_min(1e-6)


def _cut(rows: Tensor, dtype: np.dtype, name: str) -> Tensor:
    kind, offset = dtype.fields[name][:2]
    return rows[:, offset : offset + kind.itemsize].contiguous()


def _bytes(rows: Tensor, name: str) -> Tensor:
    return _cut(rows, POSITION, name)


def _byte(rows: Tensor, name: str) -> Tensor:
    return _bytes(rows, name)[:, 0].long()


def _floats(rows: Tensor, name: str) -> Tensor:
    return _bytes(rows, name).view(torch.float32)


def _words(rows: Tensor, name: str) -> Tensor:
    low, high = _bytes(rows, name).long().unflatten(1, (-1, 2)).unbind(2)
    return low | high << 8
