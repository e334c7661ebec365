"""Training: it learns, it stops in time, it resumes, and what it exports is what it trained."""

import dataclasses
import gzip
import json
import tomllib
from pathlib import Path

import numpy as np
import pytest
import torch
from conftest import SHAPES, disturbed

from shido_train import config as settings
from shido_train import export, nets, plot, records, synthetic, weights
from shido_train.__main__ import main
from shido_train.config import Config, ConfigError, Keeping, Measurement, Optimization
from shido_train.frames import ANY, FRAMINGS
from shido_train.label import label_folder
from shido_train.layers import BatchNorm, Frame
from shido_train.loader import Loader
from shido_train.losses import Weights
from shido_train.measure import evaluate, measure, to_batch
from shido_train.muon import Muon, orthogonal
from shido_train.progress import Clock, Log, rate_factor
from shido_train.start import StartError
from shido_train.train import Trainer

CPU = torch.device("cpu")
HUMAN = Weights(move=1, result=0.5, score=0.2, ownership=0.3, smoothing=0.01, search=0.1)
TEACHER = Weights(teacher=1, teacher_value=1, teacher_scores=0.2, teacher_ownership=1)


def config(shape: str = "residual", **optimization: object) -> Config:
    given = {"batch": 16, "rate": 1e-2, "compile": False, "positions": 160, "average": 0.9}
    return Config(
        net=SHAPES[shape],
        loss=HUMAN,
        optimization=Optimization(**{**given, **optimization}),
        measure=Measurement(positions=30, batch=16),
        keep=Keeping(name="test", log_seconds=0, reserve_seconds=0),
    )


def log_of(out: Path, kind: str) -> list[dict]:
    return [it for it in plot.read_log(out / "log.jsonl") if it["kind"] == kind]


@pytest.mark.parametrize(
    ("shape", "optimizer"), [("residual", "adamw"), ("residual", "muon"), ("transformer", "muon")]
)
def test_a_small_net_learns_a_few_positions_by_heart(
    tmp_path: Path, shape: str, optimizer: str
) -> None:
    folder = tmp_path / "shards"
    folder.mkdir()
    made = synthetic.positions(4, 1, (9,))
    for split in ("train", "valid"):
        records.write(folder / f"{split}.pos", made, {"split": split})
    it = config(shape, batch=4, positions=4 * 250, warmup=0.1, rate=1e-2, optimizer=optimizer)
    it = dataclasses.replace(it, loss=Weights(move=1, result=0.5, ownership=0.5))
    it = dataclasses.replace(it, keep=dataclasses.replace(it.keep, log_seconds=1e9))
    trainer = Trainer(it, folder, tmp_path / "out", Clock(None), CPU)
    trainer._measure()
    assert trainer.measures["9x9"]["log_evidence"] < -3
    assert trainer.run()
    assert trainer.measures["9x9"]["log_evidence"] > -0.1
    assert trainer.measures["9x9"]["top1"] == 1
    assert trainer.measures["9x9"]["value_ce"] < 0.1


