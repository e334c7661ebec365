"""The command line: `python -m shido_train COMMAND`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import torch

from . import config, export, katago_format, nets, plot, records, synthetic
from .evaluate import ProtocolError, serve
from .label import label_folder
from .loader import Loader
from .measure import measure
from .progress import Clock, Log
from .start import StartError
from .train import Trainer
from .weights import load


def main() -> int:
    """Runs a command; 0 done, 1 failed, 2 bad usage."""
    args = _parser().parse_args()
    failures = (
        config.ConfigError,
        export.ExportError,
        katago_format.FormatError,
        records.ShardError,
        ProtocolError,
        StartError,
        OSError,
    )
    try:
        return args.run(args) or 0
    except failures as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="shido_train", description=__doc__)
    commands = parser.add_subparsers(required=True)

    it = commands.add_parser("train", help="train a network, resuming if OUT holds a checkpoint")
    it.add_argument("--config", type=Path, required=True)
    it.add_argument("--net", help="which [nets.NAME] of the settings; the first if not given")
    it.add_argument("--shards", type=Path, required=True)
    it.add_argument("--out", type=Path, required=True)
    it.add_argument(
        "--start", type=Path, help="a checkpoint to begin with, of this net or a smaller one"
    )
    it.add_argument("--minutes", type=float, help="what the process may take, all in all")
    it.add_argument("--positions", type=int, help="replaces optimization.positions")
    it.add_argument("--batch", type=int, help="replaces optimization.batch")
    it.add_argument("--commit", help="goes into the card; asked of git if not given")
    it.add_argument("--device", default=_device())
    it.set_defaults(run=_train)

    it = commands.add_parser("label", help="have a teacher answer the positions of shards")
    it.add_argument("--teacher", type=Path, required=True, help="a KataGo .bin.gz")
    it.add_argument("--shards", type=Path, required=True)
    it.add_argument("--minutes", type=float)
    it.add_argument("--batch", type=int, default=1024)
    it.add_argument("--log", type=Path, help="JSON lines; SHARDS/label.jsonl if not given")
    it.add_argument("--device", default=_device())
    it.set_defaults(run=_label)

    it = commands.add_parser("export", help="write a checkpoint as a KataGo file with its card")
    it.add_argument("checkpoint", type=Path)
    it.add_argument("out", type=Path, help="NAME.bin.gz")
    it.add_argument("--mantissa", type=int, help="bits of mantissa to keep, 1 to 23")
    it.add_argument("--commit", default="")
    it.set_defaults(run=_export)

    it = commands.add_parser("measure", help="measure a KataGo file on held-out positions")
    it.add_argument("net", type=Path)
    it.add_argument("--shards", type=Path, required=True)
    it.add_argument("--positions", type=int, default=50_000)
    it.add_argument("--batch", type=int, default=1024)
    it.add_argument("--labels", action="store_true", help="compare with the teacher's labels too")
    it.add_argument("--device", default=_device())
    it.set_defaults(run=_measure)

    it = commands.add_parser("evaluate", help="answer the searches of shido, on a GPU")
    it.add_argument("net", type=Path, help="a KataGo .bin.gz; shido adds it to the command")
    it.add_argument(
        "--board", type=int, action="append", default=[], help="a side to be ready for at once"
    )
    it.add_argument("--eager", action="store_true", help="do not compile: ready sooner, slower")
    it.add_argument("--device", default=_device())
    it.set_defaults(run=_evaluate)

    it = commands.add_parser("plot", help="draw the curves of runs")
    it.add_argument("logs", type=Path, nargs="+")
    it.add_argument("--out", type=Path, default=Path("curves.svg"))
    it.set_defaults(run=lambda args: plot.plot(args.logs, args.out))

    it = commands.add_parser("info", help="say what a KataGo file or a shard holds")
    it.add_argument("file", type=Path)
    it.set_defaults(run=_info)

    it = commands.add_parser("synthetic", help="write made-up shards, to try a machine")
    it.add_argument("out", type=Path)
    it.add_argument("--positions", type=int, default=100_000)
    it.add_argument("--sides", type=int, nargs="+", default=[19])
    it.set_defaults(run=_synthetic)
    return parser


def _device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def _train(args: argparse.Namespace) -> int:
    settings = config.read(args.config, args.net)
    optimization = settings.optimization
    if args.positions is not None:
        optimization = dataclasses.replace(optimization, positions=args.positions)
    if args.batch is not None:
        optimization = dataclasses.replace(optimization, batch=args.batch)
    settings = dataclasses.replace(settings, optimization=optimization)
    if args.minutes is None and not optimization.positions:
        raise config.ConfigError("a run needs --minutes or optimization.positions")
    args.out.mkdir(parents=True, exist_ok=True)
    clock = Clock(args.minutes)
    commit = args.commit or _commit()
    trainer = Trainer(settings, args.shards, args.out, clock, torch.device(args.device), commit)
    if trainer.checkpoint_path.exists():
        state = load(trainer.checkpoint_path)
        if config.Config.of_dict(state["config"]).net != settings.net:
            raise config.ConfigError(f"{trainer.checkpoint_path} is of another shape of net")
        trainer.restore(state)
    elif args.start is not None:
        trainer.start(load(args.start), args.start.name)
    elif optimization.norms == "anchored":
        raise config.ConfigError("optimization.norms = anchored needs --start")
    return 0 if trainer.run() else 1


def _commit() -> str:
    """Returns the commit of the working tree, or nothing where git is not at hand."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _label(args: argparse.Namespace) -> int:
    log = Log(args.log or args.shards / "label.jsonl")
    clock, device = Clock(args.minutes), torch.device(args.device)
    left = label_folder(args.shards, args.teacher, args.batch, clock, log, device)
    return 1 if left else 0


