#!/usr/bin/env python3
"""Runs random programs (program.py) by the evaluator and as C at -O0 and -O2, and compares.

    tests/random/run.py [--build=build] [--seed=1] [--count=100] [-j 2] [--keep=DIR] [--xla=SCRIPT] [--covered=FILE]

Program k has seed SEED + k, so that a failure names the one number that repeats it (`--seed=N --count=1`). --xla: XLA:CPU
too, by ../shared/oracle/xla.py; what it refuses is counted. --covered: adds to the table of opcodes and types. Exit 1 if
any disagree. Values: exact ones bit for bit (NaN is NaN), others within their error bound."""
import argparse, concurrent.futures, os, pathlib, random, shutil, struct, subprocess, sys, tempfile

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
sys.dont_write_bytecode = True
from program import SMALL_FLOATS, bits_of, generate

BYTES = {"u1": "|u1", "s1": "|i1"}


def descr(dtype):
    """As .npy files name it, and struct's letter for one element."""
    if dtype == "pred":
        return "|b1", "?"
    bits = max(bits_of(dtype), 8)
    if dtype == "bf16":
        return "|V2", "H"
    if dtype in SMALL_FLOATS:
        return "|V1", "B"
    if dtype[0] in "su":
        letters = {8: "b", 16: "h", 32: "i", 64: "q"}[bits]
        if bits_of(dtype) < 8:
            return "|V1", letters if dtype[0] == "s" else "B"
        return ("<" if bits > 8 else "|") + {"s": "i", "u": "u"}[dtype[0]] + str(bits // 8), \
            letters if dtype[0] == "s" else letters.upper()
    if dtype[0] == "c":
        return f"<c{bits // 8}", {64: "f", 128: "d"}[bits]
    return f"<f{bits // 8}", {16: "e", 32: "f", 64: "d"}[bits]


def write_npy(path, dtype, dims, numbers):
    text, letter = descr(dtype)
    header = f"{{'descr': '{text}', 'fortran_order': False, 'shape': ({''.join(f'{d},' for d in dims)}), }}"
    header += " " * (63 - (len(header) + 10) % 64) + "\n"
    data = struct.pack(f"<{len(numbers)}{letter}", *numbers)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path, dtype):
    data = path.read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    letter = descr(dtype)[1]
    n = (len(data) - begin) // struct.calcsize("<" + letter)
    return struct.unpack(f"<{n}{letter}", data[begin:])


def value_of(dtype, bits):
    """What a float stored as an integer is worth (bf16 and smaller)."""
    if dtype == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    nan = float("nan")
    formats = {"f4e2m1fn": (2, 1, 1), "f6e2m3fn": (2, 3, 1), "f6e3m2fn": (3, 2, 3), "f8e3m4": (3, 4, 3), "f8e4m3": (4, 3, 7),
               "f8e4m3fn": (4, 3, 7), "f8e4m3fnuz": (4, 3, 8), "f8e4m3b11fnuz": (4, 3, 11), "f8e5m2": (5, 2, 15),
               "f8e5m2fnuz": (5, 2, 16)}
    if dtype == "f8e8m0fnu":
        return nan if bits == 255 else 2.0 ** (bits - 127)
    e, m, bias = formats[dtype]
    sign, magnitude = bits >> (e + m), bits & ((1 << (e + m)) - 1)
    if dtype.endswith("fnuz") and bits == 1 << (e + m):
        return nan
    if dtype == "f8e4m3fn" and magnitude == 127:
        return nan
    field, part = magnitude >> m, magnitude & ((1 << m) - 1)
    if dtype in ("f8e3m4", "f8e4m3", "f8e5m2") and field == (1 << e) - 1:
        return nan if part else (-1) ** sign * float("inf")
    number = part * 2.0 ** (1 - bias - m) if field == 0 else ((1 << m) + part) * 2.0 ** (field - bias - m)
    return -number if sign else number


def random_numbers(r, dtype, n, kind):
    bits = bits_of(dtype)
    if kind == "index":
        return [r.choice([0, 1, 2, 3, 5, 9, 100]) if dtype[0] == "u" else r.choice([-1, 0, 1, 2, 3, 5, 100]) for _ in range(n)]
    if dtype == "pred":
        return [r.random() < .5 for _ in range(n)]
    if dtype[0] in "su":
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if dtype[0] == "s" else (0, (1 << bits) - 1)
        pool = [lambda: r.randint(low, high), lambda: max(low, min(high, r.randint(-9, 9))), lambda: r.choice([low, high])]
        return [r.choices(pool, [3, 6, 1])[0]() for _ in range(n)]
    if dtype in SMALL_FLOATS:
        canonical = [b for b in range(1 << bits) if value_of(dtype, b) == value_of(dtype, b)]
        return [r.choice(canonical) for _ in range(n)]
    special = [0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1.0, -1.0] if kind == "any" and r.random() < .3 else [1.0]
    def number():
        x = r.choice(special) if r.random() < .1 else r.choice([r.gauss(0, 1), float(r.randint(-9, 9)), r.gauss(0, 30)])
        x = struct.unpack("<e", struct.pack("<e", x))[0] if dtype in ("f16", "bf16") else x
        return x if x == 0 or abs(x) > 1e-4 or x != x else 1.0
    if dtype == "bf16":
        return [struct.unpack("<I", struct.pack("<f", number()))[0] >> 16 for _ in range(n)]
    if dtype[0] == "c":
        return [number() for _ in range(2 * n)]
    return [number() for _ in range(n)]


