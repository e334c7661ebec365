"""The training loop: made for a machine that is lent for half an hour.

It stops in time for a last measure, checkpoint and export; whatever fails then
does not keep the rest from happening. Batches, symmetries and hidden ranks follow
from the seed and the step alone, so a run that is resumed goes on as if it had
never stopped.
"""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from . import weights as moving
from .batch import SYMMETRIES, Batch, decode
from .config import Config
from .export import export
from .frames import Framing
from .loader import Gathered, Loader
from .losses import losses
from .measure import measure
from .meta import describe
from .nets import Outputs, build
from .norms import anchor, settle
from .progress import Clock, Log, rate_factor
from .records import UNKNOWN, Shard, ShardError, check_sample, read_folder, read_labels
from .start import start

_SETTLING = 200
"""Batches on which the statistics of norms are measured before they train on them."""
_ROLLBACKS = 3
"""How often a run goes back to its checkpoint after its loss stopped being a number."""


def provenance(shards: Sequence[Shard], labels: Sequence[Shard] | None) -> dict[str, list[str]]:
    """Returns what a card says about data and teachers."""
    sources: dict[str, int] = {}
    for shard in shards:
        for name, count in shard.header.get("sources", {}).items():
            sources[name] = sources.get(name, 0) + count
    makers = {str(shard.header.get("commit", "unknown")) for shard in shards}
    data = [f"{count} positions of {name}" for name, count in sorted(sources.items())]
    data.append("encoded by commit " + ", ".join(sorted(makers)))
    teachers = {
        f"{shard.header.get('teacher')} (sha256 {shard.header.get('sha256')})"
        for shard in labels or []
    }
    return {"data": data, "teachers": sorted(teachers)}


class Window:
    """The losses since the last line of the log, left on the device until it is written."""

    def __init__(self, positions: int, begun: float) -> None:
        self.positions, self.begun = positions, begun
        self.steps = 0
        self.sums: dict[str, Tensor] = {}

    def add(self, terms: dict[str, Tensor]) -> None:
        """Adds a step."""
        self.steps += 1
        for name, term in terms.items():
            self.sums[name] = self.sums.get(name, 0) + term.detach()

    def is_sound(self) -> bool:
        """Returns whether all losses were numbers; waits for the device."""
        return not self.steps or bool(torch.isfinite(self.sums["total"]))

    def means(self) -> dict[str, float]:
        """Returns the mean of each term."""
        return {name: float(it) / self.steps for name, it in self.sums.items()}


