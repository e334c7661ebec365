"""Searched self-play: what `shido dataset play` kept is what a network is trained on.

`selfplay.jsonl` is a game that `shido dataset play --net` made, `selfplay.pos` a quarter of
its positions as `shido dataset encode` writes them; a test in Rust keeps the two together.
"""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from test_batch import rows
from test_training import CPU, config

from shido_train import config as settings
from shido_train import records
from shido_train.batch import Batch, decode
from shido_train.losses import Weights
from shido_train.progress import Clock
from shido_train.train import Trainer

HERE = Path(__file__).parent
GAME = json.loads((HERE / "selfplay.jsonl").read_text())
SHARD = records.read(HERE / "selfplay.pos")


def batch() -> Batch:
    made = np.array(SHARD.records)
    return decode(rows(made), None, torch.zeros(len(made), dtype=torch.long))


def index(letters: str) -> int:
    """The index of a move of two letters."""
    if letters == "--":
        return records.PASS
    x, y = (ord(it) - ord("a") for it in letters)
    return y * records.SIDE + x


def pairs(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def test_targets_are_the_game_s() -> None:
    records.check_sample(SHARD)
    found, moves = batch(), pairs(GAME["moves"])
    assert found.search_known.sum() >= 4 and found.search_known.sum() < len(SHARD.records)
    for i, record in enumerate(SHARD.records):
        ply = int(record["ply"])
        black = (ply % 2 == 0) != GAME.get("white_first", False)
        sign = 1 if black else -1
        assert found.move[i] == index(moves[ply])
        assert found.score[i] == sign * GAME["result"]
        assert found.result[i] == (sign * GAME["result"] > 0)

        search = GAME["searches"][ply]
        assert found.search_known[i] == (search is not None)
        assert found.root_win[i].isfinite() == (search is not None)
        if search is None:
            continue
        expected = torch.zeros(records.MOVES)
        for move, visits in zip(pairs(search["moves"]), search["visits"], strict=True):
            expected[index(move)] = visits / sum(search["visits"])
        assert torch.allclose(found.search[i], expected, atol=1e-3)
        win = search["win"] if black else 1 - search["win"]
        assert found.root_win[i] == pytest.approx(win, abs=1e-6)
        assert found.root_score[i] == pytest.approx(sign * search["lead"])


def test_the_owners_count_up_to_the_score() -> None:
    found = batch()
    assert GAME["rules"] in ("tromp-taylor", "chinese") and found.ownership_known.all()
    for i, record in enumerate(SHARD.records):
        black = (int(record["ply"]) % 2 == 0) != GAME.get("white_first", False)
        komi = -GAME["komi"] if black else GAME["komi"]
        assert found.ownership[i].sum() + komi == found.score[i]


def test_a_net_learns_from_search_and_count(tmp_path: Path) -> None:
    folder = tmp_path / "shards"
    folder.mkdir()
    made = np.array(SHARD.records)[:8]
    for split in ("train", "valid"):
        records.write(folder / f"{split}.pos", made, {"split": split})
    it = config("transformer", batch=len(made), positions=len(made) * 100, warmup=0.1)
    # Not the result: it says otherwise than the search, game by game.
    it = dataclasses.replace(it, loss=Weights(search=1, root=1, root_score=5, ownership=1))
    it = dataclasses.replace(it, keep=dataclasses.replace(it.keep, log_seconds=1e9))
    trainer = Trainer(it, folder, tmp_path / "out", Clock(None), CPU)
    trainer._measure()
    before = trainer.measures["all"]
    assert trainer.run()
    after = trainer.measures["all"]
    assert after["scores"] == len(made)
    assert after["searches"] == after["roots"] == sum((made["flags"] & records.POLICY_KNOWN) != 0)
    for name in ("search_kl", "root_win_error", "root_lead_error"):
        assert after[name] < 0.6 * before[name], name


def test_the_settings_for_self_play_need_no_teacher() -> None:
    it = settings.read(HERE.parent / "configs/selfplay.toml")
    assert it.loss.search and it.loss.root and it.loss.root_score
    assert it.loss.result and it.loss.score and it.loss.ownership
    assert not it.data.labels
