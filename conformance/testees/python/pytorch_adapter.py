"""PyTorch on the CPU, or with `--device cuda` on a GPU: https://github.com/pytorch/pytorch.

Reverse mode is `torch.autograd.grad`, forward mode `torch.func.jvp`; derivatives within derivatives are
`torch.func`'s, which nest in each other and in both. Everything runs eagerly, on the CPU in one thread, as the
cases are small and sums keep one order.

`--compile BACKEND` (`aot_eager`, `inductor`, …) compiles programs, values and cotangents by `torch.compile`;
`--breaks N` breaks its graphs at every N-th statement. `--literal` writes under `no_grad`, and through
detached tensors, as PyTorch does, which keeps the old contents' derivative. `--copies` makes operators read
copies of locations, so that PyTorch refuses little. Hooks hang on tensors, or with `--modules` on modules,
one for each node with a hook, whose weights are the inputs of the graph that it reads.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Sequence

import numpy as np
import pytorch_device
import torch
import torch.nn.functional as F
from adjudge.kit.adapter import Adapter, Arrays, Description, Function, Hook, Pullback, Unsupported, check_shape, serve
from adjudge.kit.programs import CUSTOM_STATEMENTS, MEMORY_STATEMENTS, PLAIN_STATEMENTS, TAPE_STATEMENTS
from pytorch_device import there
from pytorch_memory import TYPES, InPlace
from torch.nn.attention import SDPBackend, sdpa_kernel

torch.set_num_threads(1)


def iota(shape, axis, dtype):
    column = (shape[axis],) + (1,) * (len(shape) - axis - 1)
    return torch.arange(shape[axis], dtype=TYPES[dtype]).reshape(column).expand(shape)


def comparison(compare):
    return lambda *operands: compare(*operands).to(operands[0].dtype)


def reduction(reduce):
    def reduced(x, axes, keepdims, **options):
        # PyTorch takes no axes for all axes, so a new axis of one element is reduced instead.
        if not axes:
            return reduce(x.unsqueeze(-1), dim=(-1,), keepdim=False, **options)
        return reduce(x, dim=axes, keepdim=keepdims, **options)

    return reduced


def prod(x, axes, keepdims):
    # torch.prod takes one axis.
    for axis in sorted(axes, reverse=True):
        x = torch.prod(x, dim=axis, keepdim=keepdims)
    return x


def tensor_of(array: np.ndarray) -> torch.Tensor:
    """Returns NumPy's array as a tensor on the device. It stands here since scripts print this module's calls."""
    return there(torch.from_numpy(array))


def take(x, axis, indices):
    return torch.index_select(x, axis, tensor_of(indices))


def rows(indices):
    return tuple(tensor_of(np.moveaxis(indices, -1, 0).copy()))


def sliced(x, starts, stops, steps):
    # PyTorch has no negative steps, so their axes are reversed first.
    turned = tuple(axis for axis, step in enumerate(steps) if step < 0)
    x = torch.flip(x, turned) if turned else x
    parts = []
    for extent, *part in zip(x.shape, starts, stops, steps):
        start, stop, step = slice(*part).indices(extent)
        parts.append(slice(start, stop, step) if step > 0 else slice(extent - 1 - start, extent - 1 - stop, -step))
    return x[tuple(parts)]


def pad(x, low, high, interior):
    for axis, gap in enumerate(interior):
        extent = x.shape[axis]
        if gap > 0 and extent > 1:
            reach = (extent - 1) * (gap + 1) + 1
            spread = torch.zeros((*x.shape[:axis], reach, *x.shape[axis + 1 :]), dtype=x.dtype)
            x = torch.slice_scatter(spread, x, axis, 0, reach, gap + 1)
    return outside(x, tuple(zip(low, high)))


def outside(x, sides, value=0.0):
    """Pads the last axes of `x` with `value`, as `sides` says; negative sides cut off."""
    return F.pad(x, [count for side in reversed(sides) for count in side], value=value) if any(map(any, sides)) else x


def one_hot(indices, classes, dtype):
    if classes == 0:
        raise Unsupported("one_hot: PyTorch infers the number of classes where it is 0")
    return F.one_hot(tensor_of(indices), classes).to(TYPES[dtype])


def trace(x, offset):
    # torch.trace is that of one matrix and its main diagonal.
    if x.ndim == 2 and offset == 0:
        return torch.trace(x)
    return torch.diagonal(x, offset, -2, -1).sum(-1)


def cholesky(x, upper):
    # PyTorch's function assumes a symmetric operand and reads one triangle.
    return torch.linalg.cholesky_ex((x + x.mT) / 2, upper=upper)[0]


def is_even(padding):
    """Tells whether padding is equal on both sides of each axis, as PyTorch's functions require."""
    return all(low == high for low, high in padding)


