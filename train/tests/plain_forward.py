"""A forward pass written a second time, in numpy, point by point where that is plainest.

It works on the records of a file, one position at a time, and shares nothing with
the modules: what both agree on is probably what the format means.
"""

import numpy as np

from shido_train import katago_format as kata


def act(x, record):
    match (record.kind or "ACTIVATION_RELU").removeprefix("ACTIVATION_"):
        case "RELU":
            return np.maximum(x, 0)
        case "SILU":
            return x / (1 + np.exp(-x))
        case "MISH":
            return x * np.tanh(np.log1p(np.exp(x)))
        case "IDENTITY":
            return x
    raise ValueError(record.kind)


def conv(x, record):
    height, width, _ = x.shape
    half = record.height // 2
    out = np.zeros((height, width, record.outputs))
    for y in range(height):
        for i in range(width):
            for dy in range(-half, half + 1):
                for dx in range(-half, half + 1):
                    if 0 <= y + dy < height and 0 <= i + dx < width:
                        out[y, i] += x[y + dy, i + dx] @ record.weights[dy + half, dx + half]
    return out


def norm(x, record):
    if isinstance(record, kata.RmsNorm):
        mean = (x**2).mean() if record.spatial else (x**2).mean(-1, keepdims=True)
        return x / np.sqrt(mean + record.epsilon) * record.gamma + record.beta
    scale = 1 if record.scale is None else record.scale
    return (x - record.mean) / np.sqrt(record.variance + record.epsilon) * scale + record.bias


def point_norm(x, record):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + record.epsilon) * record.weight


def pool(x):
    mean, size = x.mean((0, 1)), (np.sqrt(x.shape[0] * x.shape[1]) - 14) / 10
    return np.concatenate([mean, mean * size, x.max((0, 1))])


def pool_value(x):
    mean, size = x.mean((0, 1)), (np.sqrt(x.shape[0] * x.shape[1]) - 14) / 10
    return np.concatenate([mean, mean * size, mean * (size**2 - 0.1)])


def rotate(vector, y, x, head, record):
    """Turns one query or key as complex numbers."""
    pairs = len(vector) // 2
    if isinstance(record, kata.LearnedRotation):
        angles = record.frequencies[head] @ [x, y]
    else:
        speeds = record.theta ** (-2 * np.arange(pairs // 2) / pairs)
        angles = np.concatenate([y * speeds, x * speeds])
    turned = (vector[0::2] + 1j * vector[1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], -1).reshape(-1)


def attention(x, it):
    height, width, _ = x.shape
    points = point_norm(x, it.norm).reshape(height * width, -1)
    places = [divmod(i, width) for i in range(height * width)]
    seen = []
    for head in range(it.heads):
        shared = head * it.kv_heads // it.heads
        q = (points @ it.query.weights)[:, head * it.query_width :][:, : it.query_width]
        k = (points @ it.key.weights)[:, shared * it.query_width :][:, : it.query_width]
        v = (points @ it.value.weights)[:, shared * it.value_width :][:, : it.value_width]
        q = np.stack([rotate(a, *at, shared, it.rotation) for a, at in zip(q, places, strict=True)])
        k = np.stack([rotate(a, *at, shared, it.rotation) for a, at in zip(k, places, strict=True)])
        weight = np.exp(q @ k.T / np.sqrt(it.query_width))
        seen.append(weight / weight.sum(1, keepdims=True) @ v)
    return x + (np.concatenate(seen, 1) @ it.output.weights).reshape(x.shape)


def block(x, it):
    match it:
        case kata.Ordinary():
            y = conv(act(norm(x, it.norm1), it.activation1), it.conv1)
            return x + conv(act(norm(y, it.norm2), it.activation2), it.conv2)
        case kata.GlobalPooling():
            y = act(norm(x, it.norm1), it.activation1)
            pooled = act(norm(conv(y, it.gpool_conv), it.gpool_norm), it.gpool_activation)
            y = conv(y, it.regular_conv) + pool(pooled) @ it.gpool_to_bias.weights
            return x + conv(act(norm(y, it.norm2), it.activation2), it.conv2)
        case kata.NestedBottleneck():
            y = conv(act(norm(x, it.pre_norm), it.pre_activation), it.pre_conv)
            for inner in it.blocks:
                y = block(y, inner)
            return x + conv(act(norm(y, it.post_norm), it.post_activation), it.post_conv)
        case kata.Attention():
            return attention(x, it)
        case kata.FeedForward():
            y = point_norm(x, it.norm)
            hidden = y @ it.linear1.weights
            hidden = hidden / (1 + np.exp(-hidden)) * (y @ it.gate.weights)
            return x + hidden @ it.linear2.weights
    raise ValueError(it)


def encode(meta, it):
    y = act(meta @ it.first.weights + it.first_bias.weights, it.first_activation)
    y = act(y @ it.second.weights + it.second_bias.weights, it.second_activation)
    return y @ it.third.weights


def forward(file, planes, globals_, meta):
    """Returns policy, value, scores and ownership, as `Outputs` has them."""
    side = int(planes[0, 0].sum())
    x = conv(planes[:, :side, :side].transpose(1, 2, 0).astype(float), file.trunk.initial_conv)
    x = x + globals_ @ file.trunk.initial_matrix.weights
    if file.trunk.meta_encoder is not None:
        x = x + encode(meta, file.trunk.meta_encoder)
    for it in file.trunk.blocks:
        x = block(x, it)
    x = act(norm(x, file.trunk.tip_norm), file.trunk.tip_activation)

    it = file.policy
    pooled = pool(act(norm(conv(x, it.g1_conv), it.g1_norm), it.g1_activation))
    y = conv(x, it.p1_conv) + pooled @ it.gpool_to_bias.weights
    board = conv(act(norm(y, it.p1_norm), it.p1_activation), it.p2_conv)
    passing = act(pooled @ it.pass1.weights + it.pass_bias.weights, it.pass_activation)
    framed = np.full((19, 19, board.shape[2]), -1e4)
    framed[:side, :side] = board
    policy = np.concatenate([framed.reshape(361, -1), (passing @ it.pass2.weights)[None]]).T

    it = file.value
    y = act(norm(conv(x, it.v1_conv), it.v1_norm), it.v1_activation)
    hidden = act(pool_value(y) @ it.v2.weights + it.v2_bias.weights, it.v2_activation)
    value = hidden @ it.v3.weights + it.v3_bias.weights
    scores = hidden @ it.sv3.weights + it.sv3_bias.weights
    owners = np.zeros((19, 19))
    owners[:side, :side] = conv(y, it.ownership_conv)[..., 0]
    return policy, value, scores, owners.reshape(-1)
