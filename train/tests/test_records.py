"""Shards: what is written is read, what is damaged is refused."""

import re
from pathlib import Path

import numpy as np
import pytest

from shido_train import records, synthetic


def test_a_shard_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = synthetic.positions(7, 1)
    records.write(tmp_path / "a.pos", made, {"split": "train", "games": 3})
    shard = records.read(tmp_path / "a.pos")
    assert shard.header == {"split": "train", "games": 3}
    assert np.array(shard.records).tobytes() == made.tobytes()
    assert shard.rows.shape == (7, 1344)
    records.check_sample(shard)


@pytest.mark.parametrize("dtype", [records.POSITION, records.LABEL])
def test_the_layout_is_the_one_of_the_page(dtype: np.dtype) -> None:
    page = (Path(__file__).parent.parent / "FORMAT.md").read_text()
    title = "A position" if dtype is records.POSITION else "A teacher's answer"
    size, table = re.search(rf"## {title}: (\d+) bytes(.*?)(?:\n## |\Z)", page, re.S).groups()
    assert int(size) == dtype.itemsize
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (\w)(\d+)((?:\[\d+\])*) \|", table, re.M)
    assert [name for _, name, *_ in rows] == list(dtype.names)
    for offset, name, kind, bits, shape in rows:
        field, at = dtype.fields[name][:2]
        assert at == int(offset), name
        assert field.base.kind == kind and field.base.itemsize * 8 == int(bits), name
        assert field.shape == tuple(int(it) for it in re.findall(r"\d+", shape)), name


def damage(data: bytes, kind: str) -> bytes:
    return {
        "cut short": data[:-1],
        "foreign": b"GIF89a.." + data[8:],
        "newer": data[:8] + b"\x02" + data[9:],
        "unfinished": data[:16] + b"\xff" * 8 + data[24:],
        "other records": data[:12] + b"\x00" + data[13:],
        "empty": b"",
    }[kind]


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("cut short", "promises"),
        ("foreign", "begins with"),
        ("newer", "version 2"),
        ("unfinished", "did not finish"),
        ("other records", "records of"),
        ("empty", "too few"),
    ],
)
def test_a_damaged_shard_is_refused(tmp_path: Path, kind: str, message: str) -> None:
    path = tmp_path / "a.pos"
    records.write(path, synthetic.positions(2, 1), {"split": "train"})
    path.write_bytes(damage(path.read_bytes(), kind))
    with pytest.raises(records.ShardError, match=message):
        records.read(path)


def test_senseless_records_are_noticed(tmp_path: Path) -> None:
    for name, value in (("width", 12), ("move", 400), ("rank", 77), ("weight", np.nan)):
        made = synthetic.positions(4, 1)
        made[name][2] = value
        records.write(tmp_path / "a.pos", made, {"split": "train"})
        with pytest.raises(records.ShardError, match="record 2"):
            records.check_sample(records.read(tmp_path / "a.pos"))


def test_labels_must_fit_their_shard(tmp_path: Path) -> None:
    path = tmp_path / "a.pos"
    records.write(path, synthetic.positions(3, 1), {"split": "train"})
    records.write(records.labels_path(path), np.zeros(2, records.LABEL), {})
    with pytest.raises(records.ShardError, match="2 labels for 3 positions"):
        records.read_labels(records.read(path))
