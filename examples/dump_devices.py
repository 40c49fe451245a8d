"""Writes the .hlo files of the examples for several devices. Needs jax; the files are committed.

    python examples/dump_devices.py

jax sees four devices of the host (the flag below); shard_map says what each of them does. XLA's partitioner makes the
program of one device from that, with collectives in it: it is taken from XLA's own dump, right behind the partitioner.
Beside it stands the same function for one device.
"""
import os
import pathlib
import re
import tempfile

DUMP = tempfile.mkdtemp()
os.environ["XLA_FLAGS"] = (f"--xla_force_host_platform_device_count=4 --xla_dump_to={DUMP} --xla_dump_hlo_as_text "
                           "--xla_dump_hlo_pass_re=call-inliner --xla_dump_large_constants")

import jax
import jax.numpy as jnp
import numpy as np
from jax import shard_map
from jax.sharding import Mesh, PartitionSpec as P

HERE = pathlib.Path(__file__).parent
DEVICES = 4
MESH = Mesh(np.array(jax.devices()[:DEVICES]), ("d",))


def without_places(text):
    """The places in Python files, which differ from machine to machine, left out."""
    tables = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
    blocks = [block for block in text.split("\n\n") if not block.lstrip().startswith(tables)]
    return re.sub(r" stack_frame_id=\d+", "", "\n\n".join(blocks))


def dump(folder, function, sharded, shapes):
    arguments = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in shapes]
    (HERE / folder).mkdir(exist_ok=True)
    one = jax.jit(function).lower(*arguments).compiler_ir("hlo").as_hlo_text(print_large_constants=True)
    (HERE / folder / "one_device.hlo").write_text(without_places(one))
    jax.jit(sharded).lower(*arguments).compile()
    found = sorted(pathlib.Path(DUMP).glob(f"*jit_{sharded.__name__}.*spmd-partitioner.after_call-inliner*.txt"))
    (HERE / folder / "devices.hlo").write_text(without_places(found[-1].read_text()))


def loss(weights, x, wanted):
    w1, b1, w2, b2 = weights
    return jnp.mean((jnp.tanh(x @ w1 + b1) @ w2 + b2 - wanted) ** 2)


def step(w1, b1, w2, b2, x, wanted, average=lambda tree: tree):
    """A step of gradient descent; average: over the devices."""
    weights = w1, b1, w2, b2
    value, gradients = average(jax.value_and_grad(loss)(weights, x, wanted))
    return *(w - 0.1 * g for w, g in zip(weights, gradients)), value


def train_step(w1, b1, w2, b2, x, wanted):
    """Every device has its share of the batch, and all weights; gradients are averaged by an all-reduce."""
    body = lambda *a: step(*a, average=lambda tree: jax.lax.pmean(tree, "d"))
    specs = (P(), P(), P(), P(), P("d"), P("d"))
    return shard_map(body, mesh=MESH, in_specs=specs, out_specs=(P(), P(), P(), P(), P()), check_vma=False)(
        w1, b1, w2, b2, x, wanted)


def mlp(x, w1, w2):
    return jax.nn.gelu(x @ w1) @ w2


def tensor_parallel_mlp(x, w1, w2):
    """Every device has its columns of w1 and its rows of w2: the sum of what they give is the result."""
    body = lambda x, w1, w2: jax.lax.psum(mlp(x, w1, w2), "d")
    return shard_map(body, mesh=MESH, in_specs=(P(), P(None, "d"), P("d", None)), out_specs=P())(x, w1, w2)


def main():
    dump("data_parallel", step, train_step, [(128, 256), (256,), (256, 16), (16,), (256, 128), (256, 16)])
    dump("tensor_parallel", mlp, tensor_parallel_mlp, [(64, 256), (256, 1024), (1024, 256)])


if __name__ == "__main__":
    main()