class Trainer:
    """One run: a network, its data, and where it stands."""

    def __init__(
        self,
        config: Config,
        shards: Path,
        out: Path,
        clock: Clock,
        device: torch.device,
        commit: str = "",
    ) -> None:
        self.config, self.out, self.clock, self.device = config, out, clock, device
        self.log = Log(out / "log.jsonl")
        torch.manual_seed(config.optimization.seed)
        torch.set_float32_matmul_precision("high")
        self.net = build(config.net).to(device)
        if device.type == "cuda":
            self.net = self.net.to(memory_format=torch.channels_last)
        self.average = moving.Average(self.net, config.optimization.average)
        self.optimizers = moving.optimizers(self.net, config.optimization, device)
        self.rates = [[it["lr"] for it in found.param_groups] for found in self.optimizers]
        self.provenance: dict[str, Any] = {"commit": commit}
        self.data = self._loader(shards, "train", config.optimization.batch)
        self.held_out = self._loader(shards, "valid", config.measure.batch)
        self.compute: Callable[..., dict[str, Tensor]] = self._losses
        if config.optimization.compile:
            self.compute = torch.compile(self._losses, dynamic=False)
        self.step = self.positions = self.epoch = self.place = 0
        self.trained = 0.0
        self.compiled: set[Framing] = set()
        self.rate_scale = 1.0
        self.measures: dict[str, dict[str, float]] = {}
        self.measure_seconds = 0.0
        self.stopping = ""

    def _loader(self, folder: Path, split: str, batch: int) -> Loader:
        shards = read_folder(folder, split)
        if not shards:
            raise ShardError(f"{folder} holds no shard of the split {split!r}")
        for shard in shards:
            check_sample(shard)
        labels: list[Shard] | None = None
        if self.config.data.labels:
            labels = [read_labels(shard) for shard in shards]
        self.provenance |= provenance(shards, labels) if split == "train" else {}
        training, data = split == "train", self.config.data
        return Loader(
            shards,
            labels,
            batch,
            self.config.optimization.seed,
            sampling=data.sampling if training else {},
            programs=data.programs or not training,
            pin=self.device.type == "cuda",
        )

    def _outputs(self, batch: Batch, meta: Tensor | None, full: bool) -> Outputs:
        with torch.autocast(self.device.type, torch.bfloat16, self.device.type == "cuda"):
            return self.net(batch.planes, batch.globals, meta, full)

    def _losses(self, batch: Batch, meta: Tensor | None, full: bool) -> dict[str, Tensor]:
        return losses(self.net, self._outputs(batch, meta, full), batch, self.config.loss)

    def run(self) -> bool:
        """Trains until the run is done or the clock says so; returns whether it was exported."""
        self._watch_signals()
        self.log.write(
            "start",
            net=self.config.net.name,
            weights=sum(it.numel() for it in self.net.parameters()),
            train=len(self.data),
            valid=len(self.held_out),
            step=self.step,
            device=str(self.device),
            settings=self.config.as_dict(),
        )
        if self.config.optimization.norms == "anchored":
            self._anchor_norms()
        if not self.checkpoint_path.exists():
            self.save()
        try:
            self._train()
        except Exception as error:
            # Half an hour of a lent machine is worth an export, whatever went wrong.
            self.stopping = f"failed: {error!r}"[:2000]
            self.log.write("problem", what=self.stopping)
            self._finish()
            return False
        return self._finish()

    def _train(self) -> None:
        for _ in range(_ROLLBACKS + 1):
            if self._train_until_trouble():
                return
            scale = self.rate_scale * 0.5
            self.restore(moving.load(self.checkpoint_path))
            self.rate_scale = scale
            self.log.write("problem", what="the loss is not a number", back_to_step=self.step)
        self.stopping = "the loss is not a number"

    def _anchor_norms(self) -> None:
        """Has batch norms train on running statistics: at the beginning those of some batches."""
        if not self.checkpoint_path.exists():
            batches = itertools.islice(self.data.batches(), _SETTLING)

            def forward(gathered: Gathered) -> object:
                return self._outputs(*self._prepare(gathered), gathered.framing.full)

            settle(self.net, forward, batches)
            self.average = moving.Average(self.net, self.config.optimization.average)
        anchor(self.net)

    def _watch_signals(self) -> None:
        def stop(*_: object) -> None:
            self.stopping = "asked to stop"

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)

    def _train_until_trouble(self) -> bool:
        """Returns false if the loss stopped being a number."""
        keep, measure_seconds = self.config.keep, self.config.measure.minutes * 60
        saved = measured = last = self.clock.spent()
        window, log_seconds = Window(self.positions, last), 0.0
        for gathered in self.data.batches(self.epoch, self.place):
            if self._done():
                break
            window.add(self._one_step(gathered))
            now = self.clock.spent()
            self._count_seconds(now - last, gathered.framing)
            if now - window.begun > log_seconds:
                if not window.is_sound():
                    return False
                now = self.clock.spent()
                self._log_training(window, now)
                if now - saved > keep.checkpoint_minutes * 60:
                    self.save()
                    saved = now
                if now - measured > measure_seconds:
                    self._measure()
                    measured = now
                now = self.clock.spent()
                window, log_seconds = Window(self.positions, now), keep.log_seconds
            last = now
        return window.is_sound()

    def _count_seconds(self, seconds: float, framing: Framing) -> None:
        """Counts time spent on training, not on compiling, which the first step of a kind is."""
        if framing in self.compiled:
            self.trained += seconds
        self.compiled.add(framing)

    def _done(self) -> bool:
        if not self.stopping and self.progress() >= 1:
            self.stopping = "finished"
        if not self.stopping and self.clock.left() < self._reserve():
            self.stopping = "out of time"
        return bool(self.stopping)

    def _reserve(self) -> float:
        return max(self.config.keep.reserve_seconds, 2 * self.measure_seconds + 15)

    def progress(self) -> float:
        """Returns how much of the run is behind, 0…1: by positions, or by the clock.

        By the clock it is the seconds trained so far among those and the ones left;
        compiling and measuring shorten the run but do not move it on.
        """
        planned = self.config.optimization.positions
        if planned:
            return self.positions / planned
        left = max(0.0, self.clock.left() - self._reserve())
        return self.trained / (self.trained + left + 1e-9)

    def _one_step(self, gathered: Gathered) -> dict[str, Tensor]:
        self.net.train()
        settings = self.config.optimization
        factor = rate_factor(self.progress(), settings.warmup, settings.final_rate)
        for found, rates in zip(self.optimizers, self.rates, strict=True):
            for group, rate in zip(found.param_groups, rates, strict=True):
                group["lr"] = rate * factor * self.rate_scale
            found.zero_grad(set_to_none=True)
        terms = self._gradients(*self._prepare(gathered), gathered.framing.full)
        norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), settings.clip)
        for found in self.optimizers:
            found.step()
        self.average.update(self.step)
        self.step += 1
        self.positions += len(gathered.rows)
        self.epoch, self.place = gathered.epoch, gathered.place + 1
        return {**terms, "gradient": norm}

    def _gradients(self, batch: Batch, meta: Tensor | None, full: bool) -> dict[str, Tensor]:
        """Computes losses and gradients; without the compiler if it fails."""
        try:
            terms = self.compute(batch, meta, full)
            terms["total"].backward()
        except torch.OutOfMemoryError:
            raise
        except Exception as error:
            if self.compute == self._losses:
                raise
            self.log.write("problem", what=f"not compiled: {error!r}"[:2000])
            self.compute = self._losses
            self.net.zero_grad(set_to_none=True)
            return self._gradients(batch, meta, full)
        return terms

    def _prepare(self, gathered: Gathered) -> tuple[Batch, Tensor | None]:
        """Brings a batch to the device, turns it and hides some ranks."""
        count, device = len(gathered.rows), self.device
        random = torch.Generator(device)
        random.manual_seed(self.config.optimization.seed * 1_000_003 + self.step)
        symmetry = torch.randint(SYMMETRIES, (count,), generator=random, device=device)
        rows = gathered.rows.to(device, non_blocking=True)
        labels = gathered.labels
        labels = None if labels is None else labels.to(device, non_blocking=True)
        batch = decode(rows, labels, symmetry, gathered.framing.side)
        if not self.net.knows_player:
            return batch, None
        hidden = torch.rand(2, count, generator=random, device=device)
        rank = torch.where(hidden[0] < self.config.data.hide_rank, UNKNOWN, batch.rank)
        opponent = batch.opponent_rank
        opponent = torch.where(hidden[1] < self.config.data.hide_opponent, UNKNOWN, opponent)
        return batch, describe(rank, opponent, batch.area)

    def _log_training(self, window: Window, now: float) -> None:
        self.log.write(
            "train",
            step=self.step,
            positions=self.positions,
            epoch=self.epoch,
            progress=self.progress(),
            rate=self.optimizers[0].param_groups[0]["lr"],
            positions_per_second=(self.positions - window.positions) / (now - window.begun),
            loss=window.means(),
        )

    def _measure(self) -> None:
        begun = time.monotonic()
        self.net.eval()
        with self.average.applied():
            self.measures = measure(
                self.net,
                self.held_out,
                self.config.measure.positions,
                self.device,
                self.device.type == "cuda",
            )
        self.measure_seconds = time.monotonic() - begun
        self.log.write("measure", step=self.step, positions=self.positions, measures=self.measures)

    @property
    def checkpoint_path(self) -> Path:
        """Where the run is kept."""
        return self.out / "checkpoint.pt"

    def save(self) -> None:
        """Writes a checkpoint."""
        state = {
            "config": self.config.as_dict(),
            "net": self.net.state_dict(),
            "average": self.average.state(),
            "optimizers": [it.state_dict() for it in self.optimizers],
            "step": self.step,
            "positions": self.positions,
            "epoch": self.epoch,
            "place": self.place,
            "trained": self.trained,
            "rate_scale": self.rate_scale,
            "measures": self.measures,
            "provenance": self.provenance,
        }
        moving.save(self.checkpoint_path, state)
        self.log.write("checkpoint", step=self.step)

    def start(self, state: dict[str, Any], name: str) -> None:
        """Begins with the weights of an earlier run."""
        start(self.net, state)
        self.average = moving.Average(self.net, self.config.optimization.average)
        past = state.get("provenance", {})
        earlier = [it for key in ("data", "teachers", "began_with") for it in past.get(key, [])]
        self.provenance["began_with"] = [f"{name} after {state['positions']} positions", *earlier]

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a checkpoint."""
        self.net.load_state_dict(state["net"])
        self.average.restore(state["average"])
        for found, saved in zip(self.optimizers, state["optimizers"], strict=True):
            found.load_state_dict(saved)
        kept = ("step", "positions", "epoch", "place", "trained", "rate_scale", "measures")
        for name in kept:
            setattr(self, name, state[name])
        self.provenance = {**state["provenance"], **self.provenance}

    def _finish(self) -> bool:
        """Measures, saves and exports; each tried whatever became of the others."""
        self.log.write("end", reason=self.stopping or "the data ended", step=self.step)
        sound = all(bool(torch.isfinite(it).all()) for it in self.average.kept)
        if not sound and self.checkpoint_path.exists():
            self.restore(moving.load(self.checkpoint_path))
        # Exported twice: at once, in case the time runs out, and again with the last measures.
        done = False
        for work in (self.save, self._export, self._measure, self._export):
            try:
                work()
                done |= work == self._export
            except Exception as error:
                self.log.write("problem", what=f"{work.__name__}: {error!r}")
        return done

    def _export(self) -> None:
        facts = {
            **self.provenance,
            "positions": self.positions,
            "ended": self.stopping,
            "measures": self.measures,
        }
        self.net.eval()
        with self.average.applied():
            path = self.out / f"{self.config.keep.name}-{self.config.net.name}.bin.gz"
            card = export(self.net, path, self.config, facts)
        self.log.write("export", path=path.name, bytes=card["bytes"], sha256=card["sha256"])
