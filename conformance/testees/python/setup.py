#!/usr/bin/env python3
"""Makes the Python environment of adjudge's JAX and autograd adapters, and on request of others.

Creates `.venv` in the project's folder, the nearest one above this file with a package.json, and installs
requirements.txt into it, from the network or from where pip is configured to look. Running it again repairs
what is missing and changes nothing otherwise. To undo it, remove `.venv`.

With --pytorch it installs requirements-pytorch.txt too. On Linux PyTorch's wheels bring CUDA libraries, about
5 GB on disk, though the adapter uses the CPU alone. A build without them does as well: install it into `.venv`
as https://pytorch.org/get-started/locally says, and leave --pytorch out.

With --tensorflow it installs requirements-tensorflow.txt, TensorFlow for the CPU, 1.6 GB on disk;
with --tinygrad requirements-tinygrad.txt, 40 MB, and tinygrad wants clang, which is no Python package;
with --units requirements-units.txt, the libraries that units_adapter.py asks about dimensions, 60 MB;
with --mygrad requirements-mygrad.txt, 2 MB; with --mlx requirements-mlx.txt, MLX for the CPU, 40 MB;
with --casadi requirements-casadi.txt, 280 MB; with --paddle requirements-paddle.txt, PaddlePaddle for the CPU,
770 MB on disk; with --pytensor requirements-pytensor.txt, 230 MB; with --drjit requirements-drjit.txt, Dr.Jit,
20 MB, which wants the machine's LLVM library, 16 or newer; with --warp requirements-warp.txt, Warp, 390 MB.
requirements-mindspore.txt, 2.8 GB, wants an environment of its own, for its NumPy is older.

To use your own environment, install any of these files of requirements there, and set ADJUDGE_PYTHON to its
interpreter.
"""

# This file uses nothing newer than Python 3.6, so that an old Python can report that it is too old.

import argparse
import os
import subprocess
import sys
from pathlib import Path
from typing import List

# The pinned versions of JAX and NumPy need this.
OLDEST_PYTHON = (3, 11)

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"

# What each option installs, from the file of requirements of that name: what its help says, and its modules.
OPTIONS = {
    "pytorch": ("PyTorch, about 5 GB on Linux", ["torch"]),
    "tensorflow": ("TensorFlow, about 1.6 GB", ["tensorflow"]),
    "tinygrad": ("tinygrad", ["tinygrad"]),
    "units": ("pint, saiunit and unxt", ["pint", "saiunit", "unxt"]),
    "mygrad": ("MyGrad, 2 MB", ["mygrad"]),
    "mlx": ("MLX for the CPU, 40 MB", ["mlx"]),
    "casadi": ("CasADi, 280 MB", ["casadi"]),
    "paddle": ("PaddlePaddle for the CPU, 770 MB", ["paddle"]),
    "pytensor": ("PyTensor, 230 MB", ["pytensor"]),
    "drjit": ("Dr.Jit, 20 MB", ["drjit"]),
    "warp": ("Warp, 390 MB", ["warp"]),
}

INTRODUCTION = """
import importlib, sys
from importlib.metadata import version
def introduce(name):
    # A package may have another name than its module.
    return name + " " + (getattr(importlib.import_module(name), "__version__", None) or version(name))
print(", ".join(map(introduce, sys.argv[1:])))
"""


class Failure(Exception):
    """Set-up cannot go on; the text says why, and what to do about it."""


def main(arguments: List[str]) -> int:
    """Sets up. Exits with 0 when the environment is ready, 1 when it is not, 2 for a wrong argument."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for option, (what, _) in OPTIONS.items():
        parser.add_argument("--" + option, action="store_true", help="install " + what + ", too")
    wanted = parser.parse_args(arguments)
    try:
        check_version()
        environment = project_root(HERE) / ".venv"
        python = ensure_environment(environment)
        install(python, REQUIREMENTS)
        libraries = ["autograd", "jax", "optax"]
        for option, (_, modules) in OPTIONS.items():
            if getattr(wanted, option):
                install(python, HERE / ("requirements-" + option + ".txt"))
                libraries += modules
        print("Ready: " + installed(python, libraries) + " in " + str(environment))
        return 0
    except Failure as failure:
        print("Not set up: " + str(failure), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Not set up: interrupted. Run it again to go on.", file=sys.stderr)
        return 1


def check_version() -> None:
    """Fails if this Python is too old for what is to be installed."""
    if sys.version_info < OLDEST_PYTHON:
        found = "{}.{}".format(*sys.version_info[:2])
        wanted = "{}.{}".format(*OLDEST_PYTHON)
        raise Failure("this is Python " + found + "; run it with Python " + wanted + " or newer.")


def project_root(folder: Path) -> Path:
    """Returns the nearest folder at or above `folder` that has a package.json."""
    for candidate in [folder, *folder.parents]:
        if (candidate / "package.json").is_file():
            return candidate
    raise Failure("there is no package.json in any folder above " + str(folder) + ".")


def ensure_environment(environment: Path) -> Path:
    """Returns the virtual environment's interpreter, and makes the environment if there is none.

    A broken one is left alone, as it may be somebody's own.
    """
    python = interpreter(environment)
    if not environment.exists():
        make_environment(environment)
    if not runs(python, "-c", "import sys; sys.exit(sys.version_info < " + repr(OLDEST_PYTHON) + ")"):
        wanted = "{}.{}".format(*OLDEST_PYTHON)
        raise Failure(
            str(environment) + " has no working Python " + wanted + " or newer. Remove it and run this again."
        )
    if not runs(python, "-m", "pip", "--version"):
        raise Failure(str(environment) + " has no pip. Remove it and run this again.")
    return python


def make_environment(environment: Path) -> None:
    """Makes a virtual environment with pip."""
    print("Making " + str(environment), flush=True)
    try:
        import ensurepip  # noqa: F401  Debian's Python has venv without it.
        import venv
    except ImportError:
        raise Failure(
            "this Python cannot make virtual environments with pip. On Debian and Ubuntu, install python3-venv."
        ) from None
    try:
        venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(str(environment))
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure("making " + str(environment) + " failed: " + str(error) + ". Remove it before trying again.")


def interpreter(environment: Path) -> Path:
    """Returns the path of a virtual environment's Python."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def runs(python: Path, *arguments: str) -> bool:
    """Tells whether a command of the environment's Python succeeds. Its output is not shown."""
    try:
        run = subprocess.run([str(python), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return run.returncode == 0
    except OSError:
        return False


def install(python: Path, requirements: Path) -> None:
    """Installs what a file of requirements names, as far as it is missing."""
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    if subprocess.run([*command, "--requirement", str(requirements)]).returncode != 0:
        raise Failure("pip could not install " + str(requirements) + "; it says why above. Is the network there?")


def installed(python: Path, libraries: List[str]) -> str:
    """Returns the libraries' versions, which shows that they can be imported."""
    command = [str(python), "-c", INTRODUCTION, *libraries]
    run = subprocess.run(command, stdout=subprocess.PIPE, universal_newlines=True)
    if run.returncode != 0:
        raise Failure("everything is installed, but a library cannot be imported; the error is above.")
    return run.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
