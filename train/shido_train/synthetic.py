"""Made-up shards, for tests and for trying a machine's speed before real data is there.

Stones and features lie at random, so nothing about Go can be learned from them;
but the move is a function of the stones (a point beside the last move), the
winner of the komi, and the owners of the stones, so that a network can.
"""

from __future__ import annotations

import numpy as np

from .records import (
    GLOBALS,
    NO_MOVE,
    OWNED_KNOWN,
    PLANES,
    POLICY_KNOWN,
    POSITION,
    RANKS,
    SIDE,
    UNKNOWN,
    WIN,
    pack,
)


def positions(count: int, seed: int, sides: tuple[int, ...] = (19, 13, 9)) -> np.ndarray:
    """Returns records of boards of the given sides, in turn."""
    random = np.random.default_rng(seed)
    records = np.zeros(count, POSITION)
    side = np.array(sides)[np.arange(count) % len(sides)]
    inside = np.arange(SIDE) < side[:, None]
    board = inside[:, :, None] & inside[:, None, :]
    planes = random.random((count, PLANES, SIDE, SIDE)) < 0.05
    stones = random.integers(0, 3, (count, SIDE, SIDE))
    planes[:, 0], planes[:, 1], planes[:, 2] = True, stones == 1, stones == 2
    planes[:, 6:14] = False
    planes &= board[:, None]

    last_y, last_x = (random.integers(0, side) for _ in range(2))
    planes[np.arange(count), 9, last_y, last_x] = True
    move_x = np.where(last_x + 1 < side, last_x + 1, last_x - 1)
    planes[np.arange(count), 1:3, last_y, move_x] = False

    records["planes"] = pack(planes)
    records["globals"] = random.normal(0, 0.3, (count, GLOBALS))
    owned = np.stack([planes[:, 1], planes[:, 2]], 1)
    records["owned"] = pack(owned)
    records["move"] = last_y * SIDE + move_x
    records["reply"] = NO_MOVE
    records["policy_moves"] = NO_MOVE
    records["policy_moves"][:, 0] = records["move"]
    records["policy_weights"][:, 0] = 1
    records["result"] = np.where(records["globals"][:, 5] > 0, WIN, 0)
    records["score"] = records["globals"][:, 5] * 20
    records["root_win"] = np.where(records["result"] == WIN, 0.9, 0.1)
    records["root_score"] = records["score"]
    records["weight"] = 1
    records["width"] = records["height"] = side
    records["rank"] = random.integers(0, RANKS, count)
    records["opponent_rank"] = np.where(random.random(count) < 0.2, UNKNOWN, records["rank"])
    records["source"] = 2
    records["game"] = np.arange(count) // 50
    records["ply"] = np.arange(count) % 50
    records["moves"] = 50
    records["flags"] = OWNED_KNOWN | POLICY_KNOWN
    return records