def lows(padding):
    return [low for low, _ in padding]


def conv(x, w, strides, padding, dilations, groups):
    convolve = (F.conv1d, F.conv2d, F.conv3d)[len(strides) - 1]
    if not is_even(padding):
        x, padding = outside(x, padding), ((0, 0),) * len(strides)
    return convolve(x, w, None, strides, lows(padding), dilations, groups)


def conv_transpose(x, w, strides, padding, dilations, groups, output_padding):
    convolve = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[len(strides) - 1]
    wide = zip(output_padding, strides, dilations)
    if is_even(padding) and all(more < max(stride, dilation) for more, stride, dilation in wide):
        return convolve(x, w, None, strides, lows(padding), output_padding, groups, dilations)
    # Padding that PyTorch does not take is cut off or added afterwards.
    whole = convolve(x, w, None, strides, 0, 0, groups, dilations)
    return outside(whole, [(-low, more - high) for (low, high), more in zip(padding, output_padding)])


def is_narrow(padding, window):
    """Tells whether PyTorch's pools take the padding: equal sides of at most half the window."""
    return is_even(padding) and all(2 * low <= extent for (low, _), extent in zip(padding, window))


def refuse_empty(x):
    if 0 in x.shape[1:]:
        raise Unsupported("max_pool, avg_pool: PyTorch's pools take no axis of extent 0 but the first")


def max_pool(x, window, strides, padding):
    refuse_empty(x)
    pool = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[len(window) - 1]
    if is_narrow(padding, window):
        return pool(x, window, strides, lows(padding))
    return pool(outside(x, padding, -np.inf), window, strides)


def avg_pool(x, window, strides, padding, count_include_pad):
    refuse_empty(x)
    pool = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[len(window) - 1]
    if is_narrow(padding, window):
        return pool(x, window, strides, lows(padding), count_include_pad=count_include_pad)
    averages = pool(outside(x, padding), window, strides)
    if count_include_pad:
        return averages
    return averages / pool(outside(torch.ones((1, 1, *x.shape[2:]), dtype=x.dtype), padding), window, strides)


def layer_norm(x, scale, offset, axes, epsilon):
    # PyTorch's function normalises the last axes.
    axes = tuple(sorted(axes))
    last = tuple(range(x.ndim - len(axes), x.ndim))
    moved = torch.movedim(x, axes, last)
    return torch.movedim(F.layer_norm(moved, scale.shape, scale, offset, epsilon), last, axes)


def batch_norm_train(x, scale, offset, axis, epsilon):
    if x.ndim < 2:
        raise Unsupported("batch_norm_train: PyTorch's channels are the second axis, and this is the first of one")
    # PyTorch's channels are the second axis.
    moved = torch.movedim(x, axis, 1)
    if moved.numel() == moved.shape[1]:
        raise Unsupported("batch_norm_train: PyTorch expects more than 1 value per channel")
    return torch.movedim(F.batch_norm(moved, None, None, scale, offset, True, 0.0, epsilon), 1, axis)


def group_norm(x, scale, offset, groups, epsilon):
    if x.numel() == groups:
        raise Unsupported("group_norm: PyTorch expects more than 1 value per group")
    return F.group_norm(x, groups, scale, offset, epsilon)


