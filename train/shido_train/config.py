"""The settings of a run, read from a TOML file and checked whole before anything starts.

`[nets.NAME]` tables are candidates; a run trains one of them. Every other table
is a dataclass here, and its fields are all the settings there are.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from .losses import Weights
from .nets import Shape


class ConfigError(Exception):
    """A setting that is missing, unknown or out of range."""


@dataclass(frozen=True)
class Optimization:
    """How weights move."""

    batch: int = 4096
    optimizer: str = "adamw"
    """"adamw", or "muon" for the blocks' matrices and convolutions and AdamW for the rest."""
    rate: float = 2e-3
    """The highest learning rate."""
    final_rate: float = 0.02
    """The last rate as a share of the highest."""
    warmup: float = 0.02
    """Share of the run over which the rate rises."""
    decay: float = 0.05
    """Weight decay of matrices and convolutions."""
    clip: float = 1.0
    """Longest gradient."""
    average: float = 0.999
    """Decay of the averaged weights, which are measured and exported."""
    norms: str = "batch"
    """What batch norms train on: "batch", the statistics of the batch, or "anchored", the
    running ones, which need a net that begins with another's weights."""
    positions: int = 0
    """The run ends after so many positions; 0: by the clock alone."""
    seed: int = 1
    compile: bool = True


@dataclass(frozen=True)
class Data:
    """What is read."""

    labels: bool = False
    """Whether the teacher's labels are read; every shard then needs them."""
    sampling: dict[str, float] = field(default_factory=dict)
    """How often a position of a source is in an epoch; 1 for those not named."""
    programs: bool = True
    """Whether games in which a program played are trained on."""
    hide_rank: float = 0.0
    """Share of positions whose mover's rank is hidden."""
    hide_opponent: float = 0.0
    """Share of positions whose opponent's rank is hidden."""


@dataclass(frozen=True)
class Measurement:
    """The held-out measure."""

    positions: int = 50_000
    minutes: float = 3.0
    """Minutes between two of them."""
    batch: int = 2048


@dataclass(frozen=True)
class Keeping:
    """What is written, and when."""

    name: str = "shido"
    """Goes into the network's file, before its shape."""
    log_seconds: float = 10.0
    checkpoint_minutes: float = 3.0
    reserve_seconds: float = 60.0
    """Kept at the end for the last measure, checkpoint and export."""
    most_bytes: int = 8_000_000
    """Largest file that may be exported."""
    mantissa: int = 23
    """Bits of each weight's mantissa that are exported; fewer make a smaller file."""


@dataclass(frozen=True)
class Config:
    """All settings of one run."""

    net: Shape
    loss: Weights
    optimization: Optimization = Optimization()
    data: Data = Data()
    measure: Measurement = Measurement()
    keep: Keeping = Keeping()

    def as_dict(self) -> dict[str, Any]:
        """Returns plain data, for a checkpoint or a card."""
        return asdict(self)

    @staticmethod
    def of_dict(data: dict[str, Any]) -> Config:
        """Reads what `as_dict` returned."""
        return Config(**{it.name: _table(_TABLES[it.name], it.name, data) for it in fields(Config)})


_TABLES: dict[str, type] = {
    "net": Shape,
    "loss": Weights,
    "optimization": Optimization,
    "data": Data,
    "measure": Measurement,
    "keep": Keeping,
}


def read(path: Path, net: str | None = None) -> Config:
    """Reads a file of settings and picks a net by name (the first if none is named)."""
    try:
        data = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: {error}") from error
    nets = data.pop("nets", {})
    if not nets:
        raise ConfigError(f"{path}: there is no [nets.NAME] table")
    name = net or next(iter(nets))
    if name not in nets:
        raise ConfigError(f"{path}: no [nets.{name}]; there are {', '.join(nets)}")
    for table in data:
        if table not in _TABLES:
            raise ConfigError(f"{path}: unknown table [{table}]; known are {', '.join(_TABLES)}")
    try:
        return _checked(Config.of_dict({**data, "net": nets[name]}))
    except (ConfigError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _table(cls: type, name: str, data: dict[str, Any]) -> Any:
    table = data.get(name, {})
    known = {it.name for it in fields(cls)}
    for key in table:
        if key not in known:
            raise ConfigError(f"unknown setting {name}.{key}; known are {', '.join(sorted(known))}")
    try:
        return cls(**table)
    except TypeError as error:
        raise ConfigError(f"[{name}]: {error}") from error


def _checked(config: Config) -> Config:
    config.net.check()
    it = config.optimization
    if it.optimizer not in ("adamw", "muon"):
        raise ConfigError(f"optimization.optimizer is {it.optimizer!r}, not adamw or muon")
    if it.norms not in ("batch", "anchored"):
        raise ConfigError(f"optimization.norms is {it.norms!r}, not batch or anchored")
    if it.norms == "anchored" and config.net.kind != "residual":
        raise ConfigError("optimization.norms = anchored needs a residual net")
    if config.loss.own_error and not config.loss.teacher_scores:
        raise ConfigError("loss.own_error needs loss.teacher_scores")
    if it.batch < 1 or it.rate <= 0:
        raise ConfigError("optimization.batch and optimization.rate must be above 0")
    if not 0 <= it.average < 1:
        raise ConfigError("optimization.average must be in 0…1")
    if not config.data.labels:
        for name in ("teacher", "teacher_value", "teacher_scores", "teacher_ownership"):
            if getattr(config.loss, name):
                raise ConfigError(f"loss.{name} needs data.labels = true")
    return config
