"""Random valid HLO programs.

    from program import generate
    text, parameters, results = generate(seed, ops_def)

What can be compared depends on how a value came about, so each value carries what is known of it:

- exact: every correct compiler gives the same bits (integers; floats that were moved, or rounded once from exact
  operands where neither contraction nor excess precision can come in between). Only such values reach operations with
  jumps: comparisons, roundings, conversions to integers, sorting, indices.
- otherwise bound and error: the largest magnitude, and how far two correct results may be apart (both absolute, from
  the operands' bounds and errors and the derivative of the operation on its clamped domain). NaN is NaN everywhere.

Opcodes come from ir/ops.def: one that is neither generated here nor listed in LEFT_OUT is an error.
"""
import random, re

from families import FAMILIES, LEFT_OUT

INTS = [s + str(b) for s in "su" for b in (1, 2, 4, 8, 16, 32, 64)]
SMALL_FLOATS = ["f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e3m4", "f8e4m3", "f8e4m3fn", "f8e4m3fnuz", "f8e4m3b11fnuz",
                "f8e5m2", "f8e5m2fnuz", "f8e8m0fnu"]
FLOATS = ["f16", "bf16", "f32", "f64"]
COMPLEX = ["c64", "c128"]
TYPES = ["pred"] + INTS + SMALL_FLOATS + FLOATS + COMPLEX
WEIGHTS = [5] + [1, 1, 2, 3, 2, 8, 4] * 2 + [1] * len(SMALL_FLOATS) + [4, 4, 10, 6] + [3, 2]
UNIT = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-22, "f64": 2.0**-51, "c64": 2.0**-21, "c128": 2.0**-50,
        "f4e2m1fn": .5, "f6e2m3fn": .125, "f6e3m2fn": .25, "f8e3m4": 2.0**-4, "f8e4m3": .125, "f8e4m3fn": .125,
        "f8e4m3fnuz": .125, "f8e4m3b11fnuz": .125, "f8e5m2": .25, "f8e5m2fnuz": .25, "f8e8m0fnu": 1}


def bits_of(dtype):
    return {"pred": 8, "bf16": 16}.get(dtype) or int(re.match(r"[a-z](\d+)", dtype)[1])


class Value:
    def __init__(self, name, dtype, dims, exact=True, bound=None, error=0.0, pure=False):
        self.name, self.dtype, self.dims = name, dtype, tuple(dims)
        self.exact, self.bound, self.error, self.pure = exact, bound, error, pure

    @property
    def size(self):
        n = 1
        for d in self.dims:
            n *= d
        return n

    def is_float(self):
        return self.dtype in UNIT and self.dtype[0] != "c"

    def is_complex(self):
        return self.dtype[0] == "c"

    def is_int(self):
        return self.dtype[0] in "su"


