#!/usr/bin/env python3
"""Largest error of every math function and type, ours and XLA:CPU's, as the table of docs/accuracy.md.

    tests/accuracy/run.py [--build=build] [--types=f32,f64] [--every=64] [--doubles=10000000] [--xla=DIR-OF-xla.py] [--out=FILE]

Needs NumPy and `cc -lmpfr`; XLA:CPU's column needs JAX. All patterns of types of 16 and 8 bits, every 64th of f32, and of f64 random patterns
and random numbers near 1 and small ones, half and half. Adds lines "TYPE FUNCTION OURS AT XLA AT" to --out, and prints them."""
import argparse, pathlib, subprocess, sys, tempfile

import numpy as np

FUNCTIONS = ("sqrt rsqrt cbrt exponential exponential-minus-one log log-plus-one sine cosine tan asin acos atan sinh cosh tanh "
             "asinh acosh atanh erf logistic").split()
SMALL = "f8e3m4 f8e4m3 f8e4m3fn f8e4m3fnuz f8e4m3b11fnuz f8e5m2 f8e5m2fnuz".split()
here = pathlib.Path(__file__).resolve().parent


def chunks(dtype, every, doubles):
    """Arrays of arguments, as .npy files hold them."""
    if dtype == "f32":
        step = every << 22
        for low in range(0, 1 << 32, step):
            yield np.arange(low, min(low + step, 1 << 32), every, dtype=np.uint64).astype(np.uint32).view(np.float32)
    elif dtype == "f64":
        random = np.random.default_rng(5)
        for left in range(doubles, 0, -(1 << 21)):
            n = min(left, 1 << 21)
            wild = random.integers(0, 1 << 64, n - n // 2, dtype=np.uint64).view(np.float64)
            tame = random.choice([-1.0, 1.0], n // 2) * np.exp2(random.uniform(-30, 10, n // 2))
            yield np.concatenate([wild, tame])
    elif dtype in ("f16", "bf16"):
        x = np.arange(1 << 16, dtype=np.uint16)
        yield x.view(np.float16) if dtype == "f16" else x.view("V2")
    else:
        yield np.arange(256, dtype=np.uint8).view("V1")


def module(dtype, n, functions):
    lines = [f"  y{k} = {dtype}[{n}] {f}(p)" for k, f in enumerate(functions)]
    if len(functions) == 1:
        lines[0] = lines[0].replace("  y0", "  ROOT y0")
    else:
        lines.append("  ROOT all = (" + ", ".join([f"{dtype}[{n}]"] * len(functions)) + ") tuple("
                     + ", ".join(f"y{k}" for k in range(len(functions))) + ")")
    return f"HloModule accuracy\n\nENTRY main {{\n  p = {dtype}[{n}] parameter(0)\n" + "\n".join(lines) + "\n}\n"


class Xla:
    """XLA:CPU, a program per function and number of arguments."""

    def __init__(self, folder):
        sys.path.insert(0, folder)
        import xla
        self.xla, self.programs = xla, {}

    def run(self, dtype, function, x, path):
        key = dtype, function, len(x)
        if key not in self.programs:
            try:
                self.programs[key] = self.xla.Program(module(dtype, len(x), [function]))
            except Exception:
                self.programs[key] = None
        program = self.programs[key]
        if program is None:
            return False
        x = x.view(program.parameters[0].numpy_dtype())
        self.xla.save(path, program(program.put([x]))[0])
        return True


def measure(tool, function, dtype, *arguments):
    return [float(w) for w in subprocess.run([tool, function, dtype, *map(str, arguments)], capture_output=True, text=True,
                                             check=True).stdout.split()]


def one_type(options, tool, xla, dtype, folder):
    worst = {f: [[0, 0, 0, 0], None] for f in FUNCTIONS}
    for x in chunks(dtype, options.every, options.doubles):
        np.save(folder / "in.npy", x)
        (folder / "module.hlo").write_text(module(dtype, len(x), FUNCTIONS))
        subprocess.run([options.build + "/hlocc-run", str(folder / "module.hlo"), "--in", str(folder / "in.npy"),
                        f"--out={folder}"], check=True, stdout=subprocess.DEVNULL)
        for k, f in enumerate(FUNCTIONS):
            new = measure(tool, f, dtype, folder / "in.npy", folder / f"out{k}.npy")
            worst[f][0] = max(worst[f][0], new)[:3] + [worst[f][0][3] + new[3]]
            if xla and xla.run(dtype, f, x, folder / "xla.npy"):
                new = measure(tool, f, dtype, "--normal", folder / "in.npy", folder / "xla.npy")
                old = worst[f][1] or [0, 0, 0, 0]
                worst[f][1] = max(old, new)[:3] + [old[3] + new[3]]
    return worst


def show(row):
    if row is None:
        return "- - -"
    return f"{row[0]:.2f} {row[1]:.9g} {int(row[3])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--source", default=str(here.parent.parent))
    parser.add_argument("--types", default=",".join(["f16", "bf16", "f32", "f64"] + SMALL))
    parser.add_argument("--every", type=int, default=64)
    parser.add_argument("--doubles", type=int, default=10_000_000)
    parser.add_argument("--xla")
    parser.add_argument("--out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        tool = folder / "measure"
        subprocess.run(["cc", "-std=c11", "-O2", "-I" + options.source, str(here / "measure.c"), options.build + "/libhlocc.a",
                        "-lmpfr", "-lgmp", "-lm", "-o", str(tool)], check=True)
        xla = Xla(options.xla) if options.xla else None
        for dtype in options.types.split(","):
            for function, (ours, theirs) in one_type(options, tool, xla, dtype, folder).items():
                line = f"{dtype} {function} {show(ours)} {show(theirs)}"
                print(line, flush=True)
                if options.out:
                    with open(options.out, "a") as out:
                        out.write(line + "\n")


if __name__ == "__main__":
    main()
