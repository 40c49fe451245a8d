"""Saves a jitted function as FOLDER/NAME.hlo whose large constants are elided, {...}, and their values beside it as .npy
files. `hlocc --elided=param NAME.hlo` makes parameters of them; NAME.weights lists the files in their order."""
import pathlib
import re

import jax
import numpy as np


def save(folder, function, *examples):
    folder, name = pathlib.Path(folder), function.__name__
    module = jax.jit(function).lower(*examples).compiler_ir("hlo")
    short, full = module.as_hlo_text().splitlines(), module.as_hlo_text(print_large_constants=True).splitlines()
    (folder / f"{name}.hlo").write_text("\n".join(short) + "\n")
    files = []
    for line, values in zip(short, full, strict=True):
        if "constant({...})" in line:
            which, dtype, dims = re.match(r" *(?:ROOT )?%?(\S+) = (\w+)\[([\d,]*)\]", line).groups()
            numbers = re.sub(r"/\*.*?\*/|[{},]", " ", values.split("constant(", 1)[1].rsplit(")", 1)[0])
            array = np.array(numbers.split(), {"f32": "f4", "f64": "f8", "s32": "i4", "s64": "i8"}[dtype])
            files.append(f"{name}.{which}.npy")
            np.save(folder / files[-1], array.reshape([int(d) for d in dims.split(",") if d]))
    (folder / f"{name}.weights").write_text("\n".join(files) + "\n")
    return files