def _export(args: argparse.Namespace) -> None:
    state = load(args.checkpoint)
    net, settings = export.from_checkpoint(state)
    if args.mantissa is not None:
        keep = dataclasses.replace(settings.keep, mantissa=args.mantissa)
        settings = dataclasses.replace(settings, keep=keep)
    facts = {
        **state.get("provenance", {}),
        "positions": state["positions"],
        "measures": state["measures"],
    }
    if args.commit:
        facts["commit"] = args.commit
    card = export.export(net, args.out, settings, facts)
    print(json.dumps({key: card[key] for key in ("name", "bytes", "sha256", "read_back_error")}))


def _evaluate(args: argparse.Namespace) -> None:
    serve(args.net, torch.device(args.device), not args.eager, tuple(args.board))


def _measure(args: argparse.Namespace) -> None:
    device = torch.device(args.device)
    shards = records.read_folder(args.shards, "valid")
    labels = [records.read_labels(shard) for shard in shards] if args.labels else None
    loader = Loader(shards, labels, args.batch, seed=1)
    net = nets.load(args.net).to(device)
    print(json.dumps(measure(net, loader, args.positions, device, device.type == "cuda"), indent=1))


def _info(args: argparse.Namespace) -> None:
    if args.file.suffix == ".pos":
        shard = records.read(args.file)
        facts = {"positions": len(shard.records), **shard.header}
    elif args.file.suffix == ".labels":
        shard = records.read(args.file, records.LABEL)
        facts = {"labels": len(shard.records), **shard.header}
    else:
        net = nets.load(args.file)
        facts = {
            "name": net.name,
            "version": net.version,
            "blocks": [type(it).__name__ for it in net.trunk.blocks],
            "channels": net.trunk.channels,
            "weights": sum(it.numel() for it in net.parameters()),
            "knows_player": net.knows_player,
        }
    print(json.dumps(facts, indent=1))


def _synthetic(args: argparse.Namespace) -> None:
    args.out.mkdir(parents=True, exist_ok=True)
    for split, count, seed in (("train", args.positions, 1), ("valid", args.positions // 20, 2)):
        for part, begin in enumerate(range(0, count, 100_000)):
            size = min(100_000, count - begin)
            made = synthetic.positions(size, seed * 1000 + part, tuple(args.sides))
            header = {"split": split, "sources": {"synthetic": size}}
            records.write(args.out / f"{split}-{part:03}.pos", made, header)


if __name__ == "__main__":
    sys.exit(main())