def attention(q, k, v, mask=None, causal=False):
    if mask is not None and causal:
        # PyTorch takes one of the two masks.
        hidden = torch.ones((q.shape[-2], k.shape[-2]), dtype=torch.bool).triu(1)
        mask, causal = mask.masked_fill(hidden, -np.inf), False
    return F.scaled_dot_product_attention(q, k, v, mask, is_causal=causal)


def lstm_cell(x, h, c, w_ih, w_hh, b, output):
    hidden, cell = torch.lstm_cell(x, (h, c), w_ih, w_hh, b, torch.zeros_like(b))
    return cell if output == "cell" else hidden


class PyTorchAdapter(Adapter):
    description = Description(
        name="PyTorch",
        version=torch.__version__.partition("+")[0],
        links=["https://github.com/pytorch/pytorch", "https://docs.pytorch.org"],
        dtypes=["float64", "float32"],
        conventions={"maximumAtTie": "split", "reluAtZero": "zero", "compositeKinks": "own"},
    )

    # bernoulli_mask and dropout are left out, as PyTorch draws by Philox and not Threefry; so are
    # batch_norm_eval, whose mean and variance get no cotangent, and modules with their own parameters.
    operators = {
        "constant": lambda name: name,
        "full": lambda shape, value, dtype: torch.full(shape, value, dtype=TYPES[dtype]),
        "iota": iota,
        "stop_gradient": torch.Tensor.detach,
        "negative": torch.negative,
        "exp": torch.exp,
        "log": torch.log,
        "sin": torch.sin,
        "cos": torch.cos,
        "tanh": torch.tanh,
        "sqrt": torch.sqrt,
        "relu": torch.relu,
        "floor": torch.floor,
        "expm1": torch.expm1,
        "log1p": torch.log1p,
        "log2": torch.log2,
        "tan": torch.tan,
        "asin": torch.asin,
        "acos": torch.acos,
        "atan": torch.atan,
        "sinh": torch.sinh,
        "cosh": torch.cosh,
        "asinh": torch.asinh,
        "acosh": torch.acosh,
        "atanh": torch.atanh,
        "erf": torch.erf,
        "add": torch.add,
        "subtract": torch.subtract,
        "multiply": torch.multiply,
        "divide": torch.divide,
        "maximum": torch.maximum,
        "less": comparison(torch.less),
        "equal": comparison(torch.eq),
        "pow": torch.pow,
        "atan2": torch.atan2,
        "hypot": torch.hypot,
        "where": lambda condition, x, y: torch.where(condition != 0, x, y),
        "sum": reduction(torch.sum),
        "broadcast_to": lambda x, shape: torch.broadcast_to(x, shape),
        "reshape": lambda x, shape: torch.reshape(x, shape),
        "permute_dims": lambda x, axes: torch.permute(x, axes),
        "concat": lambda *arrays, axis: torch.cat(arrays, axis),
        "take": take,
        "slice": sliced,
        "pad": pad,
        "take_along_axis": lambda x, axis, indices: torch.gather(x, axis, tensor_of(indices)),
        "gather": lambda x, indices: x[rows(indices)],
        "scatter_add": lambda x, updates, indices: torch.index_put(x, rows(indices), updates, accumulate=True),
        "cumulative_sum": lambda x, axis: torch.cumsum(x, axis),
        "matmul": torch.matmul,
        # These forms of solve, inv and cholesky answer for a singular matrix too.
        "solve": lambda a, b: torch.linalg.solve_ex(a, b)[0],
        "det": torch.linalg.det,
        # These are composites.
        "abs": torch.abs,
        "sign": torch.sign,
        "square": torch.square,
        "reciprocal": torch.reciprocal,
        "ceil": torch.ceil,
        "round": torch.round,
        "identity": torch.nn.Identity(),
        "minimum": torch.minimum,
        "clip": lambda x, low, high: torch.clamp(x, low, high),
        "remainder": torch.remainder,
        "copysign": torch.copysign,
        "not_equal": comparison(torch.ne),
        "less_equal": comparison(torch.less_equal),
        "greater": comparison(torch.greater),
        "greater_equal": comparison(torch.greater_equal),
        "logical_not": comparison(torch.logical_not),
        "logical_and": comparison(torch.logical_and),
        "logical_or": comparison(torch.logical_or),
        "logical_xor": comparison(torch.logical_xor),
        "sigmoid": torch.sigmoid,
        # PyTorch answers x beyond the threshold, by default 20; but e⁻²⁰ is much in float64.
        "softplus": lambda x: F.softplus(x, threshold=50.0),
        "logaddexp": torch.logaddexp,
        "silu": F.silu,
        "leaky_relu": lambda x, slope: F.leaky_relu(x, slope),
        "elu": lambda x, alpha: F.elu(x, alpha),
        "gelu": lambda x, approximate: F.gelu(x, approximate=approximate),
        "mean": reduction(torch.mean),
        "prod": prod,
        "max": reduction(torch.amax),
        "min": reduction(torch.amin),
        "var": reduction(torch.var),
        "logsumexp": reduction(torch.logsumexp),
        "norm": reduction(lambda x, **how: torch.linalg.vector_norm(x, **how)),
        "cumulative_prod": lambda x, axis: torch.cumprod(x, axis),
        "argmax": lambda x, axis, keepdims: torch.argmax(x, axis, keepdims).to(x.dtype),
        "stack": lambda *arrays, axis: torch.stack(arrays, axis),
        "split": lambda x, axis, sections, part: torch.tensor_split(x, sections, axis)[part],
        "flip": lambda x, axes: torch.flip(x, axes),
        "roll": lambda x, shift, axis: torch.roll(x, shift, axis),
        "tile": lambda x, repetitions: torch.tile(x, repetitions),
        "one_hot": one_hot,
        "diagonal": lambda x, offset: torch.diagonal(x, offset, -2, -1),
        "tril": lambda x, offset: torch.tril(x, offset),
        "triu": lambda x, offset: torch.triu(x, offset),
        "sort": lambda x, axis, descending: torch.sort(x, dim=axis, descending=descending, stable=True)[0],
        "top_k": lambda x, axis, k: torch.topk(x, k, axis)[0],
        "vecdot": lambda x, y, axis: torch.linalg.vecdot(x, y, dim=axis),
        "outer": torch.outer,
        "einsum": lambda *arrays, equation: torch.einsum(equation, *arrays),
        "trace": trace,
        "inv": lambda x: torch.linalg.inv_ex(x)[0],
        "cholesky": cholesky,
        "triangular_solve": lambda a, b, upper: torch.linalg.solve_triangular(a, b, upper=upper),
        "conv": conv,
        "conv_transpose": conv_transpose,
        "max_pool": max_pool,
        "avg_pool": avg_pool,
        "softmax": lambda x, axis: F.softmax(x, axis),
        "log_softmax": lambda x, axis: F.log_softmax(x, axis),
        "layer_norm": layer_norm,
        "batch_norm_train": batch_norm_train,
        "group_norm": group_norm,
        "embedding": lambda table, indices: F.embedding(tensor_of(indices), table),
        "scaled_dot_product_attention": attention,
        "elman_cell": lambda x, h, w_ih, w_hh, b: torch.rnn_tanh_cell(x, h, w_ih, w_hh, b, torch.zeros_like(b)),
        "lstm_cell": lstm_cell,
        "gru_cell": torch.gru_cell,
        "mse": F.mse_loss,
        "huber": lambda x, y, delta: F.huber_loss(x, y, delta=delta),
        "cross_entropy": lambda x, labels: F.cross_entropy(x, tensor_of(labels)),
        "nll": lambda x, labels: F.nll_loss(x, tensor_of(labels)),
        "bce_with_logits": F.binary_cross_entropy_with_logits,
        "kl_div": lambda x, y: F.kl_div(x, y, reduction="mean"),
    }

    nests = True

    lives = ("once", "until released")

    laws = ("rademacher", "gaussian")

    statements = (*PLAIN_STATEMENTS, *MEMORY_STATEMENTS, *TAPE_STATEMENTS, *CUSTOM_STATEMENTS)

    def __init__(self, is_literal: bool = False, reads_copies: bool = False) -> None:
        self.memory = InPlace(is_literal, reads_copies)
        if pytorch_device.here is not None:
            # Other devices add up in an order that changes.
            version = f"{self.description.version} ({pytorch_device.here})"
            self.description = dataclasses.replace(self.description, version=version, repeatable=False)

    def direction(self, law: str, seed: int, shapes: Sequence[Sequence[int]], dtype: np.dtype) -> Arrays:
        generator = torch.Generator().manual_seed(seed)
        how = {"generator": generator, "device": "cpu"}
        if law == "gaussian":
            # Numbers of 64 bits would be others.
            precision = torch.from_numpy(np.zeros((), dtype)).dtype
            drawn = [torch.randn(tuple(shape), dtype=precision, **how) for shape in shapes]
        else:
            drawn = [2 * torch.randint(0, 2, tuple(shape), **how) - 1 for shape in shapes]
        return [self.array(direction.numpy().astype(dtype)) for direction in drawn]

    def array(self, value: np.ndarray) -> torch.Tensor:
        # It copies, since NumPy's array may be read-only and PyTorch's never is.
        return tensor_of(np.array(value))

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return handed_out(declined(lambda: f(inputs)))

    def jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        # Only this kernel for attention has a forward rule. It must not run within `no_grad`, where the
        # tangent of a derivative may be wrong (docs/findings.md).
        with sdpa_kernel(SDPBackend.MATH):
            return handed_out(self.inner_jvp(f, inputs, tangents))

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        leaves = [x.detach().requires_grad_() for x in inputs]
        outputs = declined(lambda: f(leaves))
        reached = [(y, c) for y, c in zip(outputs, cotangents) if y.requires_grad]
        if not reached:
            return handed_out([torch.zeros_like(x) for x in inputs])
        ys, seeds = zip(*reached)
        pulled = declined(lambda: torch.autograd.grad(ys, leaves, seeds, allow_unused=True, materialize_grads=True))
        return handed_out(pulled)

    def record(self, f: Function, inputs: Arrays, life: str) -> Pullback:
        leaves = [x.detach().requires_grad_() for x in inputs]
        outputs = declined(lambda: f(leaves))

        def pull_back(cotangents: Arrays) -> Arrays:
            reached = [(y, c) for y, c in zip(outputs, cotangents) if y.requires_grad]
            for y, c in zip(outputs, cotangents):
                # PyTorch takes no cotangents of values that depend on no input, so the shape is checked here.
                if not y.requires_grad:
                    check_shape(c.shape, y.shape, "a cotangent")
            if not reached:
                return handed_out([torch.zeros_like(x) for x in inputs])
            ys, seeds = zip(*reached)
            keeps = life == "until released"
            pulled = torch.autograd.grad(ys, leaves, seeds, retain_graph=keeps, allow_unused=True, materialize_grads=True)
            return handed_out(pulled)

        return pull_back

    hooks = True

    def hooked(self, value: torch.Tensor, called: Hook) -> torch.Tensor:
        # PyTorch hangs no hook where no gradient is needed.
        if value.requires_grad:
            value.register_hook(lambda cotangent: called(*handed_out([cotangent])))
        return value

    def hooked_node(
        self, compute: Callable[..., torch.Tensor], operands: Arrays, weights: Sequence[bool], called: Hook
    ) -> torch.Tensor:
        value = compute(*operands)
        # An operand that is returned is the same tensor and would share hooks, so it becomes a view.
        return self.hooked(value.view_as(value) if any(value is operand for operand in operands) else value, called)

    def inner_jvp(self, f: Function, inputs: Arrays, tangents: Arrays) -> Arrays:
        return declined(lambda: torch.func.jvp(lambda *xs: tuple(f(xs)), tuple(inputs), tuple(tangents))[1])

    def inner_vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        _, pull_back = torch.func.vjp(lambda *xs: tuple(f(xs)), *inputs)
        return declined(lambda: pull_back(tuple(cotangents)))


