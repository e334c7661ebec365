"""A network on a GPU for the searches of another process.

`shido lab run --evaluator "python -m shido_train evaluate"` plays its games on the
processor's cores and asks this process for evaluations; docs/protocol.md has the bytes that
go to and fro. While one batch is computed the next is read and the one before is written, so
that neither side waits for the other.
"""

from __future__ import annotations

import os
import struct
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .nets import META_CHANNELS, Net, load
from .records import GLOBALS, PLANES, SCORES

GREETING = b"shido-e1"
"""What the process says first, followed by the policies and the numbers on a player."""
QUESTION = struct.Struct("<IHH")
"""Positions, width and height of their board."""
MOST = 1 << 16
"""Positions of a question."""
WORD = 8
"""Planes are padded to words of so many bytes."""
VALUES = 3


class ProtocolError(Exception):
    """What came in is no question."""


class Form(NamedTuple):
    """How positions of one board and their answers lie in bytes."""

    width: int
    height: int
    policies: int
    meta: int

    @property
    def area(self) -> int:
        """Points of the board."""
        return self.width * self.height

    @property
    def plane(self) -> int:
        """Bytes of a plane."""
        return -(-self.area // (8 * WORD)) * WORD

    @property
    def question(self) -> int:
        """Bytes of a position."""
        return PLANES * self.plane + 4 * (GLOBALS + self.meta)

    @property
    def answer(self) -> int:
        """Numbers of an answer."""
        return self.policies * (self.area + 1) + VALUES + SCORES + self.area


class Answering(nn.Module):
    """A network from the bytes of positions to the numbers of answers."""

    def __init__(self, net: Net, form: Form) -> None:
        super().__init__()
        self.net, self.form = net, form

    def forward(self, rows: Tensor) -> Tensor:
        """Reads `[n, question]` bytes and returns `[n, answer]` float32."""
        form, end = self.form, PLANES * self.form.plane
        bits = torch.arange(8, device=rows.device, dtype=torch.uint8)
        planes = (rows[:, :end].unflatten(1, (PLANES, -1, 1)) >> bits) & 1
        planes = planes.flatten(2)[:, :, : form.area].float()
        numbers = rows[:, end:].contiguous().view(torch.float32)
        meta = numbers[:, GLOBALS:] if form.meta else None
        found = self.net(
            planes.unflatten(2, (form.height, form.width)), numbers[:, :GLOBALS], meta, True
        )
        scores = F.pad(found.scores, (0, SCORES - found.scores.shape[1]))
        parts = found.policy.flatten(1), found.value, scores, found.ownership
        return torch.cat([it.float() for it in parts], 1)


class Batches:
    """Evaluates batches of one board, padded to one of a few sizes.

    On a GPU the network is compiled and each size is recorded once and replayed.
    """

    SIZES = (32, 64, 96, 128, 256)

    def __init__(self, net: Net, form: Form, device: torch.device, compiled: bool) -> None:
        self.form, self.device = form, device
        self.run: Callable[[Tensor], Tensor] = Answering(net, form).to(device)
        self.sizes: tuple[int, ...] = ()
        if device.type == "cuda":
            if compiled:
                # A few sizes of each board are all that will come.
                torch._dynamo.config.recompile_limit = 64
                self.run = torch.compile(self.run, dynamic=False)
            self.sizes = self.SIZES
            self.recorded = [self._record(size) for size in self.sizes]

    def _compute(self, rows: Tensor) -> Tensor:
        with torch.no_grad(), torch.autocast("cuda", torch.bfloat16, rows.is_cuda):
            return self.run(rows)

    def _record(self, size: int) -> tuple[torch.cuda.CUDAGraph, Tensor, Tensor]:
        rows = torch.zeros(size, self.form.question, dtype=torch.uint8, device=self.device)
        rows[:, : self.form.plane] = 255
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                self._compute(rows)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            answers = self._compute(rows)
        return graph, rows, answers

    def begin(self, rows: Tensor, answers: Tensor) -> torch.cuda.Event | None:
        """Evaluates `[n, question]` bytes into `[n, answer]`, ready when the event is."""
        count = len(rows)
        if not self.sizes:
            answers.copy_(self._compute(rows))
            return None
        for start in range(0, count, self.sizes[-1]):
            part = rows[start : start + self.sizes[-1]]
            at = next(i for i, size in enumerate(self.sizes) if size >= len(part))
            graph, place, found = self.recorded[at]
            place[: len(part)].copy_(part, non_blocking=True)
            graph.replay()
            answers[start : start + len(part)].copy_(found[: len(part)], non_blocking=True)
        done = torch.cuda.Event()
        done.record()
        return done


class Slot(NamedTuple):
    """Memory for one batch on its way."""

    rows: Tensor
    answers: Tensor


AHEAD = 4
"""Batches that may be on their way at once."""


def serve(
    path: Path,
    device: torch.device,
    compiled: bool = True,
    boards: tuple[int, ...] = (),
    source: BinaryIO | None = None,
    sink: BinaryIO | None = None,
) -> None:
    """Answers questions until there are no more; compiles for `boards` before it greets."""
    source, sink = source or sys.stdin.buffer, sink or _own_stdout()
    torch.set_float32_matmul_precision("high")
    if device.type == "cuda":
        torch.cuda.set_device(device.index or 0)
    net = load(path).to(device)
    if device.type == "cuda":
        net.to(memory_format=torch.channels_last)
    meta = META_CHANNELS if net.knows_player else 0
    policies = net.policy.p2_conv.out_channels
    ready: dict[tuple[int, int], Batches] = {}

    def batches(width: int, height: int) -> Batches:
        if (width, height) not in ready:
            form = Form(width, height, policies, meta)
            ready[width, height] = Batches(net, form, device, compiled)
        return ready[width, height]

    for side in boards:
        batches(side, side)
    sink.write(GREETING + struct.pack("<II", policies, meta))
    sink.flush()
    free: SimpleQueue[Slot] = SimpleQueue()
    for _ in range(AHEAD):
        free.put(Slot(torch.empty(0, 0, dtype=torch.uint8), torch.empty(0, 0)))
    done: SimpleQueue[tuple[Slot, torch.cuda.Event | None] | None] = SimpleQueue()
    writer = Thread(target=_write, args=(sink, done, free), daemon=True)
    writer.start()
    while head := _read(source, QUESTION.size):
        count, width, height = QUESTION.unpack(head)
        if not (0 < count <= MOST and 2 <= width <= 19 and 2 <= height <= 19):
            raise ProtocolError(f"{count} positions of {width}×{height} cannot be evaluated")
        it = batches(width, height)
        slot = _fitting(free.get(), count, it.form, device)
        _fill(source, memoryview(slot.rows.numpy()).cast("B"))
        done.put((slot, it.begin(slot.rows, slot.answers)))
    done.put(None)
    writer.join()


def _own_stdout() -> BinaryIO:
    """Takes standard output for answers alone; what else is printed goes to standard error."""
    own = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return own


def _fitting(slot: Slot, count: int, form: Form, device: torch.device) -> Slot:
    """Returns memory for a batch, the old one's where it fits."""
    wanted = [count, form.question], [count, form.answer]
    pinned = device.type == "cuda"

    def part(whole: Tensor, shape: list[int], kind: torch.dtype) -> Tensor:
        base = whole if whole._base is None else whole._base
        need = shape[0] * shape[1]
        if base.numel() < need:
            base = torch.empty(max(need, 2 * base.numel()), dtype=kind, pin_memory=pinned)
        return base.view(-1)[:need].view(shape)

    rows = part(slot.rows, wanted[0], torch.uint8)
    return Slot(rows, part(slot.answers, wanted[1], torch.float32))


def _write(
    sink: BinaryIO,
    done: SimpleQueue[tuple[Slot, torch.cuda.Event | None] | None],
    free: SimpleQueue[Slot],
) -> None:
    """Sends answers in the order of the questions."""
    try:
        while (it := done.get()) is not None:
            slot, event = it
            if event is not None:
                event.synchronize()
            sink.write(struct.pack("<I", len(slot.answers)))
            sink.write(memoryview(slot.answers.numpy()).cast("B"))
            sink.flush()
            free.put(slot)
    except BrokenPipeError:
        # Nobody wants answers any more; the other thread may be waiting for questions.
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


def _read(source: BinaryIO, size: int) -> bytes:
    """Reads so many bytes, or none at the end."""
    found = source.read(size)
    if found and len(found) < size:
        raise ProtocolError("the questions break off")
    return found


def _fill(source: BinaryIO, place: memoryview) -> None:
    while len(place):
        count = source.readinto(place)
        if not count:
            raise ProtocolError("the questions break off")
        place = place[count:]
