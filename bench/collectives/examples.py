#!/usr/bin/env python3
"""Step times of the examples for four devices: XLA:CPU with as many virtual devices, and hlocc on as many threads.

    python bench/collectives/examples.py [--hlocc-run build/hlocc-run] [--rounds 5] [--seconds 0.5]

The two take turns; the fastest round of each counts. XLA's arrays stay on their devices, its calls are waited for.
"""
import argparse
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))
import dump_devices as examples  # sets XLA_FLAGS, before jax comes

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P


def xla_call(sharded, shapes, specs):
    random = np.random.default_rng(7)
    arrays = [jax.device_put(random.standard_normal(s).astype(np.float32), NamedSharding(examples.MESH, p))
              for s, p in zip(shapes, specs)]
    compiled = jax.jit(sharded).lower(*arrays).compile()
    return lambda: jax.block_until_ready(compiled(*arrays))


def xla_seconds(call, seconds):
    best, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def hlocc_seconds(program, path, seconds, more):
    out = subprocess.run([program, f"--bench={seconds}", *more, str(path)], capture_output=True, text=True)
    if out.returncode:
        sys.exit(out.stderr)
    return float(out.stdout.split()[1]) * 1e-6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hlocc-run", default=str(ROOT / "build/hlocc-run"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    args = parser.parse_args()
    rows = [("data_parallel", examples.train_step, [(128, 256), (256,), (256, 16), (16,), (256, 128), (256, 16)],
             [P(), P(), P(), P(), P("d"), P("d")]),
            ("tensor_parallel", examples.tensor_parallel_mlp, [(64, 256), (256, 1024), (1024, 256)],
             [P(), P(None, "d"), P("d", None)])]
    print(f"{'example':16} {'XLA us':>10} {'hlocc us':>10} {'ratio':>7} {'by MPI':>10}")
    for name, sharded, shapes, specs in rows:
        call, path = xla_call(sharded, shapes, specs), ROOT / "examples" / name / "devices.hlo"
        for _ in range(20):
            call()
        xla, ours, mpi = [], [], []
        for _ in range(args.rounds):
            xla.append(xla_seconds(call, args.seconds))
            ours.append(hlocc_seconds(args.hlocc_run, path, args.seconds, []))
            mpi.append(hlocc_seconds(args.hlocc_run, path, args.seconds, ["--mpi"]))
        print(f"{name:16} {min(xla) * 1e6:10.1f} {min(ours) * 1e6:10.1f} {min(ours) / min(xla):7.2f} {min(mpi) * 1e6:10.1f}")


if __name__ == "__main__":
    main()