class ModulesPyTorchAdapter(PyTorchAdapter):
    """PyTorch with hooks on modules: each node with a hook is a module."""

    description = dataclasses.replace(PyTorchAdapter.description, name="PyTorch, hooks on modules")

    def __init__(self, is_literal: bool = False, reads_copies: bool = False) -> None:
        # While calls are recorded there is no module to subclass.
        from pytorch_modules import Layer

        super().__init__(is_literal, reads_copies)
        self._layer = Layer

    def hooked_node(
        self, compute: Callable[..., torch.Tensor], operands: Arrays, weights: Sequence[bool], called: Hook
    ) -> torch.Tensor:
        layer = self._layer(compute, operands, weights)

        def hook(_layer: torch.nn.Module, _inputs: Arrays, outputs: Arrays) -> None:
            called(*handed_out(outputs))

        layer.register_full_backward_hook(hook)
        return layer(*[operand for operand, is_weight in zip(operands, weights) if not is_weight])


class CompiledPyTorchAdapter(PyTorchAdapter):
    """PyTorch under `torch.compile`, which has no forward mode and no values within compiled code."""

    # Hooks would hang inside compiled code.
    hooks = False

    def __init__(self, backend: str, reads_copies: bool = False, breaks: int = 0) -> None:
        # The compiler takes long to load, so it is imported here.
        from pytorch_compiled import Compiled

        super().__init__()
        self.memory = Compiled(backend, reads_copies, breaks)
        self._compile = torch.compile(backend=backend)
        version = f"{self.description.version} ({backend})"
        self.description = dataclasses.replace(
            self.description, name="PyTorch, compiled", version=version, modes=["evaluate", "vjp", "backward_dense"]
        )
        declined = ("retain", "differentiate_call", *CUSTOM_STATEMENTS)
        self.statements = [kind for kind in self.statements if kind not in declined]

    def evaluate(self, f: Function, inputs: Arrays) -> Arrays:
        return super().evaluate(self._compile(f), inputs)

    def vjp(self, f: Function, inputs: Arrays, cotangents: Arrays) -> Arrays:
        return super().vjp(self._compile(f), inputs, cotangents)

    def record(self, f: Function, inputs: Arrays, life: str) -> Pullback:
        return super().record(self._compile(f), inputs, life)

    def tidy(self) -> None:
        torch._dynamo.reset()


