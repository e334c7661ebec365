"""Records of a KataGo file into modules, and modules into records.

Composite modules and records share their names and their fields, so both
directions walk the record's fields; only the leaves (a convolution, a matrix, a
norm) say how their arrays are turned. Reading a file into modules and back keeps
every array bit for bit.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from . import katago_format as kata
from . import layers

_COMPOSITES = (
    "Ordinary",
    "GlobalPooling",
    "NestedBottleneck",
    "Attention",
    "FeedForward",
    "MetaEncoder",
    "Trunk",
    "PolicyHead",
    "ValueHead",
)
_ACTIVATION = "ACTIVATION_"


def to_module(record: Any) -> nn.Module:
    """Builds the module of a record, its weights filled in."""
    with torch.no_grad():
        kind = type(record).__name__
        return _composite(record) if kind in _COMPOSITES else _leaf(record)


def _composite(record: Any) -> nn.Module:
    parts: dict[str, object] = {}
    for item in fields(record):
        value = getattr(record, item.name)
        match item.metadata.get("kind"):
            case "part":
                parts[item.name] = None if value is None else to_module(value)
            case "blocks":
                parts[item.name] = nn.ModuleList(to_module(block) for block in value)
            case "int":
                parts[item.name] = value
    return getattr(layers, type(record).__name__)(**parts)


def _leaf(record: Any) -> nn.Module:
    match record:
        case kata.Conv():
            if record.height != record.width or record.dilation_y != record.dilation_x:
                raise kata.FormatError(f"{record.name}: only square kernels are known")
            conv = layers.Conv(record.inputs, record.outputs, record.height, record.dilation_y)
            conv.weight.copy_(_tensor(record.weights).permute(3, 2, 0, 1))
            return conv
        case kata.Matrix():
            matrix = layers.Matrix(record.inputs, record.outputs)
            matrix.weight.copy_(_tensor(record.weights).T)
            return matrix
        case kata.Bias():
            bias = layers.Bias(record.outputs)
            bias.weight.copy_(_tensor(record.weights))
            return bias
        case kata.Activation():
            return layers.Activation((record.kind or "ACTIVATION_RELU").removeprefix(_ACTIVATION))
        case kata.BatchNorm():
            return _batch_norm(record)
        case kata.RmsNorm():
            norm = layers.RmsNorm(record.channels, bool(record.spatial), record.epsilon)
            norm.gamma.copy_(_tensor(record.gamma))
            norm.beta.copy_(_tensor(record.beta))
            return norm
        case kata.PointNorm():
            norm = layers.PointNorm(record.channels, record.epsilon)
            norm.weight.copy_(_tensor(record.weight))
            return norm
        case kata.FixedRotation():
            return layers.FixedRotation(record.theta)
        case kata.LearnedRotation():
            rotation = layers.LearnedRotation(record.heads, record.pairs)
            rotation.frequencies.copy_(_tensor(record.frequencies))
            return rotation
    raise TypeError(f"no module for {type(record).__name__}")


def _batch_norm(record: kata.BatchNorm) -> layers.BatchNorm:
    scaled = record.scale is not None
    norm = layers.BatchNorm(record.channels, learns=False, scale=scaled, epsilon=record.epsilon)
    norm.mean.copy_(_tensor(record.mean))
    norm.variance.copy_(_tensor(record.variance))
    if scaled:
        norm.scale.copy_(_tensor(record.scale))
    if record.bias is not None:
        norm.bias.copy_(_tensor(record.bias))
    return norm


def to_record(module: nn.Module, name: str) -> Any:
    """Returns the record of a module; `name` goes into the file."""
    kind = type(module).__name__
    return _composite_record(module, name) if kind in _COMPOSITES else _leaf_record(module, name)


def _composite_record(module: nn.Module, name: str) -> Any:
    record = getattr(kata, type(module).__name__)(name=name)
    for item in fields(record):
        value = getattr(module, item.name, None)
        if value is None:
            continue
        match item.metadata.get("kind"):
            case "part":
                setattr(record, item.name, to_record(value, f"{name}.{item.name}"))
            case "blocks":
                blocks = [to_record(it, f"{name}.{item.name}.{i}") for i, it in enumerate(value)]
                setattr(record, item.name, blocks)
            case "int":
                setattr(record, item.name, value)
    return record


def _leaf_record(module: nn.Module, name: str) -> Any:
    match module:
        case layers.Conv():
            outputs, inputs, height, width = module.weight.shape
            weights = _array(module.weight.permute(2, 3, 1, 0))
            return kata.Conv(name, height, width, inputs, outputs, *module.dilation, weights)
        case layers.Matrix():
            outputs, inputs = module.weight.shape
            return kata.Matrix(name, inputs, outputs, _array(module.weight.T))
        case layers.Bias():
            return kata.Bias(name, len(module.weight), _array(module.weight))
        case layers.Activation():
            return kata.Activation(name, _ACTIVATION + module.kind)
        case layers.BatchNorm():
            scale = None if module.scale is None else _array(module.scale)
            arrays = (_array(module.mean), _array(module.variance), scale, _array(module.bias))
            head = (name, len(module.bias), module.epsilon, int(scale is not None), 1)
            return kata.BatchNorm(*head, *arrays)
        case layers.RmsNorm():
            head = (name, len(module.gamma), module.epsilon, int(module.spatial), 0)
            return kata.RmsNorm(*head, _array(module.gamma), _array(module.beta))
        case layers.PointNorm():
            return kata.PointNorm(name, len(module.weight), module.epsilon, _array(module.weight))
        case layers.FixedRotation():
            return kata.FixedRotation(name, module.theta)
        case layers.LearnedRotation():
            frequencies = _array(module.frequencies)
            return kata.LearnedRotation(name, *frequencies.shape, frequencies)
    raise TypeError(f"no record for {type(module).__name__}")


def _tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(np.array(array, np.float32))


def _array(tensor: Tensor) -> np.ndarray:
    return np.ascontiguousarray(tensor.detach().float().cpu().numpy())