class Program:
    """A module under construction. put() adds an instruction to the computation being built."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.done, self.lines, self.counter, self.covered = [], [], 0, set()
        self.parameters, self.values = [], []

    # --- text -----------------------------------------------------------------------------------------------------

    def name(self, stem="v"):
        self.counter += 1
        return f"{stem}{self.counter}"

    def shape(self, dtype, dims, layout=False):
        text = f"{dtype}[{','.join(map(str, dims))}]"
        if layout and len(dims) > 1 and self.random.random() < .15:
            order = list(range(len(dims)))
            self.random.shuffle(order)
            text += "{" + ",".join(map(str, order)) + "}"
        return text

    def put(self, op, dtype, dims, operands, attributes="", **known):
        """known: exact, bound, error of the result; it is exact if nothing is said and all operands are."""
        value = Value(self.name(), dtype, dims)
        if "exact" not in known:
            known["exact"] = all(o.exact for o in operands) or dtype[0] in "psu"
        for key, content in known.items():
            setattr(value, key, content)
        text = ", ".join(o if isinstance(o, str) else o.name for o in operands)
        self.lines.append(f"  {value.name} = {self.shape(dtype, dims, op != 'bitcast')} {op}({text})"
                          + (", " + attributes if attributes else ""))
        self.covered.add((op, dtype))
        self.covered.update((op, o.dtype) for o in operands if isinstance(o, Value))
        return value

    def constant(self, dtype, text, dims=()):
        value = Value(self.name("k"), dtype, dims, pure=True)
        self.lines.append(f"  {value.name} = {self.shape(dtype, dims)} constant({text})")
        self.covered.add(("constant", dtype))
        return value

    def number(self, dtype, x, dims=()):
        """x in every element; of s1, whose only numbers are 0 and -1, -1 for 1."""
        x = -x if dtype == "s1" else x
        scalar = self.constant(dtype, f"({x}, 0)" if dtype[0] == "c" else
                               ("true" if x else "false") if dtype == "pred" else str(x))
        scalar.bound = abs(x)
        return self.put("broadcast", dtype, dims, [scalar], "dimensions={}", bound=abs(x)) if dims else scalar

    def computation(self, stem, parameters, build):
        """A computation of its own; build(values) gives its root. parameters: (dtype, dims)."""
        lines, values, self.lines, name = self.lines, self.values, [], self.name(stem)
        inner = []
        for k, (dtype, dims) in enumerate(parameters):
            p = Value(self.name("a"), dtype, dims)
            self.lines.append(f"  {p.name} = {self.shape(dtype, dims)} parameter({k})")
            inner.append(p)
        self.values = list(inner)
        root = build(inner)
        body = self.lines
        at = next(i for i, line in enumerate(body) if line.startswith(f"  {root.name} = "))
        body[at] = "  ROOT" + body[at][1:]
        self.done.append(f"{name} {{\n" + "\n".join(body) + "\n}\n")
        self.lines, self.values = lines, values
        return name

    def scalar_op(self, op, dtype):
        return self.computation(f"{op}_", [(dtype, ())] * 2, lambda v: self.put(op, dtype, (), v))

    # --- choice ---------------------------------------------------------------------------------------------------

    def dims(self, low=0, high=4, most=3000):
        rank, n, out = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4]), 1, []
        for _ in range(max(low, min(high, rank))):
            d = self.random.choice([1, 2, 3, 4, 5, 7, 8, 16, 17, 33, 64, 70, 130])
            if self.random.random() < .02:
                d = 0
            d = d if n * d <= most else self.random.choice([1, 2, 3])
            out.append(d)
            n *= max(d, 1)
        return tuple(out)

    def parameter(self, dtype, dims, kind="any"):
        value = Value(f"p{len(self.parameters)}", dtype, dims, pure=True)
        self.parameters.append((dtype, value.dims, kind))
        self.lines.append(f"  {value.name} = {self.shape(dtype, dims, True)} parameter({len(self.parameters) - 1})")
        self.values.append(value)
        self.covered.add(("parameter", dtype))
        return value

    def pick(self, admits=lambda v: True, dtypes=None):
        """An existing value that fits, or a new parameter (of the entry)."""
        fits = [v for v in self.values if admits(v) and (not dtypes or v.dtype in dtypes)]
        if fits and (self.random.random() < .8 or self.done is None):
            weights = [1 + 3 * i / len(fits) for i in range(len(fits))]
            return self.random.choices(fits, weights)[0]
        for _ in range(50):
            dtype = self.random.choices(TYPES, WEIGHTS)[0] if not dtypes else self.random.choice(list(dtypes))
            candidate = Value("", dtype, self.dims(), pure=True)
            if admits(candidate):
                return self.parameter(dtype, candidate.dims)
        return self.random.choice(fits) if fits else None

    def like(self, value, admits=lambda v: True):
        """Another value of value's type and dims."""
        fits = [v for v in self.values if v.dtype == value.dtype and v.dims == value.dims and admits(v)]
        if fits and self.random.random() < .6:
            return self.random.choice(fits)
        other = Value("", value.dtype, value.dims, pure=True)
        return self.parameter(value.dtype, value.dims) if admits(other) else value

    def inside(self, x, low, high):
        """x clamped to [low, high], as an operand whose bound is known. Of a complex number: both parts."""
        if x.is_complex():
            part = {"c64": "f32", "c128": "f64"}[x.dtype]
            parts = [self.inside(self.put(op, part, x.dims, [x], exact=x.exact, error=x.error, bound=x.bound), low, high)
                     for op in ("real", "imag")]
            return self.put("complex", x.dtype, x.dims, parts, exact=x.exact, error=x.error,
                            bound=2 * max(abs(low), abs(high)))
        if x.bound is not None and low <= -x.bound and x.bound <= high:
            return x
        ends = [self.number(x.dtype, low), self.number(x.dtype, high)]
        return self.put("clamp", x.dtype, x.dims, [ends[0], x, ends[1]], exact=x.exact, error=x.error,
                        bound=max(abs(low), abs(high)))


def opcodes(ops_def):
    return re.findall(r'^OP\(\w+,\s*"([a-z0-9-]+)"', open(ops_def).read(), re.M)


def generate(seed, ops_def, size=None):
    """(text, [(dtype, dims, kind)], [Value], covered) of a program."""
    known = set(opcodes(ops_def))
    said = {op for family in FAMILIES for op in family.ops} | set(LEFT_OUT)
    if known - said or said - known:
        raise SystemExit(f"ir/ops.def and tests/random disagree about {sorted(known ^ said)}")
    p = Program(seed)
    for _ in range(p.random.choice([1, 2, 3])):
        p.parameter(p.random.choices(TYPES, WEIGHTS)[0], p.dims())
    for _ in range(size or p.random.choice([3, 6, 10, 16])):
        family = p.random.choices(FAMILIES, [f.weight for f in FAMILIES])[0]
        made = family.build(p, p.random.choice(family.ops))
        for value in made or []:
            if value.size <= 20000 and (value.exact or acceptable(value)):
                p.values.append(value)
    made = [v for v in p.values if not v.name.startswith("p")]
    p.random.shuffle(made)
    results = (made or p.values)[:p.random.choice([1, 2, 4, 8])]
    if len(results) == 1 and made and p.random.random() < .5:
        at = next(i for i, line in enumerate(p.lines) if line.startswith(f"  {results[0].name} = "))
        p.lines[at] = "  ROOT" + p.lines[at][1:]
    else:
        shapes = ", ".join(p.shape(v.dtype, v.dims) for v in results)
        p.lines.append(f"  ROOT all = ({shapes}) tuple({', '.join(v.name for v in results)})")
    text = f"HloModule random_{seed}\n\n" + "\n".join(p.done) + "\nENTRY main {\n" + "\n".join(p.lines) + "\n}\n"
    return text, p.parameters, results, p.covered


def acceptable(value):
    """The error is small beside the values: comparing still says something."""
    return value.bound is not None and value.error <= .05 * max(value.bound, 1e-3) and value.bound < 1e4
