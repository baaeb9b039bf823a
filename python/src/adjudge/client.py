"""The side of the protocol that has the function: it starts the judge and answers its questions.

`docs/protocol.md` defines the messages. The judge is a child process: it writes requests, one JSON object a
line, and reads replies.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import tempfile
import threading
import traceback
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Mapping, Optional, Protocol, Sequence

from . import node
from .errors import JudgeError
from .graph import Refused
from .kit.adapter import MAXIMUM_WORDS, PROTOCOL, Unsupported

# A reply to a request that cannot be answered, by kind and the key of its words.
Reply = dict[str, Any]


class Question(Protocol):
    """A function to be judged, at the shapes that it was traced with."""

    def document(self) -> dict[str, Any]:
        """Returns the question as `adjudge.question.v1`."""

    def answer(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Answers a request for values, cotangents or tangents with tensors."""

    def resized(self, shapes: Sequence[Sequence[int]]) -> Question:
        """Returns the same question with inputs of other shapes."""

    def at(self, point: Mapping[str, Any]) -> Question:
        """Returns the same question traced at a point."""


class Judge:
    """A judge in a process of its own, started when the first question comes; whoever asks has the turn."""

    def __init__(self, introduction: Mapping[str, Any], command: Optional[Sequence[str]] = None) -> None:
        # What the judge calls the library, and what the library promises, as a reply to `hello`.
        self._introduction = introduction
        self._command = command
        self._process: Optional[subprocess.Popen[bytes]] = None
        self._errors: Any = None
        # The number of the request `bring` that waits for the next question, and the question's.
        self._waiting: Optional[int] = None
        self._program = 0

    def ask(self, question: Question) -> tuple[dict[str, Any], Optional[BaseException]]:
        """Returns the verdict on a question, and the last exception that an answer ended with."""
        # A question is written before the judge is started, since it may be refused.
        document = question.document()
        try:
            return self._ask(question, document)
        except BaseException:
            # Nobody could tell what a later line belongs to, and Ctrl-C ends both.
            self._kill()
            raise

    def _ask(
        self, question: Question, document: Mapping[str, Any]
    ) -> tuple[dict[str, Any], Optional[BaseException]]:
        self._start()
        questions: dict[int, Question] = {}
        raised: list[BaseException] = []
        while True:
            if self._waiting is not None and not questions:
                request = {"id": self._waiting, "kind": "bring", "program": self._program}
                self._waiting = None
            else:
                request = self._read()
            kind, number = request.get("kind"), request.get("program")
            if kind == "bring" and "like" not in request:
                if questions:
                    raise JudgeError(
                        f"the judge asks for another question before its verdict on {list(questions)[0]}"
                    )
                questions[request["program"]] = question
                self._write({"id": request["id"], "kind": "question", "question": document})
            elif kind == "verdict":
                self._write({"id": request["id"], "kind": "done"})
                try:
                    self._next()
                except JudgeError:
                    # The verdict stands, and the next question starts a judge of its own.
                    self._kill()
                return request["verdict"], raised[-1] if raised else None
            elif kind == "bring":
                self._write({"id": request["id"], **self._again(questions, request, raised)})
            elif kind in ("evaluate", "vjp", "jvp") and number in questions:
                self._write(
                    {
                        "id": request["id"],
                        **replied(lambda: tensors(questions[number].answer(request)), raised),
                    }
                )
            else:
                self._write(
                    {"id": request["id"], "kind": "error", "message": f"no such request: {kind} of {number}"}
                )

    def _again(
        self, questions: dict[int, Question], request: Mapping[str, Any], raised: list[BaseException]
    ) -> Reply:
        def bring() -> Reply:
            like = questions[request["like"]]
            try:
                made = like.at(request["at"]) if "at" in request else like.resized(request["shapes"])
                document = made.document()
            except Refused as reason:
                raise Unsupported(str(reason)) from reason
            questions[request["program"]] = made
            return {"kind": "question", "question": document}

        if "at" in request:
            return replied(bring, raised)
        # A function need not work at other shapes.
        try:
            return bring()
        except Exception as error:
            return {"kind": "unsupported", "reason": words(error)}

    def _next(self) -> None:
        """Reads the request for the next question, which is answered when there is one."""
        request = self._read()
        if request.get("kind") != "bring" or "like" in request:
            raise JudgeError(f"the judge asks for {request.get('kind')} after its verdict")
        self._waiting, self._program = request["id"], request["program"]

    # ---- The process -----------------------------------------------------------------------------------

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._kill()
        command = [*(self._command or node.command()), "judge", "--stdio"]
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=-1
            )
        except OSError as error:
            raise JudgeError(f"the judge does not start: {error}\n  command: {' '.join(command)}") from error
        request = self._read()
        if request.get("kind") != "hello":
            raise JudgeError(f"the judge begins with {request.get('kind')}, not with hello")
        if request.get("protocol") != PROTOCOL:
            raise JudgeError(
                f"the judge speaks protocol {request.get('protocol')}, and this package {PROTOCOL}"
            )
        self._write({"id": request["id"], "kind": "hello", "protocol": PROTOCOL, **self._introduction})
        self._next()

    def _read(self) -> dict[str, Any]:
        assert self._process is not None and self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            self._broken()
        try:
            request = json.loads(line)
        except ValueError:
            request = None
        if not isinstance(request, dict) or not isinstance(request.get("id"), int):
            raise JudgeError(f"the judge wrote no request: {line[:200].decode('utf-8', 'replace').rstrip()}")
        return request

    def _write(self, reply: Reply) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(
                json.dumps(reply, separators=(",", ":"), allow_nan=False).encode() + b"\n"
            )
            self._process.stdin.flush()
        except (BrokenPipeError, ConnectionResetError):
            self._broken()

    def _broken(self) -> None:
        """Raises what is known of a judge that ended before its verdict."""
        assert self._process is not None
        try:
            code = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            code = None
        how = "closed its output" if code is None else f"ended with code {code}"
        if code is not None and code < 0:
            how = f"was killed by {signal.Signals(-code).name}"
        self._errors.seek(0)
        tail = self._errors.read()[-4000:].decode("utf-8", "replace").strip()
        said = f", and said:\n{tail}" if tail else ", and said nothing"
        raise JudgeError(f"the judge {how}{said}")

    def _kill(self) -> None:
        process, self._process, self._waiting = self._process, None, None
        if process is None:
            return
        process.kill()
        process.wait()
        self._close(process)

    def _close(self, process: subprocess.Popen[bytes]) -> None:
        for pipe in (process.stdin, process.stdout, self._errors):
            try:
                if pipe is not None:
                    pipe.close()
            except OSError:
                pass

    def close(self) -> None:
        """Tells the judge that there are no more questions, and waits for its end."""
        process = self._process
        if process is None:
            return
        try:
            if self._waiting is not None and process.poll() is None:
                self._write({"id": self._waiting, "kind": "done"})
                assert process.stdin is not None
                process.stdin.close()
                process.wait(timeout=5)
        except (JudgeError, OSError, subprocess.TimeoutExpired):
            pass
        self._kill()

    def forget(self) -> None:
        """Leaves the judge to the process that started it; a forked one starts a judge of its own."""
        process, self._process, self._waiting = self._process, None, None
        if process is not None:
            self._close(process)
            # It is no child of this process, and nobody should wait for it.
            process.returncode = 0