@pytest.mark.parametrize("more", [{}, {"optimizer": "muon"}, {"norms": "anchored"}])
def test_a_resumed_run_ends_where_an_unbroken_one_does(
    shards: Path, tmp_path: Path, more: dict[str, str]
) -> None:
    ends = {}
    for name, stops in (("whole", [160]), ("broken", [64, 160])):
        for stop in stops:
            trainer = Trainer(config(**more), shards, tmp_path / name, Clock(None), CPU)
            if trainer.checkpoint_path.exists():
                trainer.restore(weights.load(trainer.checkpoint_path))
            trainer._done = lambda it=trainer, stop=stop: it.positions >= stop
            trainer.run()
        ends[name] = (trainer.step, trainer.net.state_dict(), trainer.average.kept)
    assert ends["whole"][0] == ends["broken"][0] == 10
    for name, tensor in ends["whole"][1].items():
        assert torch.equal(tensor, ends["broken"][1][name]), name
    for one, other in zip(ends["whole"][2], ends["broken"][2], strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_exported_net_is_the_averaged_one(shards: Path, tmp_path: Path, shape: str) -> None:
    trainer = Trainer(config(shape), shards, tmp_path, Clock(None), CPU)
    assert trainer.run()
    path = next(tmp_path.glob("*.bin.gz"))
    exported = nets.load(path)
    kept, _ = export.from_checkpoint(weights.load(trainer.checkpoint_path))
    gathered = trainer.held_out.gather(np.arange(12))
    batch = to_batch(gathered, CPU)
    with torch.no_grad():
        mine, theirs = evaluate(kept, batch, False), evaluate(exported, batch, False)
    assert torch.allclose(mine.policy[:, 0], theirs.policy[:, 0], atol=1e-4)
    # Equal weights; what is computed from them may differ in the last bit, by the processor.
    last = exported.policy.p2_conv.weight
    assert torch.equal(last[0], last[1])
    assert torch.allclose(theirs.policy[:, 0], theirs.policy[:, 1], rtol=0, atol=1e-5)
    for name in ("value", "scores", "ownership"):
        assert torch.allclose(getattr(mine, name), getattr(theirs, name), atol=1e-4), name
    card = json.loads(path.with_name(path.name.replace(".bin.gz", ".json")).read_text())
    assert card["measures"]["all"]["moves"] == 30
    assert card["data"] == ["96 positions of kgs", "encoded by commit abc"]
    assert card["bytes"] == path.stat().st_size
    assert f"# test-{SHAPES[shape].name}" in path.with_suffix("").with_suffix(".md").read_text()


def test_the_clock_ends_a_run_in_time_for_its_export(shards: Path, tmp_path: Path) -> None:
    clock = Clock((Clock(None).spent() + 3) / 60)
    it = config(positions=0)
    it = dataclasses.replace(it, keep=dataclasses.replace(it.keep, reserve_seconds=1))
    trainer = Trainer(it, shards, tmp_path, clock, CPU)
    trainer._reserve = lambda: 1.0
    assert trainer.run()
    assert clock.left() > -1.5
    assert log_of(tmp_path, "end")[0]["reason"] in ("out of time", "finished")
    lines = log_of(tmp_path, "train")
    assert lines[0]["rate"] < 1e-4 and lines[-1]["rate"] < max(it["rate"] for it in lines) / 2
    assert lines[-1]["progress"] > 0.5
    assert len(log_of(tmp_path, "export")) == 2


def test_a_loss_that_is_no_number_rolls_back(shards: Path, tmp_path: Path) -> None:
    trainer = Trainer(config(), shards, tmp_path, Clock(None), CPU)
    whole, poisoned = trainer.compute, []

    def poison(*inputs: object) -> dict:
        terms = whole(*inputs)
        if trainer.step == 3 and not poisoned:
            poisoned.append(True)
            terms["total"] = terms["total"] * float("nan")
        return terms

    trainer.compute = poison
    assert trainer.run()
    assert trainer.rate_scale == 0.5 and trainer.step == 10
    assert log_of(tmp_path, "problem")[0]["back_to_step"] == 0
    assert all(bool(it.isfinite().all()) for it in trainer.average.kept)


def test_the_compiler_may_fail(shards: Path, tmp_path: Path) -> None:
    def fail(*_: object) -> dict:
        raise RuntimeError("no compiler here")

    trainer = Trainer(config(), shards, tmp_path, Clock(None), CPU)
    trainer.compute = fail
    assert trainer.run()
    assert "no compiler here" in log_of(tmp_path, "problem")[0]["what"]
    assert trainer.step == 10


def test_what_fails_midway_is_exported_as_far_as_it_came(shards: Path, tmp_path: Path) -> None:
    trainer = Trainer(config(), shards, tmp_path, Clock(None), CPU)
    whole = trainer._losses

    def fail(*inputs: object) -> dict:
        if trainer.step == 4:
            raise torch.OutOfMemoryError("no room")
        return whole(*inputs)

    trainer.compute = fail
    assert not trainer.run()
    assert "no room" in log_of(tmp_path, "problem")[0]["what"]
    assert log_of(tmp_path, "export") and weights.load(trainer.checkpoint_path)["step"] == 4


def test_a_net_too_large_is_not_exported(shards: Path, tmp_path: Path) -> None:
    it = config()
    it = dataclasses.replace(it, keep=dataclasses.replace(it.keep, most_bytes=1000))
    assert not Trainer(it, shards, tmp_path, Clock(None), CPU).run()
    assert "at most 1000" in log_of(tmp_path, "problem")[0]["what"]
    assert not list(tmp_path.glob("*.bin.gz"))


def test_a_teacher_labels_and_is_learned_from(shards: Path, tmp_path: Path) -> None:
    teacher = disturbed(SHAPES["residual"])
    with torch.no_grad():
        for last in (teacher.policy.p2_conv, teacher.value.ownership_conv, teacher.value.v3):
            last.weight *= 10
    path = tmp_path / "teacher.bin.gz"
    nets.kata.write(nets.to_file(teacher, "teacher"), path)
    assert label_folder(shards, path, 16, Clock(None), Log(tmp_path / "l.jsonl"), CPU) == 0
    shard = records.read_folder(shards, "valid")[0]
    labels = records.read_labels(shard)
    assert labels.header["teacher"] == "teacher" and labels.records["flags"].all()

    batch = to_batch(Loader([shard], [labels], 30, 1).gather(np.arange(30)), CPU)
    with torch.no_grad():
        outputs = evaluate(teacher, batch, False)
    assert torch.allclose(batch.teaching.policy, outputs.policy[:, 0].softmax(1), atol=1e-3)
    assert torch.allclose(batch.teaching.value, outputs.value.softmax(1), atol=1e-3)
    points = teacher.points(outputs.scores)
    assert torch.allclose(batch.teaching.scores, points, rtol=2e-3, atol=1e-2)
    on_board = batch.planes[:, 0].flatten(1)
    owners = outputs.ownership.tanh() * on_board
    assert torch.allclose(batch.teaching.ownership, owners, atol=0.005)

    it = dataclasses.replace(config("transformer", positions=96 * 4), loss=TEACHER)
    it = dataclasses.replace(it, data=settings.Data(labels=True))
    trainer = Trainer(it, shards, tmp_path / "out", Clock(None), CPU)
    trainer._measure()
    before = trainer.measures["all"]
    assert trainer.run()
    after = trainer.measures["all"]
    for name in ("policy_kl", "value_kl", "lead_error", "ownership_error"):
        assert after[name] < before[name], name
    assert log_of(tmp_path / "out", "export")
    card = json.loads(next((tmp_path / "out").glob("*.json")).read_text())
    assert card["teachers"][0].startswith("teacher (sha256")


def test_shards_that_come_later_are_labeled_too(shards: Path, tmp_path: Path) -> None:
    path = tmp_path / "teacher.bin.gz"
    nets.kata.write(nets.to_file(disturbed(SHAPES["residual"]), "teacher"), path)

    class Adding(Log):
        def write(self, kind: str, **values: object) -> None:
            super().write(kind, **values)
            if kind == "shard" and not (shards / "z.pos").exists():
                records.write(shards / "z.pos", synthetic.positions(5, 3), {"split": "train"})

    assert label_folder(shards, path, 16, Clock(None), Adding(tmp_path / "l.jsonl"), CPU) == 0
    assert records.labels_path(shards / "z.pos").exists()


def test_the_teacher_itself_measures_as_perfect(shards: Path, tmp_path: Path) -> None:
    teacher = disturbed(SHAPES["transformer"])
    path = tmp_path / "teacher.bin.gz"
    nets.kata.write(nets.to_file(teacher, "teacher"), path)
    label_folder(shards, path, 16, Clock(None), Log(tmp_path / "l.jsonl"), CPU)
    shard = records.read_folder(shards, "valid")[0]
    loader = Loader([shard], [records.read_labels(shard)], 7, 1)
    table = measure(teacher, loader, 1000, CPU, False)
    assert table["all"]["policy_kl"] == pytest.approx(0, abs=1e-3)
    assert table["all"]["lead_error"] == pytest.approx(0, abs=0.05)
    assert sum(table[name]["moves"] for name in ("9x9", "13x13", "19x19")) == 30
    bands = [name for name in table if name.endswith("k") or name in ("dan", "9d")]
    assert sum(table[name]["moves"] for name in bands) == 30


def test_an_epoch_holds_every_position_once(shards: Path) -> None:
    loader = Loader(records.read_folder(shards, "train"), None, 8, 5)
    plan = loader.plan(0)
    numbers = np.concatenate(plan.batches)
    assert sorted(numbers) == list(range(96))
    for batch, framing in zip(plan.batches, plan.framings, strict=True):
        assert framing == ANY or (loader.framing[batch] == FRAMINGS.index(framing)).all()
    assert set(plan.framings) == set(FRAMINGS)
    assert (np.concatenate(loader.plan(1).batches) != numbers).any()
    assert (np.concatenate(loader.plan(0).batches) == numbers).all()


def test_sampling_repeats_a_source(shards: Path) -> None:
    made = records.read_folder(shards, "train")
    assert len(np.concatenate(Loader(made, None, 8, 5, {"kgs": 2.5}).plan(0).batches)) > 200
    assert not Loader(made, None, 8, 5, {"kgs": 0}).plan(0).batches
    with pytest.raises(ValueError, match="unknown source"):
        Loader(made, None, 8, 5, {"kiseido": 1})


def test_games_with_programs_can_be_left_out(tmp_path: Path) -> None:
    made = synthetic.positions(40, 1)
    made["flags"][::4] |= records.WITH_PROGRAM
    records.write(tmp_path / "a.pos", made, {"split": "train"})
    loader = Loader(records.read_folder(tmp_path, "train"), None, 5, 1, programs=False)
    assert sorted(np.concatenate(loader.plan(0).batches)) == [i for i in range(40) if i % 4]


def test_gathering_takes_the_right_records(shards: Path) -> None:
    made = records.read_folder(shards, "train")
    loader = Loader(made, None, 8, 5)
    rows = loader.gather(np.array([90, 3, 41, 39])).rows.numpy()
    everything = np.concatenate([shard.rows for shard in made])
    assert (rows == everything[[3, 39, 41, 90]]).all()


def test_the_rate_rises_and_falls() -> None:
    assert rate_factor(0.0, 0.1, 0.05) < 0.01
    assert rate_factor(0.05, 0.1, 0.05) == pytest.approx(0.5)
    assert rate_factor(0.1, 0.1, 0.05) == pytest.approx(1)
    assert rate_factor(1.0, 0.1, 0.05) == pytest.approx(0.05)
    assert rate_factor(1.7, 0.1, 0.05) == pytest.approx(0.05)


def test_mantissas_are_rounded_to_the_nearest() -> None:
    values = np.array([1.0, 1.4999999, -1.3, 3.14159, 0.0], "f4")
    rounded = export.round_mantissa(values, 10)
    assert np.abs(rounded - values).max() < 2e-3 and rounded[0] == 1 and rounded[4] == 0
    assert not (rounded.view(np.uint32) & 0x1FFF).any()


CONFIGS = Path(__file__).parent.parent / "configs"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.toml")), ids=lambda it: it.name)
def test_every_candidate_of_the_settings_fits_in_its_file(path: Path) -> None:
    for name in tomllib.loads(path.read_text())["nets"]:
        it = settings.read(path, name)
        net = nets.build(it.net)
        assert it.net.name.removesuffix("-meta") == name
        sample = np.random.default_rng(1).normal(0, 0.1, 50_000)
        packed = len(gzip.compress(export.round_mantissa(sample, it.keep.mantissa).tobytes()))
        size = sum(p.numel() for p in net.parameters()) * packed / len(sample)
        assert size < it.keep.most_bytes, name
        assert Config.of_dict(it.as_dict()) == it


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[loss]\nmove = 1", "no .nets.NAME. table"),
        ("[nets.a]\nkind = 'residual'\nblocks = 1", "channels"),
        ("[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\n[speed]\n", "unknown table"),
        ("[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\ncolor = 1", "net.color"),
        ("[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\n[loss]\nteacher = 1", "labels"),
        ("[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\n[loss]\nmove = -1", "below 0"),
        ("[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\nvalue_channels = -4", "above 0"),
        (
            "[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\n[loss]\nown_error = 1",
            "teacher_scores",
        ),
        (
            "[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 64\n"
            "[optimization]\nnorms = 'kept'",
            "not batch or anchored",
        ),
        (
            "[nets.a]\nkind = 'transformer'\nblocks = 1\nchannels = 64\nheads = 2\n"
            "[optimization]\nnorms = 'anchored'",
            "residual net",
        ),
        ("nets = [", "Invalid"),
    ],
)
def test_bad_settings_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message):
        settings.read(path)


