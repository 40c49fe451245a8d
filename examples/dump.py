"""Writes the .hlo files of the examples. Needs jax; the files are committed, so that nobody else does.

    python examples/dump.py
"""
import pathlib

import jax
import jax.numpy as jnp
import numpy as np

HERE = pathlib.Path(__file__).parent


def dump(name, function, *arguments, folder=None):
    """The two lines that matter: lower, and print the HLO with its constants in full."""
    lowered = jax.jit(function).lower(*arguments)
    text = lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True)
    folder = HERE / (folder or name)
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.hlo").write_text(text)


def rms_norm(x, g):
    """Rows of mean square 1: the example of README.md."""
    return x * jax.lax.rsqrt((x * x).mean(axis=1, keepdims=True) + 1e-6) * g


def trained_weights(sizes, steps=3000):
    """A small net that has learned sin(3 x) * cos(2 y) on the square [-1, 1]^2, by Adam."""
    keys = jax.random.split(jax.random.PRNGKey(0), len(sizes))
    params = [(jax.random.normal(k, (m, n)) / np.sqrt(m), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]

    def loss(params, points):
        wanted = jnp.sin(3 * points[:, 0]) * jnp.cos(2 * points[:, 1])
        return jnp.mean((net(params, points)[:, 0] - wanted) ** 2)

    @jax.jit
    def step(k, params, mean, square):
        points = jax.random.uniform(jax.random.fold_in(keys[-1], k), (256, 2), minval=-1, maxval=1)
        grads = jax.grad(loss)(params, points)
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, grads)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, grads)
        rate = 3e-3 * jnp.sqrt(1 - 0.999 ** (k + 1)) / (1 - 0.9 ** (k + 1)) * (1 - k / steps)
        return jax.tree.map(lambda p, m, s: p - rate * m / (jnp.sqrt(s) + 1e-8), params, mean, square), mean, square

    mean = square = jax.tree.map(jnp.zeros_like, params)
    for k in range(steps):
        params, mean, square = step(k, params, mean, square)
    return jax.tree.map(np.asarray, params)


def net(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def two_layers(w1, b1, w2, b2, x):
    return net([(w1, b1), (w2, b2)], x)


def lorenz(state):
    """1000 steps of Runge and Kutta's method on the Lorenz attractor: every state on the way."""
    def slope(s):
        x, y, z = s
        return jnp.array([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z])

    def step(s, _):
        h = 0.01
        a = slope(s)
        b = slope(s + h / 2 * a)
        c = slope(s + h / 2 * b)
        d = slope(s + h * c)
        s = s + h / 6 * (a + 2 * b + 2 * c + d)
        return s, s

    return jax.lax.scan(step, state, length=1000)[1]


def attention(x, wq, wk, wv, wo):
    """Causal self-attention of 4 heads, with what surrounds it in a transformer: layer norm before, x added behind."""
    tokens, width = x.shape
    heads = 4
    n = (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)
    split = lambda w: (n @ w).reshape(tokens, heads, width // heads)
    scores = jnp.einsum("qhd,khd->hqk", split(wq), split(wk)) / np.sqrt(width // heads)
    scores = jnp.where(jnp.tri(tokens, dtype=bool), scores, -jnp.inf)
    mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores), split(wv))
    return x + mixed.reshape(tokens, width) @ wo


def main():
    dump("rms_norm", rms_norm, jax.ShapeDtypeStruct((64, 256), jnp.float32), jax.ShapeDtypeStruct((256,), jnp.float32))
    weights = trained_weights([2, 32, 32, 1])

    def mlp(points):
        return net(weights, points)

    dump("mlp", mlp, jax.ShapeDtypeStruct((8, 2), jnp.float32))
    dump("mlp", mlp, jax.ShapeDtypeStruct((2,), jnp.float32), folder="microcontroller")
    for rows in (1, 8, 64):
        shapes = [(16, 64), (64,), (64, 4), (4,), (rows, 16)]
        dump(f"net_{rows}", two_layers, *[jax.ShapeDtypeStruct(s, jnp.float32) for s in shapes], folder="batches")
    dump("lorenz", lorenz, jax.ShapeDtypeStruct((3,), jnp.float32))
    square = jax.ShapeDtypeStruct((64, 64), jnp.float32)
    dump("attention", attention, square, square, square, square, square)


if __name__ == "__main__":
    main()
