"""The player's description for a human net: KataGo's 192 channels from two ranks.

Only the ranks and the board's area differ between positions. The rest is what
KataGo fills in for its profiles `rank_20k` … `rank_9d` (a KGS game of 20 minutes
and five times 30 seconds on 2020-03-01, rated or not unknown), so that KataGo
can play such a net with those profiles. Ranks are thermometers: as many ones as
steps down from 10d. KataGo's end at 25k; ours go on to 30k in channels that
KataGo leaves 0.
"""

from __future__ import annotations

import datetime
import math

import torch
from torch import Tensor

from .nets import META_CHANNELS
from .records import RANKS, UNKNOWN

_HUMAN = (0, 1)
_RANK_UNKNOWN = (4, 5)
_RANK = (6, 40)
_STEPS = 34
_WEAKER = (167, 172)
_WEAKER_STEPS = 5
_RATED = 74
_BYOYOMI = 79
_TIMES = 82
_AREA = 86
_DATE, _WAVES = 87, 32
_SOURCE, _KGS = 151, 2


def describe(rank: Tensor, opponent_rank: Tensor, area: Tensor) -> Tensor:
    """Returns `[n, 192]` for ranks as records have them and areas in points."""
    meta = _profile(rank.device).repeat(len(rank), 1)
    for side, ranks in enumerate((rank, opponent_rank)):
        unknown = ranks == UNKNOWN
        steps = torch.where(unknown, 0, RANKS - ranks.long())
        meta[:, _RANK_UNKNOWN[side]] = unknown.float()
        _fill(meta, _RANK[side], _STEPS, steps)
        _fill(meta, _WEAKER[side], _WEAKER_STEPS, steps - _STEPS)
    meta[:, _AREA] = 0.5 * torch.log(area / 361)
    return meta


def _fill(meta: Tensor, first: int, length: int, steps: Tensor) -> None:
    scale = torch.arange(length, device=meta.device)
    meta[:, first : first + length] = (scale < steps[:, None]).float()


def _profile(device: torch.device) -> Tensor:
    """Returns what is the same for every position."""
    row = [0.0] * META_CHANNELS
    row[_HUMAN[0]] = row[_HUMAN[1]] = 1.0
    row[_RATED] = 0.5
    row[_BYOYOMI] = 1.0
    main, period, periods, canadian = 1200, 30, 5, 0
    row[_TIMES : _TIMES + 4] = [
        0.4 * (math.log(main + 60) - 6.5),
        0.3 * (math.log(period + 1) - 3.0),
        0.5 * (math.log(periods + 2) - 1.5),
        0.25 * (math.log(canadian + 2) - 1.5),
    ]
    days = (datetime.date(2020, 3, 1) - datetime.date(1970, 1, 1)).days
    for i in range(_WAVES):
        turn = 2 * math.pi * days / (7 * 80000 ** (i / (_WAVES - 1)))
        row[_DATE + 2 * i : _DATE + 2 * i + 2] = [math.cos(turn), math.sin(turn)]
    row[_SOURCE + _KGS] = 1.0
    return torch.tensor(row, device=device)
