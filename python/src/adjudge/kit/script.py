"""Prints scripts that ask a library one question without adjudge: `python -m adjudge.kit.script ADAPTER PACKAGE`.

Standard input is a JSON list of questions, standard output a list of scripts, each
`{"text": …}` or `{"reason": …}`. The library must be installed, since an adapter's calls depend on its shapes.
"""

from __future__ import annotations

import contextlib
import json
import sys
import types
from pathlib import Path
from typing import Any, Mapping, Sequence, Union

from adjudge.kit.adapter import Adapter, Array, Arrays, Program
from adjudge.kit.recorder import Block, CannotPrint, Line, Recorder, names, recorded_module, without_dead


class Asked(Program):
    """A loaded graph whose answers stay the library's arrays."""

    def _answer(self, arrays: Arrays) -> Sequence[Array]:
        return tuple(arrays)


HEAD = '''"""{title}

{note}
Exit code: 1 while that is so, 0 once it is mended, 2 where it cannot be asked.
"""

import os
import sys

{environment}try:
{imports}
except ImportError as error:
    print(error)
    sys.exit(2)


def failed(kind, error, _):
    print("the script fails:", kind.__name__, error)
    sys.stdout.flush()
    os._exit(2)


sys.excepthook = failed

'''

WRONG = '''answer = {answer[0]}{tensor}{answer[1]}
print("the library answers", answer)
print("the true value is  ", {truth!r})
{why}sys.exit(0 if {test} else 1)
'''

CRASH = '''try:
{body}except Exception as error:
    print("the library raises", type(error).__name__, str(error).partition("\\n")[0])
    print("it should answer")
    sys.exit(1)
print("the library answers")
'''


def script(path: Path, roots: Sequence[str], question: Mapping[str, Any]) -> str:
    """Returns a script's text. Raises `CannotPrint`, or what the adapter raises where an answer is due."""
    recorder = Recorder()
    module = recorded_module(path, recorder, roots)
    # The settings are what the adapter calls while it is imported.
    settings = [line for line in recorder.main.lines if line.target is None]
    recorder.main.lines = []
    with recorder.within(None):
        program = Asked(adapter_in(module)(), question["graph"], question["dtype"])
    if "place" in question:
        answers = getattr(program, question["question"])(question)
        tensor = recorder.show(answers[question["place"]])
        recorder.main.lines = without_dead(recorder.main.lines, lambda name: names(name, tensor))
        asked = texts(recorder.main.lines, 0) + "\n" + WRONG.format(tensor=tensor, **question)
    else:
        with contextlib.suppress(Exception):
            getattr(program, question["question"])(question)
        asked = CRASH.format(body=texts(recorder.main.lines, 1))
    body = texts(settings, 0) + asked
    used = [name for name in sorted({*recorder.modules, "numpy"}) if f"{name}." in body]
    environment = [f'os.environ["{name}"] = "{value}"\n' for name, value in getattr(module, "ENVIRONMENT", {}).items()]
    imports = "\n".join(f"    import {name}" for name in used)
    return HEAD.format(imports=imports, environment="".join([*environment, "\n"] if environment else []), **question) + body


def adapter_in(module: types.ModuleType) -> type[Adapter]:
    """Returns the adapter class of a module."""
    [found] = [found for found in vars(module).values() if isinstance(found, type) and Adapter in found.__bases__]
    return found


def texts(lines: Sequence[Union[Line, Block]], depth: int) -> str:
    return "".join(text + "\n" for line in lines for text in line.written(depth))


def main() -> None:
    path, roots = Path(sys.argv[1]), [*sys.argv[2:], "numpy"]
    # An adapter may import files beside it.
    sys.path.insert(0, str(path.parent))
    # What a library prints meanwhile is no answer.
    out, sys.stdout = sys.stdout, sys.stderr
    scripts = []
    for question in json.load(sys.stdin):
        try:
            scripts.append({"text": script(path, roots, question)})
        except CannotPrint as error:
            scripts.append({"reason": str(error)})
        except Exception as error:
            scripts.append({"reason": f"{type(error).__name__}: {error}"})
    json.dump(scripts, out)


if __name__ == "__main__":
    main()
