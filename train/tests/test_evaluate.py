"""Answers to the searches of another process."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest
import torch

from shido_train import evaluate, katago_format, nets
from shido_train.evaluate import Form, ProtocolError, serve
from shido_train.nets import META_CHANNELS, Net
from shido_train.records import GLOBALS, PLANES

CPU = torch.device("cpu")


def saved(net: Net, tmp_path: Path) -> Path:
    net.version = max(net.version, 15)
    path = tmp_path / "net.bin.gz"
    katago_format.write(nets.to_file(net, "test"), path)
    return path


def asked(
    count: int, width: int, height: int, meta: int
) -> tuple[bytes, torch.Tensor, torch.Tensor, torch.Tensor]:
    """A question as bytes, and the planes, globals and descriptions in it."""
    random = np.random.default_rng(count)
    area = width * height
    planes = random.random((count, PLANES, area)) < 0.2
    planes[:, 0] = True
    globals_ = random.random((count, GLOBALS), np.float32)
    people = random.random((count, meta), np.float32)
    parts = [struct.pack("<IHH", count, width, height)]
    for one, numbers, person in zip(planes, globals_, people, strict=True):
        wide = np.zeros((PLANES, -(-area // 64) * 64), bool)
        wide[:, :area] = one
        parts.append(np.packbits(wide, 1, bitorder="little").tobytes())
        parts.append(numbers.tobytes() + person.tobytes())
    framed = torch.zeros(count, PLANES, 19, 19)
    framed[:, :, :height, :width] = torch.from_numpy(planes.reshape(count, PLANES, height, width))
    return b"".join(parts), framed, torch.from_numpy(globals_), torch.from_numpy(people)


def test_answers_are_those_of_the_network_in_a_frame(net: Net, tmp_path: Path) -> None:
    path = saved(net, tmp_path)
    loaded = nets.load(path)
    meta = META_CHANNELS if loaded.knows_player else 0
    boards = ((3, 9, 9), (1, 19, 19), (5, 7, 4))
    questions = [asked(count, width, height, meta) for count, width, height in boards]
    sink = io.BytesIO()
    serve(path, CPU, source=io.BytesIO(b"".join(it[0] for it in questions)), sink=sink)
    answers = sink.getvalue()
    policies = loaded.policy.p2_conv.out_channels
    assert answers[:16] == evaluate.GREETING + struct.pack("<II", policies, meta)
    at = 16
    for (count, width, height), (_, planes, globals_, people) in zip(
        boards, questions, strict=True
    ):
        form = Form(width, height, policies, meta)
        assert struct.unpack_from("<I", answers, at) == (count,)
        found = np.frombuffer(answers, "<f4", count * form.answer, at + 4)
        at += 4 + found.nbytes
        found = torch.from_numpy(found.reshape(count, form.answer).copy())
        with torch.no_grad():
            expected = loaded(planes, globals_, people if meta else None)
        board = expected.policy[:, :, :-1].unflatten(2, (19, 19))[:, :, :height, :width]
        policy = torch.cat([board.flatten(2), expected.policy[:, :, -1:]], 2).flatten(1)
        owners = expected.ownership.unflatten(1, (19, 19))[:, :height, :width].flatten(1)
        parts = torch.cat([policy, expected.value, expected.scores, owners], 1)
        torch.testing.assert_close(found, parts, atol=2e-4, rtol=1e-3)
    assert at == len(answers)


def test_broken_questions_are_refused(net: Net, tmp_path: Path) -> None:
    path = saved(net, tmp_path)
    meta = META_CHANNELS if net.knows_player else 0
    whole = asked(2, 9, 9, meta)[0]
    for bad in (whole[:-1], whole[:5], struct.pack("<IHH", 1, 20, 9), struct.pack("<IHH", 0, 9, 9)):
        with pytest.raises(ProtocolError):
            serve(path, CPU, source=io.BytesIO(bad), sink=io.BytesIO())