def test_the_command_line_trains_exports_and_plots(
    shards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "a.toml"
    path.write_text(
        "[nets.a]\nkind = 'residual'\nblocks = 1\nchannels = 8\ngpool_channels = 4\n"
        "[loss]\nmove = 1\n[optimization]\nbatch = 16\npositions = 64\ncompile = false\n"
    )
    out = tmp_path / "out"

    def command(*words: object) -> int:
        monkeypatch.setattr("sys.argv", ["shido_train", *map(str, words)])
        return main()

    train = ("train", "--config", path, "--shards", shards, "--out", out, "--device", "cpu")
    assert command(*train) == 0
    assert command(*train, "--positions", 96) == 0
    assert log_of(out, "start")[1]["step"] == 4
    assert command("export", out / "checkpoint.pt", tmp_path / "n.bin.gz", "--mantissa", 12) == 0
    assert command("info", tmp_path / "n.bin.gz") == 0
    assert '"channels": 8' in capsys.readouterr().out
    assert command("info", shards / "train-0.pos") == 0
    capsys.readouterr()
    assert command("measure", tmp_path / "n.bin.gz", "--shards", shards, "--device", "cpu") == 0
    assert json.loads(capsys.readouterr().out)["all"]["moves"] == 30
    pytest.importorskip("matplotlib")
    assert command("plot", out / "log.jsonl", "--out", tmp_path / "c.svg") == 0
    assert (tmp_path / "c.svg").read_text().startswith("<?xml")
    path.write_text(path.read_text() + "norms = 'anchored'\n")
    assert command(*train[:-4], "--out", tmp_path / "new", "--device", "cpu") == 1
    assert "needs --start" in capsys.readouterr().err
    assert command("train", *train[1:], "--net", "b") == 1
    assert "no [nets.b]" in capsys.readouterr().err


@pytest.mark.parametrize("shape", ["residual", "transformer"])
def test_a_deeper_net_begins_as_the_one_it_grew_from(
    shards: Path, tmp_path: Path, shape: str
) -> None:
    earlier = Trainer(config(shape), shards, tmp_path / "earlier", Clock(None), CPU)
    assert earlier.run()
    small, _ = export.from_checkpoint(weights.load(earlier.checkpoint_path))
    for blocks in (SHAPES[shape].blocks, SHAPES[shape].blocks + 2):
        it = config(shape)
        it = dataclasses.replace(it, net=dataclasses.replace(it.net, blocks=blocks))
        trainer = Trainer(it, shards, tmp_path / f"b{blocks}", Clock(None), CPU)
        trainer.start(weights.load(earlier.checkpoint_path), "earlier")
        gathered = trainer.held_out.gather(np.arange(12))
        batch = to_batch(gathered, CPU)
        with torch.no_grad():
            one, other = (evaluate(it.eval(), batch, False) for it in (small, trainer.net))
        for name in one._fields:
            assert torch.allclose(getattr(one, name), getattr(other, name), atol=1e-5), name
        assert trainer.run()
        assert trainer.provenance["began_with"][0] == "earlier after 160 positions"
        resumed = Trainer(it, shards, tmp_path / f"b{blocks}", Clock(None), CPU)
        resumed.restore(weights.load(trainer.checkpoint_path))
        assert resumed.provenance == trainer.provenance


def test_a_wider_value_head_begins_as_the_one_it_grew_from(shards: Path, tmp_path: Path) -> None:
    earlier = Trainer(config(), shards, tmp_path / "earlier", Clock(None), CPU)
    assert earlier.run()
    state = weights.load(earlier.checkpoint_path)
    small, _ = export.from_checkpoint(state)
    it = config()
    wider = dataclasses.replace(it.net, value_channels=12, value_hidden=24)
    trainer = Trainer(
        dataclasses.replace(it, net=wider), shards, tmp_path / "wider", Clock(None), CPU
    )
    trainer.start(state, "earlier")
    batch = to_batch(trainer.held_out.gather(np.arange(12)), CPU)
    with torch.no_grad():
        one, other = (evaluate(it.eval(), batch, False) for it in (small, trainer.net))
    for name in one._fields:
        assert torch.allclose(getattr(one, name), getattr(other, name), atol=1e-5), name
    assert trainer.run()
    # What began at 0, which decay alone leaves there.
    assert bool((trainer.net.value.v2.weight[:16].unflatten(1, (3, 12))[:, :, 8:] != 0).any())
    assert bool((trainer.net.value.v3.weight[:, 16:] != 0).any())
    assert nets.load(next((tmp_path / "wider").glob("*.bin.gz"))).value.v2.weight.shape == (24, 36)
    narrower = Trainer(config(), shards, tmp_path / "narrower", Clock(None), CPU)
    with pytest.raises(StartError, match="value"):
        narrower.start(weights.load(trainer.checkpoint_path), "wider")


def test_anchored_norms_train_as_they_are_used(shards: Path, tmp_path: Path) -> None:
    earlier = Trainer(config(), shards, tmp_path / "earlier", Clock(None), CPU)
    assert earlier.run()
    trainer = Trainer(config(norms="anchored"), shards, tmp_path / "out", Clock(None), CPU)
    trainer.start(weights.load(earlier.checkpoint_path), "earlier")
    norms = [it for it in trainer.net.modules() if isinstance(it, BatchNorm) and it.learns]
    begun = [it.variance.clone() for it in norms]
    trainer._anchor_norms()
    settled = [it.variance.clone() for it in norms]
    assert all((one != other).any() for one, other in zip(begun, settled, strict=True))
    gathered = next(trainer.data.batches())
    trainer.net.eval()
    used = trainer._outputs(*trainer._prepare(gathered), gathered.framing.full)
    trainer.net.train()
    training = trainer._outputs(*trainer._prepare(gathered), gathered.framing.full)
    for name in used._fields:
        assert torch.allclose(getattr(training, name), getattr(used, name), atol=1e-4), name
    assert all((it.variance != old).any() for it, old in zip(norms, settled, strict=True))
    assert trainer.run()


def test_an_anchored_norm_has_the_gradients_of_a_batch_norm() -> None:
    torch.manual_seed(3)
    x = torch.randn(4, 5, 3, 3) * 2 + 1
    frame = Frame.of(torch.ones(4, 22, 3, 3), True)
    gradients = []
    for anchored in (False, True):
        norm = BatchNorm(5).train()
        norm.anchored = anchored
        norm.mean.fill_(0.5)
        norm.variance.fill_(4.0)
        given = x.clone().requires_grad_()
        (norm(given, frame).square() * torch.arange(9.0).view(3, 3)).sum().backward()
        gradients.append(given.grad)
    # Whatever scales or shifts a whole channel of the batch has no gradient in either.
    for gradient in gradients:
        assert torch.allclose(gradient.sum((0, 2, 3)), torch.zeros(5), atol=1e-3)
        centered = x - x.mean((0, 2, 3), keepdim=True)
        assert torch.allclose((gradient * centered).sum((0, 2, 3)), torch.zeros(5), atol=0.05)
    assert not torch.allclose(*gradients)


def test_an_anchored_norm_stays_near_the_batch() -> None:
    torch.manual_seed(4)
    x = torch.randn(4, 5, 3, 3)
    norm = BatchNorm(5).train()
    norm.anchored = True
    norm.mean.fill_(100.0)
    norm.variance.fill_(1e-6)
    y = norm(x, Frame.of(torch.ones(4, 22, 3, 3), True))
    assert float(y.detach().abs().max()) < 3 * 5 + 5
    assert norm.mean.max() < 100


def test_muon_is_torchs_for_matrices_and_turns_convolutions_too() -> None:
    torch.manual_seed(2)
    begun = [torch.randn(6, 18) for _ in range(3)]
    pushes = [[torch.randn(6, 18) for _ in begun] for _ in range(3)]
    ends = []
    for kind in ("torch", "matrices", "convolutions"):
        shape = (6, 2, 3, 3) if kind == "convolutions" else (6, 18)
        found = [torch.nn.Parameter(it.clone().view(shape)) for it in begun]
        if kind == "torch":
            muon = torch.optim.Muon(
                found, lr=0.1, weight_decay=0.05, adjust_lr_fn="match_rms_adamw"
            )
        else:
            muon = Muon(found, rate=0.1, decay=0.05)
        for push in pushes:
            for weight, gradient in zip(found, push, strict=True):
                weight.grad = gradient.clone().view(shape)
            muon.step()
        ends.append(torch.stack([it.detach().view(6, 18) for it in found]))
    assert torch.equal(ends[1], ends[2])
    moved = (ends[0] - torch.stack(begun)).abs().mean()
    assert float((ends[0] - ends[1]).abs().mean()) < 0.02 * float(moved)
    for rows, columns in ((3, 7), (7, 3)):
        values = torch.linalg.svdvals(orthogonal(torch.randn(2, rows, columns)))
        assert bool((values > 0.5).all()) and bool((values < 1.3).all())


def test_a_net_of_another_shape_is_not_begun_with(shards: Path, tmp_path: Path) -> None:
    earlier = Trainer(config("residual"), shards, tmp_path / "earlier", Clock(None), CPU)
    earlier.save()
    trainer = Trainer(config("transformer"), shards, tmp_path / "out", Clock(None), CPU)
    with pytest.raises(StartError, match="cannot begin as"):
        trainer.start(weights.load(earlier.checkpoint_path), "earlier")