def tensors(found: list[dict[str, Any]]) -> Reply:
    """Returns the reply that has some tensors."""
    return {"kind": "tensors", "tensors": found}


def replied(compute: Callable[[], Reply], raised: list[BaseException]) -> Reply:
    """Returns what is computed, or the reply that says why it is not."""
    try:
        return compute()
    except Unsupported as reason:
        return {"kind": "unsupported", "reason": str(reason)[:MAXIMUM_WORDS]}
    except Exception as error:
        raised.append(error)
        return {"kind": "error", "message": words(error)}


def words(error: BaseException) -> str:
    """Returns an exception's words, of a length that a reply may have."""
    return "".join(traceback.format_exception_only(type(error), error)).strip()[:MAXIMUM_WORDS]


# ---- The judges of this process --------------------------------------------------------------------------

_judges: dict[str, Judge] = {}
_turn = threading.RLock()


@contextmanager
def turn() -> Iterator[None]:
    """Has threads check one at a time, since whoever traces a function changes its library meanwhile."""
    with _turn:
        yield


def judge_for(introduction: Mapping[str, Any]) -> Judge:
    """Returns this process's judge for a library, by what the library says of itself."""
    key = json.dumps(introduction, sort_keys=True)
    if key not in _judges:
        _judges[key] = Judge(introduction)
    return _judges[key]


@atexit.register
def close() -> None:
    """Ends the judges of this process; the next check starts another one."""
    for judge in list(_judges.values()):
        judge.close()
    _judges.clear()


def _forked() -> None:
    global _turn
    _turn = threading.RLock()
    for judge in _judges.values():
        judge.forget()
    _judges.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
