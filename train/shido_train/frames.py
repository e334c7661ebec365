"""The frame that a batch is evaluated in.

Records keep every board in a frame of 19×19. Evaluated there, a 9×9 board costs as much
as a 19×19 one, four fifths of it for nothing; so 9×9 boards come in batches of their own,
in a frame that they fill. Boards that fill their frame need no mask, which makes
attention faster. All others share the large frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .records import SIDE

SMALL = 9


class Framing(NamedTuple):
    """A frame, and whether every board of a batch fills it."""

    side: int
    full: bool

    @property
    def points(self) -> int:
        """Points of the frame; also the index of a pass among its moves."""
        return self.side * self.side


FRAMINGS = (Framing(SIDE, True), Framing(SMALL, True), Framing(SIDE, False))
ANY = FRAMINGS[-1]
"""The one that every board fits into."""


def framings(records: np.ndarray) -> np.ndarray:
    """Returns which of `FRAMINGS` suits each record."""
    width, height = np.array(records["width"]), np.array(records["height"])
    found = np.full(len(records), len(FRAMINGS) - 1, np.uint8)
    for i, framing in enumerate(FRAMINGS):
        if framing.full:
            found[(width == framing.side) & (height == framing.side)] = i
    return found


def widen_moves(moves: np.ndarray, side: int) -> np.ndarray:
    """Turns `[n, side² + 1]` values of a frame's moves into those of the large frame."""
    wide = np.zeros((len(moves), SIDE * SIDE + 1), moves.dtype)
    wide[:, :-1] = widen_points(moves[:, :-1], side)
    wide[:, -1] = moves[:, -1]
    return wide


def widen_points(points: np.ndarray, side: int) -> np.ndarray:
    """Turns `[n, side²]` values of a frame's points into those of the large frame."""
    wide = np.zeros((len(points), SIDE, SIDE), points.dtype)
    wide[:, :side, :side] = points.reshape(-1, side, side)
    return wide.reshape(len(points), -1)
