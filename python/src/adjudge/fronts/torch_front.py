"""PyTorch: a function of tensors as a graph, and the function's own answers.

The function runs once, on the numbers given. A dispatch mode sees each operator of ATen that it calls, below
autograd: layers come in as the operators they consist of, in-place operators and views as they are, and of an
`autograd.Function` its `forward`. Each operator has a rule (`torch_front_rules.py`), or PyTorch's own
decomposition.

Whether a derivative flows is read off the tensors: where autograd has none (`detach`, `no_grad`), the graph
has `stop_gradient`. Within a custom function the rule of its author counts, so there everything flows.
"""

from __future__ import annotations

import contextlib
import itertools
import warnings
from dataclasses import replace
from typing import Any, Callable, Sequence

import torch

from ..graph import Ref, Refused
from .torch_front_answers import Answers, answered
from .torch_front_call import Call, call_of, with_inputs
from .torch_front_recorder import REFERENCE, Recorder, dtype_name
from .torch_front_watch import Leaks, plain_paths, within_functions
from .traced import Traced, call_traced, finished, source_line, tree_of

__all__ = ["Answers", "answers", "trace"]


def trace(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    names: Sequence[str],
    *,
    static: Sequence[str] = (),
    wrt: Sequence[str] = (),
) -> Traced:
    """Writes a function down as a graph, at these arguments.

    Floating leaves of the arguments are inputs, integers and Booleans are data. Arguments in `static`, and
    what is no tensor or array, is handed on as it is. If `wrt` names arguments, or leaves of them, autograd
    has derivatives by these alone. The parameters of a module that it names (`*`: all) are inputs too, after
    the arguments; others are constants. Without `wrt`, those that PyTorch has no derivative by are left out.
    Raises `Refused`.
    """
    call = call_of(function, arguments, names, static, wrt)
    try:
        return traced_call(call)
    except NoDerivative:
        if wrt:
            raise
        return traced_call(with_derivative(call))


class NoDerivative(Refused):
    """PyTorch has no derivative of an operator by an argument."""


def with_derivative(call: Call) -> Call:
    """Returns the call with as many inputs as possible by which PyTorch differentiates the function.

    PyTorch says what an argument is called in its operator, and not which argument of the function it is, so
    they are tried. Raises the refusal if none is left.
    """
    # At most three are left out, since each choice is a run.
    for count in range(len(call.wanted), max(len(call.wanted) - 4, 0), -1):
        for chosen in itertools.combinations(call.wanted, count):
            with contextlib.suppress(NoDerivative):
                found = replace(call, wanted=list(chosen))
                traced_call(found)
                return found
    traced_call(call)
    return call


def traced_call(call: Call) -> Traced:
    """Runs the function once, and writes it down."""
    recorder = Recorder(call.dtype)
    leaves = list(call.leaves)
    for place in call.inputs:
        leaves[place] = leaves[place].requires_grad_(place in call.wanted)
        recorder.take_input(leaves[place], call.names[place])
    needed = [x.requires_grad for _, x in call.parameters]
    for name, x in call.parameters:
        recorder.take_input(x.requires_grad_(), name)
    for place in call.data:
        recorder.take_data(leaves[place], call.names[place])
    try:
        with warnings.catch_warnings(), plain_paths(), within_functions(recorder), torch.enable_grad():
            warnings.simplefilter("ignore")
            # The frames of the user lie between this call and the dispatcher.
            with Leaks(recorder), recorder:
                returned = call_traced(call.function, call.rebuild(leaves))
        recorder.depth = 0
        outputs = outputs_of(recorder, returned)
    except RuntimeError as error:
        raise explained(error) from error
    finally:
        recorder.restore()
        for (_, x), was in zip(call.parameters, needed):
            x.requires_grad_(was)
    graph, outputs = finished(recorder.graph, outputs)
    recorder.check_state(graph)
    tree = tree_of(returned)
    return Traced(
        graph,
        outputs,
        dtype_name(call.dtype),
        recorder.pointwise,
        tree.rebuild,
        lambda inputs: call.rebuild(with_inputs(call, inputs)),
        lambda result: tree_of(result).leaves,
        recorder.fixed,
    )


def explained(error: RuntimeError) -> Exception:
    """Returns a refusal for what autograd says of a function that overwrites its argument."""
    text = str(error)
    if "leaf Variable" in text and "in-place" in text:
        return Refused(
            "the function overwrites its argument", source_line(error.__traceback__), "clone it first"
        )
    if "Can't call numpy()" in text:
        what = "NumPy is called with a tensor, and what it computes is not seen"
        return Refused(what, source_line(error.__traceback__), REFERENCE)
    if "not differentiable with respect to argument" in text:
        hint = "name the arguments that have a derivative by wrt="
        return NoDerivative(
            text.partition(". ")[0].lower().removeprefix("the "), source_line(error.__traceback__), hint
        )
    return error


def outputs_of(recorder: Recorder, returned: Any) -> list[Ref]:
    """Returns the values of the graph that a function returned."""
    tree = tree_of(returned)
    if not tree.leaves:
        raise Refused(
            "the function returns nothing", hint="return a tensor, or a tuple, list or dict of tensors"
        )
    refs = []
    for leaf, path in zip(tree.leaves, tree.paths):
        place = f"the result{path}"
        if not isinstance(leaf, torch.Tensor):
            raise Refused(f"{place} is a {type(leaf).__name__} and no tensor", hint="return tensors alone")
        if leaf.dtype.is_complex:
            raise Refused(f"{place} is complex", hint="return real and imaginary parts apart")
        if not leaf.dtype.is_floating_point:
            hint = "return floating tensors alone: nothing else has a derivative"
            raise Refused(f"{place} has the type {dtype_name(leaf.dtype)}", hint=hint)
        if leaf.layout != torch.strided:
            raise Refused(f"{place} is no dense tensor", hint="return x.to_dense()")
        if leaf.dtype != recorder.dtype:
            what = f"{place} is {dtype_name(leaf.dtype)}, and the arguments are {dtype_name(recorder.dtype)}"
            raise Refused(what, hint="compute in one precision, without autocast")
        with torch._C.DisableTorchFunction():
            refs.append(recorder.ref(leaf))
    return refs


def answers(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    names: Sequence[str],
    *,
    static: Sequence[str] = (),
    wrt: Sequence[str] = (),
) -> Answers:
    """Returns how a function answers at other inputs; the arguments are those that it was traced with."""
    call = call_of(function, arguments, names, static, wrt)
    try:
        return answered(call)
    except RuntimeError as error:
        if wrt or not isinstance(explained(error), NoDerivative):
            raise
        return answered(with_derivative(call))
