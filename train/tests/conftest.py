"""What several tests share: small shards, small nets, one thread."""

from pathlib import Path

import pytest
import torch

from shido_train import records, synthetic
from shido_train.nets import Net, Shape, build

torch.set_num_threads(1)

SHAPES = {
    "residual": Shape("residual", 3, 16, gpool_channels=8, head_channels=8, value_hidden=16),
    "transformer": Shape("transformer", 2, 16, heads=2, head_channels=8, value_hidden=16),
    "learned": Shape(
        "transformer",
        2,
        16,
        heads=4,
        kv_heads=2,
        rotation="learned",
        head_channels=8,
        value_hidden=16,
        meta_hidden=8,
    ),
}


@pytest.fixture(params=SHAPES)
def net(request: pytest.FixtureRequest) -> Net:
    """A net of each kind, its norms and biases not at their beginnings."""
    return disturbed(SHAPES[request.param])


def disturbed(shape: Shape) -> Net:
    torch.manual_seed(3)
    made = build(shape)
    with torch.no_grad():
        for name, tensor in made.state_dict().items():
            if tensor.ndim == 1:
                tensor.add_(torch.rand_like(tensor) * (1.0 if "variance" in name else 0.3))
    return made.eval()


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    """Two training shards and a held-out one, boards of three sizes."""
    folder = tmp_path / "shards"
    folder.mkdir()
    for name, count, seed in (("train-0", 40, 1), ("train-1", 56, 2), ("valid-0", 30, 3)):
        header = {"split": name.split("-")[0], "sources": {"kgs": count}, "commit": "abc"}
        records.write(folder / f"{name}.pos", synthetic.positions(count, seed), header)
    return folder
