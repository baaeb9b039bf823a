"""Runs adjudge's commands: `python -m adjudge judge …`, or `adjudge judge …` where it is installed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from . import node
from .errors import JudgeError


def main() -> int:
    """Runs the command by Node, which takes the place of this process; signals and exit codes are its own."""
    try:
        command = [*node.command(), *sys.argv[1:]]
    except JudgeError as error:
        print(error, file=sys.stderr)
        return 4
    # Adapters of engines in Python run in this one unless another is chosen.
    os.environ.setdefault("ADJUDGE_PYTHON", sys.executable)
    if os.name != "nt":
        os.execv(command[0], command)
    # Windows has no exec: Ctrl-C goes to both, and the command ends by it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
