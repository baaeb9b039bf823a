"""Losses of optax and jaxopt, and layers of flax and equinox, which are written with rules of JAX's."""

from __future__ import annotations

from typing import Any, Callable, Iterator

from adjudge import var

Asked = tuple[str, Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def of_optax() -> Iterator[Asked]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import optax
    from optax import losses

    x, rows, labels = var(4), var((3, 4)), var(3, integers=4)
    likely, chance = var((3, 4), values="probabilities"), var((3, 4), low=0.01, high=0.99)
    for name in "softmax_cross_entropy safe_softmax_cross_entropy poly_loss_cross_entropy".split():
        yield name, getattr(losses, name), (rows, likely), {}
    for name in "softmax_cross_entropy_with_integer_labels multiclass_hinge_loss multiclass_perceptron_loss".split():
        yield name, getattr(losses, name), (rows, labels), {}
    bits = var(4, low=0, high=1)
    yield "sigmoid_binary_cross_entropy", losses.sigmoid_binary_cross_entropy, (x, bits), {}
    yield "sigmoid_focal_loss", losses.sigmoid_focal_loss, (rows, chance), {}
    focal: Callable[..., Any] = lambda x, y: losses.sigmoid_focal_loss(x, y, alpha=0.25, gamma=3.0)
    yield "sigmoid_focal_loss, α, γ", focal, (rows, chance), {}
    for name in "huber_loss l2_loss log_cosh hinge_loss perceptron_loss".split():
        yield name, getattr(losses, name), (x, x), {}
    # Of operators alone, so it has to be told that it is JAX's.
    yield "squared_error", jax.jit(losses.squared_error), (x, x), {}
    for name in "cosine_similarity cosine_distance".split():
        yield name, getattr(losses, name), (var((2, 3)), var((2, 3))), {}
    positive = var((3, 4), low=0.05, high=1)
    for name in "kl_divergence convex_kl_divergence generalized_kl_divergence".split():
        yield name, getattr(losses, name), (rows, positive), {}
    yield "kl_divergence_with_log_targets", losses.kl_divergence_with_log_targets, (rows, rows), {}
    for name in "dice_loss binary_dice_loss multiclass_generalized_dice_loss".split():
        yield name, getattr(losses, name), (rows, chance), {}
    yield "triplet_margin_loss", losses.triplet_margin_loss, (rows, rows, rows), {}
    yield "ntxent", lambda v: losses.ntxent(v, jnp.array([0, 0, 1, 1])), (var((4, 3)),), {}
    yield "ranking_softmax_loss", losses.ranking_softmax_loss, (rows, chance), {}
    yield "smooth_labels", jax.jit(lambda v: losses.smooth_labels(v, 0.1)), (likely,), {}
    yield "sparsemax_loss", losses.sparsemax_loss, (x, bits), {"wrt": 0}
    yield "multiclass_sparsemax_loss", losses.multiclass_sparsemax_loss, (rows, labels), {}
    ctc: Callable[..., Any] = lambda v: losses.ctc_loss(v, jnp.zeros((1, 3)), jnp.array([[1, 2]]), jnp.zeros((1, 2)))
    yield "ctc_loss", ctc, (var((1, 3, 3)),), {}
    yield "safe_norm", lambda v: optax.safe_norm(v, 1e-3), (x,), {}
    yield "safe_root_mean_squares", lambda v: optax.safe_root_mean_squares(v, 1e-3), (x,), {}
    yield "projections.projection_simplex", optax.projections.projection_simplex, (x,), {}
    yield "projections.projection_l2_ball", optax.projections.projection_l2_ball, (x,), {}
    yield "projections.projection_l1_ball", optax.projections.projection_l1_ball, (x,), {}
    yield "projections.projection_box", lambda v: optax.projections.projection_box(v, -1.0, 1.0), (x,), {}


def of_jaxopt() -> Iterator[Asked]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jaxopt.projection as projections
    import jaxopt.prox as prox
    from jaxopt import loss

    x, one, labels = var(4), var(()), var(3, integers=4)
    for name in "binary_logistic_loss binary_hinge_loss binary_perceptron_loss binary_sparsemax_loss".split():
        yield name, lambda y, v, f=getattr(loss, name): f(y, v), (var((), integers=2), one), {}
    for name in "multiclass_logistic_loss multiclass_hinge_loss multiclass_perceptron_loss multiclass_sparsemax_loss".split():
        yield name, lambda y, v, f=getattr(loss, name): jax.vmap(f)(y, v), (labels, var((3, 4))), {}
    yield "huber_loss", lambda a, b: jax.vmap(loss.huber_loss)(a, b), (x, x), {}
    yield "sparse_plus", loss.sparse_plus, (x,), {}
    yield "sparse_sigmoid", loss.sparse_sigmoid, (x,), {}
    for name in "projection_simplex projection_l1_ball projection_l1_sphere projection_l2_ball projection_l2_sphere".split():
        yield name, getattr(projections, name), (x,), {}
    for name in "projection_linf_ball projection_non_negative".split():
        yield name, getattr(projections, name), (x, 1.0) if "linf" in name else (x,), {}
    yield "projection_hyperplane", lambda v, a: projections.projection_hyperplane(v, (a, 1.0)), (x, x), {}
    yield "projection_halfspace", lambda v, a: projections.projection_halfspace(v, (a, 1.0)), (x, x), {}
    for name in "prox_lasso prox_elastic_net prox_ridge prox_non_negative_lasso prox_non_negative_ridge prox_group_lasso".split():
        yield name, jax.jit(getattr(prox, name)), (x,), {}


def of_flax() -> Iterator[Asked]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    from flax import linen, nnx

    x, rows, key = var((3, 4)), var((2, 3, 4)), jax.random.key(0)

    def layer(module: Any, *shapes: tuple[int, ...]) -> tuple[Callable[..., Any], Any]:
        """Returns a layer as a function of its parameters too, and ranges for these."""
        made = module.init(key, *(jnp.zeros(shape) for shape in shapes))
        ranges = jax.tree.map(lambda leaf: var(leaf.shape, low=-2, high=2), made["params"])
        rest = {name: value for name, value in made.items() if name != "params"}

        def asked(given: Any, *inputs: Any) -> Any:
            return module.apply({"params": given, **rest}, *inputs)

        return asked, ranges

    double = {"dtype": jnp.float64, "param_dtype": jnp.float64}
    layers: dict[str, tuple[Any, tuple[int, ...], Any]] = {
        "Dense": (linen.Dense(2, **double), (3, 4), x),
        "LayerNorm": (linen.LayerNorm(**double), (3, 4), x),
        "LayerNorm, slow variance": (linen.LayerNorm(use_fast_variance=False, **double), (3, 4), x),
        "RMSNorm": (linen.RMSNorm(**double), (3, 4), x),
        "GroupNorm": (linen.GroupNorm(2, **double), (2, 3, 4), rows),
        "InstanceNorm": (linen.InstanceNorm(**double), (2, 3, 4), rows),
        "BatchNorm": (linen.BatchNorm(use_running_average=True, **double), (3, 4), x),
        "PReLU": (linen.PReLU(param_dtype=jnp.float64), (3, 4), x),
        "Conv": (linen.Conv(2, (2,), **double), (2, 3, 4), rows),
        "ConvTranspose": (linen.ConvTranspose(2, (2,), **double), (2, 3, 4), rows),
        "SelfAttention": (linen.SelfAttention(2, **double), (2, 3, 4), rows),
    }
    for name, (module, shape, where) in layers.items():
        asked, ranges = layer(module, shape)
        yield f"linen.{name}", asked, (ranges, where), {}
    for name in "relu relu6 sigmoid tanh softplus soft_sign silu elu celu selu gelu leaky_relu hard_tanh hard_sigmoid hard_silu log_sigmoid".split():
        yield f"nnx.{name}", getattr(nnx, name), (var(5),), {}
    for name in "softmax log_softmax logsumexp standardize glu".split():
        yield f"nnx.{name}", getattr(nnx, name), (x,), {}
    yield "nnx.dot_product_attention", nnx.dot_product_attention, (var((1, 3, 1, 2)), var((1, 3, 1, 2)), var((1, 3, 1, 2))), {}
    for pool in ("avg_pool", "max_pool", "min_pool"):
        yield f"nnx.{pool}", lambda v, f=getattr(nnx, pool): f(v, (2,), (1,), "SAME"), (rows,), {}


def of_equinox() -> Iterator[Asked]:
    import jax

    jax.config.update("jax_enable_x64", True)
    import equinox as eqx
    import jax.numpy as jnp

    key, x = jax.random.key(0), var(4)

    def layer(made: Any, *inputs: Any) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        leaves, static = eqx.partition(made, eqx.is_inexact_array)
        flat, tree = jax.tree.flatten(leaves)
        ranges = tuple(var(leaf.shape, low=-2, high=2) for leaf in flat)

        def asked(*given: Any) -> Any:
            whole = eqx.combine(jax.tree.unflatten(tree, given[: len(flat)]), static)
            return whole(*given[len(flat) :])

        return asked, (*ranges, *inputs)

    double, nn = {"dtype": jnp.float64}, eqx.nn
    layers = {
        "Linear": layer(nn.Linear(4, 2, key=key, **double), x),
        "MLP": layer(nn.MLP(4, 2, 3, 1, jax.nn.gelu, key=key, **double), x),
        "LayerNorm": layer(nn.LayerNorm(4, **double), x),
        "RMSNorm": layer(nn.RMSNorm(4, **double), x),
        "GroupNorm": layer(nn.GroupNorm(2, 4, **double), var((4, 3))),
        "PReLU": layer(nn.PReLU(0.25), x),
        "Conv1d": layer(nn.Conv1d(2, 2, 2, key=key, **double), var((2, 4))),
        "ConvTranspose1d": layer(nn.ConvTranspose1d(2, 2, 2, 2, key=key, **double), var((2, 3))),
        "AvgPool1d": layer(nn.AvgPool1d(2, 1, 1), var((2, 4))),
        "MaxPool1d": layer(nn.MaxPool1d(2, 1, 1), var((2, 4))),
        "AdaptiveAvgPool1d": layer(nn.AdaptiveAvgPool1d(2), var((2, 5))),
        "AdaptiveMaxPool1d": layer(nn.AdaptiveMaxPool1d(2), var((2, 5))),
        "GRUCell": layer(nn.GRUCell(3, 2, key=key, **double), var(3), var(2)),
        "LSTMCell": layer(nn.LSTMCell(3, 2, key=key, **double), var(3), (var(2), var(2))),
        "MultiheadAttention": layer(nn.MultiheadAttention(2, 4, key=key, **double), var((3, 4)), var((3, 4)), var((3, 4))),
        "RotaryPositionalEmbedding": layer(nn.RotaryPositionalEmbedding(4, dtype=jnp.float64), var((3, 4))),
        "WeightNorm": layer(nn.WeightNorm(nn.Linear(3, 2, key=key, **double)), var(3)),
    }
    for name, (asked, arguments) in layers.items():
        yield f"nn.{name}", jax.jit(asked), arguments, {}
    scan: Callable[..., Any] = lambda v: eqx.internal.while_loop(
        lambda c: c[0] < 3, lambda c: (c[0] + 1, jnp.sin(c[1]) * v), (0, v), max_steps=4, kind="checkpointed"
    )[1]
    yield "internal.while_loop, checkpointed", scan, (x,), {"reference": lambda v: jnp.sin(jnp.sin(jnp.sin(v) * v) * v) * v}