def differs(value, a, b):
    """The first place where results a and b of value disagree, or None."""
    dtype = value.dtype
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} elements"
    stored = dtype == "bf16" or dtype in SMALL_FLOATS
    for i, (x, y) in enumerate(zip(a, b)):
        if x == y and (x != 0 or not isinstance(x, float) or not value.exact or str(x) == str(y)):
            continue
        if stored:
            x, y = value_of(dtype, x), value_of(dtype, y)
        if x != x and y != y:
            continue
        if not value.exact and isinstance(x, float) and abs(x - y) <= 4 * value.error + 1e-300:
            continue
        return f"at {i}: {x!r} and {y!r}" + ("" if value.exact else f", error up to {value.error:.3g} allowed")
    return None


def call(command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(env or {})}, timeout=600)
    return done.returncode, (done.stdout + done.stderr)[:1500]


def run_one(options, seed):
    """(seed, [complaints], covered, what XLA did)"""
    text, parameters, results, covered = generate(seed, here.parent.parent / "ir/ops.def", options.size)
    r = random.Random(seed * 7 + 1)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="random"))
    try:
        (folder / "module.hlo").write_text(text)
        inputs = []
        for k, (dtype, dims, kind) in enumerate(parameters):
            n = 1
            for d in dims:
                n *= d
            write_npy(folder / f"in{k}.npy", dtype, dims, random_numbers(r, dtype, n, kind))
            inputs.append(str(folder / f"in{k}.npy"))
        march = {} if not options.march else {"CFLAGS": f"-O2 -march={options.march}"}
        ways = [("evaluator", ["--eval"], {}), ("-O0", ["-O0"], {"CFLAGS": f"-O0 -march={options.march or 'native'}"}),
                ("-O2", ["-O2"], march or {"CFLAGS": "-O2 -march=native"})]
        complaints, values = [], {}
        for name, arguments, env in ways:
            out = folder / name.strip("-")
            out.mkdir()
            code, message = call([options.build + "/hlocc-run", *arguments, str(folder / "module.hlo"), *(["--in", *inputs] if inputs else []),
                                  f"--out={out}"], env)
            if code:
                complaints.append(f"{name}: exit {code}: {message}")
                continue
            values[name] = [read_npy(out / f"out{k}.npy", v.dtype) for k, v in enumerate(results)]
        for name in list(values)[1:]:
            if "evaluator" not in values:
                break
            for k, v in enumerate(results):
                where = differs(v, values["evaluator"][k], values[name][k])
                if where:
                    complaints.append(f"evaluator and {name}: result {k} ({v.name}, {v.dtype}) {where}")
        xla = None
        if options.xla and "evaluator" in values:
            out = folder / "xla"
            out.mkdir()
            code, message = call([sys.executable, options.xla, "run", str(folder / "module.hlo"), *(["--in", *inputs] if inputs else []),
                                  "--out", str(out)])
            xla = "refused" if code else "agrees"
            for k, v in enumerate(results if not code else []):
                where = differs(v, values["evaluator"][k], read_npy(out / f"out{k}.npy", v.dtype))
                if where:
                    xla = f"result {k} ({v.name}, {v.dtype}) {where}"
                    break
        if (complaints or xla not in (None, "refused", "agrees")) and options.keep:
            keep = pathlib.Path(options.keep) / str(seed)
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(folder, keep)
            (keep / "complaints.txt").write_text("\n".join(complaints + ([f"XLA: {xla}"] if xla else [])))
        return seed, complaints, covered if not complaints else set(), xla
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, help="families per program (default: 3 to 16)")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--keep", help="failing programs go there")
    parser.add_argument("--march")
    parser.add_argument("--xla")
    parser.add_argument("--covered")
    parser.add_argument("--print", action="store_true", help="print the program of --seed")
    options = parser.parse_args()
    if options.print:
        return print(generate(options.seed, here.parent.parent / "ir/ops.def", options.size)[0])
    failed, covered, counts = 0, set(), {}
    with concurrent.futures.ProcessPoolExecutor(options.j) as pool:
        jobs = [pool.submit(run_one, options, options.seed + k) for k in range(options.count)]
        for job in concurrent.futures.as_completed(jobs):
            seed, complaints, seen, xla = job.result()
            covered |= seen
            failed += bool(complaints)
            for line in complaints:
                print(f"seed {seed}: {line}", flush=True)
            if xla:
                counts[xla if xla in ("refused", "agrees") else "differs"] = counts.get(xla if xla in ("refused", "agrees") else "differs", 0) + 1
                if xla not in ("refused", "agrees"):
                    print(f"seed {seed}: XLA: {xla}", flush=True)
    if options.covered:
        from coverage import add
        add(pathlib.Path(options.covered), covered)
    print(f"{options.count - failed} agreed, {failed} failed" + (f"; XLA: {counts}" if counts else ""))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
