"""Networks: the file format, the forward pass against a plain one, boards in a frame."""

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from conftest import SHAPES, disturbed
from plain_forward import forward as plain_forward

from shido_train import katago_format as kata
from shido_train import layers, nets
from shido_train.layers import BatchNorm, Frame
from shido_train.nets import META_CHANNELS, Net, Outputs, Shape


def inputs(side: int, frame: int, seed: int = 1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    planes = torch.zeros(2, 22, frame, frame)
    made = (torch.rand(2, 22, side, side, generator=random) < 0.2).float()
    made[:, 0] = 1
    planes[:, :, :side, :side] = made
    meta = torch.rand(2, META_CHANNELS, generator=random)
    return planes, torch.randn(2, 19, generator=random), meta


def run(net: Net, planes: torch.Tensor, globals_: torch.Tensor, meta: torch.Tensor) -> Outputs:
    with torch.no_grad():
        return net(planes, globals_, meta if net.knows_player else None)


def test_a_file_is_written_as_it_was_read(net: Net) -> None:
    data = kata.unparse(nets.to_file(net, "test"))
    again = kata.unparse(kata.parse(data))
    assert data == again


def test_modules_and_file_hold_the_same_numbers(net: Net) -> None:
    file = nets.to_file(net, "test")
    again = nets.from_file(kata.parse(kata.unparse(file)))
    mine, theirs = net.state_dict(), again.state_dict()
    assert mine.keys() == theirs.keys()
    for name, tensor in mine.items():
        assert torch.equal(tensor, theirs[name]), name
    given = inputs(9, 9)
    for one, other in zip(run(net, *given), run(again, *given), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("side", [9, 19])
def test_the_pass_agrees_with_a_plain_one(net: Net, side: int) -> None:
    file = nets.to_file(net, "test")
    planes, globals_, meta = inputs(side, 19)
    found = run(net, planes, globals_, meta)
    for i in range(2):
        expected = plain_forward(file, planes[i].numpy(), globals_[i].numpy(), meta[i].numpy())
        for name, mine, plain in zip(Outputs._fields, found, expected, strict=True):
            assert np.allclose(mine[i].numpy(), plain, atol=2e-4), name


def test_nested_blocks_and_spatial_norms_agree_with_plain_ones() -> None:
    """Kinds that our own shapes do not use."""
    net = disturbed(SHAPES["transformer"])
    narrow, other = disturbed(SHAPES["residual"]), disturbed(SHAPES["learned"])
    nested = layers.NestedBottleneck(
        count=3,
        pre_norm=layers.BatchNorm(16),
        pre_activation=layers.Activation("MISH"),
        pre_conv=layers.Conv(16, 16, 1),
        blocks=torch.nn.ModuleList(
            [narrow.trunk.blocks[2], other.trunk.blocks[0], narrow.trunk.blocks[0]]
        ),
        post_norm=layers.BatchNorm(16),
        post_activation=layers.Activation("IDENTITY"),
        post_conv=layers.Conv(16, 16, 1),
    )
    net.trunk.blocks.insert(1, nested)
    net.trunk.count += 1
    net.trunk.tip_norm = layers.RmsNorm(16, spatial=True)
    net.eval()
    file = kata.parse(kata.unparse(nets.to_file(net, "test")))
    planes, globals_, meta = inputs(7, 19)
    found = run(nets.from_file(file), planes, globals_, meta)
    expected = plain_forward(file, planes[0].numpy(), globals_[0].numpy(), meta[0].numpy())
    for name, mine, plain in zip(Outputs._fields, found, expected, strict=True):
        assert np.allclose(mine[0].numpy(), plain, atol=2e-4), name


def test_a_small_board_in_the_frame_is_the_small_board(net: Net) -> None:
    alone = run(net, *inputs(9, 9))
    framed = run(net, *inputs(9, 19))
    policy = framed.policy[..., :361].unflatten(-1, (19, 19))[..., :9, :9].flatten(-2)
    assert torch.allclose(policy, alone.policy[..., :81], atol=1e-4)
    assert torch.allclose(framed.policy[..., 361], alone.policy[..., 81], atol=1e-4)
    assert torch.allclose(framed.value, alone.value, atol=1e-4)
    assert torch.allclose(framed.scores, alone.scores, atol=1e-4)
    ownership = framed.ownership.unflatten(-1, (19, 19))[..., :9, :9].flatten(-2)
    assert torch.allclose(ownership, alone.ownership, atol=1e-4)
    assert torch.softmax(framed.policy, -1)[..., :361].unflatten(-1, (19, 19))[..., 9:].sum() == 0


def test_promising_full_boards_changes_nothing_on_full_boards(net: Net) -> None:
    planes, globals_, meta = inputs(19, 19)
    meta = meta if net.knows_player else None
    with torch.no_grad():
        masked, full = net(planes, globals_, meta), net(planes, globals_, meta, full=True)
    assert torch.allclose(masked.policy, full.policy, atol=1e-5)


def test_batch_statistics_are_of_the_points_on_the_board() -> None:
    planes, *_ = inputs(9, 19)
    x = torch.randn(2, 4, 19, 19) * 3 + 1
    norm = BatchNorm(4).train()
    found = norm(x * planes[:, :1], Frame.of(planes, False))[..., :9, :9]
    assert torch.allclose(found.mean((0, 2, 3)), torch.zeros(4), atol=1e-5)
    assert torch.allclose(found.var((0, 2, 3), correction=0), torch.ones(4), atol=1e-3)


def test_score_outputs_become_points() -> None:
    net = disturbed(SHAPES["residual"])
    points = net.points(torch.tensor([[1.0, 0.0, -1.0, 0.0, 0.0, 0.0]]))[0].tolist()
    softplus = np.log(2)
    expected = [20, 20 * softplus, -20, 40 * softplus, 0.5 * softplus, 150**0.5 * softplus]
    assert points == pytest.approx(expected, rel=1e-5)
    net.version = 8
    assert net.points(torch.zeros(1, 4))[0, 3:].isnan().all()


DAMAGES = {
    "cut short": (lambda data: data[: len(data) // 2], "ends within|ends at"),
    "longer": (lambda data: data + b"more", "bytes left"),
    "foreign": (lambda data: b"hello world this is no net", "no int"),
    "newer": (lambda data: data.replace(b"\n17\n", b"\n99\n", 1), "version 99"),
    "unknown block": (lambda data: data.replace(b"transformer_ffn", b"transformer_xyz"), "unknown"),
    "not finite": (lambda data: data.replace(b"@BIN@", b"@BIN@\x00\x00\xc0\x7f", 1), "not finite"),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_file_is_refused(tmp_path: Path, kind: str) -> None:
    data = kata.unparse(nets.to_file(disturbed(SHAPES["transformer"]), "test"))
    change, message = DAMAGES[kind]
    path = tmp_path / "net.bin.gz"
    path.write_bytes(gzip.compress(change(data)))
    with pytest.raises(kata.FormatError, match=message):
        kata.read(path)


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.bin.gz"
    kata.write(nets.to_file(disturbed(SHAPES["residual"]), "test"), path)
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(kata.FormatError, match="gzip"):
        kata.read(path)


def test_arrays_in_decimal_are_read_too() -> None:
    record = kata.Matrix("m", 2, 3, np.arange(6, dtype="f4").reshape(2, 3))
    reader = kata._Reader(b"m\n2\n3\n0 1.0 2e0\n3 4 5\n")
    again = reader.record(kata.Matrix, "m")
    assert (again.weights == record.weights).all()


@pytest.mark.parametrize(
    "shape",
    [
        Shape("pyramid", 1, 16),
        Shape("transformer", 1, 16),
        Shape("transformer", 1, 18, heads=3),
        Shape("transformer", 1, 16, heads=4, kv_heads=3),
        Shape("transformer", 1, 16, heads=2, rotation="none"),
        Shape("residual", 1, 16),
    ],
)
def test_sizes_that_do_not_fit_are_refused(shape: Shape) -> None:
    with pytest.raises(ValueError):
        nets.build(shape)


def test_shapes_have_names() -> None:
    assert Shape("residual", 6, 96).name == "b6c96"
    assert Shape("transformer", 7, 96, heads=3).name == "b7c96h3tf"
    assert Shape("transformer", 7, 96, heads=6, kv_heads=3, rotation="learned").name == (
        "b7c96h6kv3tfl"
    )
    assert Shape("residual", 6, 96, meta_hidden=32).name == "b6c96-meta"
