"""A jitted function as C: saved, compiled by hlocc, loaded by ctypes, called, compared.

    compiled = compile_function(f, *examples)    # f.hlo, f.so, f.h, f.json in a folder
    results = compiled(*arguments)               # trees as f takes and gives them

Needs jax, hlocc in PATH and a C compiler. `python jit_to_c.py` tries it on a small net.
"""
import ctypes
import json
import pathlib
import subprocess
import tempfile

import jax
import jax.numpy as jnp
import numpy as np


class CompiledFunction:
    def __init__(self, library, manifest, result_tree):
        self.library, self.manifest, self.result_tree = ctypes.CDLL(str(library)), manifest, result_tree
        self.call = getattr(self.library, manifest["entry"]["call"])
        size = getattr(self.library, manifest["entry"]["workspace_bytes"])
        size.restype = ctypes.c_size_t
        self.workspace = aligned(size(1))

    def __call__(self, *arguments):
        leaves = jax.tree.leaves(arguments)
        given = [np.ascontiguousarray(leaf, jnp.dtype(leaf.dtype)) for leaf in map(np.asarray, leaves)]
        for array, wanted in zip(given, self.manifest["inputs"], strict=True):
            if array.nbytes != wanted["bytes"] or list(array.shape) != wanted["dims"]:
                raise TypeError(f"{wanted['name']}: expected {wanted['dtype']}{wanted['dims']}, got {array.dtype}{array.shape}")
        results = [np.empty(leaf.shape, leaf.dtype) for leaf in jax.tree.leaves(self.result_tree)]
        error = self.call(pointers(given), pointers(results), ctypes.c_void_p(self.workspace.ctypes.data), None)
        if error:
            raise RuntimeError(f"error {error}")
        return jax.tree.unflatten(jax.tree.structure(self.result_tree), results)


def pointers(arrays):
    return (ctypes.c_void_p * max(len(arrays), 1))(*[a.ctypes.data for a in arrays])


def aligned(size):
    room = np.empty(size + 64, np.uint8)
    return room[-room.ctypes.data % 64:]


def compile_function(function, *examples, folder=None, options=()):
    folder = pathlib.Path(folder or tempfile.mkdtemp())
    lowered = jax.jit(function, keep_unused=True).lower(*examples)
    hlo = folder / f"{function.__name__}.hlo"
    hlo.write_text(lowered.compiler_ir("hlo").as_hlo_text(print_large_constants=True))
    library = hlo.with_suffix(".so")
    subprocess.run(["hlocc", "--shared", "--emit=c,manifest", *options, "-o", library, hlo], check=True)
    manifest = json.loads(hlo.with_suffix(".json").read_text())
    return CompiledFunction(library, manifest, jax.eval_shape(function, *examples))


def main():
    def net(params, x):
        h = jnp.tanh(x @ params["w1"] + params["b1"])
        return {"y": jax.nn.softmax(h @ params["w2"]), "norm": jnp.sqrt((h * h).sum())}

    keys = jax.random.split(jax.random.PRNGKey(0), 3)
    params = {"w1": jax.random.normal(keys[0], (8, 32)), "b1": jnp.ones(32), "w2": jax.random.normal(keys[1], (32, 4))}
    x = jax.random.normal(keys[2], (16, 8))
    got, wanted = compile_function(net, params, x)(params, x), jax.jit(net)(params, x)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6), got, wanted)
    print("results agree with jax:", ", ".join(f"{name} {value.shape}" for name, value in got.items()))


if __name__ == "__main__":
    main()