def chosen() -> PyTorchAdapter:
    """Returns the adapter that the command line asks for."""
    parser = argparse.ArgumentParser(description="adjudge's adapter of PyTorch")
    parser.add_argument("--compile", metavar="BACKEND", help="a backend of torch.compile: aot_eager, inductor")
    parser.add_argument("--literal", action="store_true", help="write under no_grad as PyTorch does")
    parser.add_argument("--copies", action="store_true", help="read copies of locations")
    parser.add_argument("--breaks", type=int, default=0, metavar="N", help="break graphs at every N-th statement")
    parser.add_argument("--device", default="cpu", help="where to compute: cpu, cuda, cuda:1, …")
    parser.add_argument("--modules", action="store_true", help="hang hooks on modules, a module for each node")
    options = parser.parse_args()
    try:
        pytorch_device.choose(options.device)
    except RuntimeError as error:
        parser.error(str(error))
    if options.compile is not None:
        return CompiledPyTorchAdapter(options.compile, options.copies, options.breaks)
    if options.modules:
        return ModulesPyTorchAdapter(options.literal, options.copies)
    return PyTorchAdapter(options.literal, options.copies)


def handed_out(arrays):
    """Converts `arrays` to NumPy's, zeros included that PyTorch never stored."""
    return [x.numpy(force=True) for x in arrays]


def declined(compute):
    """Returns what `compute` does; what PyTorch says it does not do is unsupported."""
    try:
        return compute()
    except NotImplementedError as error:
        raise Unsupported(str(error).partition("\n")[0]) from error


if __name__ == "__main__":
    serve(chosen)
