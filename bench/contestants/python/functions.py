"""These are the workloads written for NumPy-like libraries.

`xp` is a namespace of the functions used, and `data` gives an entry of Δ. As in JAX, `xp.scan(step, carry,
rows)` returns the last carry, and the steps' results stacked.
"""

import math

WRITTEN = {"gmm", "logsumexp", "mlp", "rosenbrock", "lse", "kmeans", "llsq", "ode", "lstm", "ba"}
WRITTEN |= {"det", "ht", "convolutions", "attention", "transformer", "heat"}
FLOAT32 = {"mlp", "convolutions", "attention", "transformer"}


def function_of(workload, xp, data):
    """Return the workload as a function of the graph's inputs in order."""
    return globals()["make_" + workload["kind"]](workload, xp, data)


def make_gmm(workload, xp, data):
    d, k, n = workload["d"], workload["k"], workload["n"]
    x, places = data("x"), data("places")
    nu = d + 1
    gamma = sum(math.lgamma((nu - j) / 2) for j in range(d)) + d * (d - 1) * math.log(math.pi) / 4
    constant = k * (-nu * d * math.log(2) / 2 - gamma) - n * d * math.log(2 * math.pi) / 2

    def f(alpha, mu, q, l):
        diagonal = xp.exp(q)
        entries = xp.concatenate([diagonal, l, xp.zeros((k, 1))], 1)
        factors = xp.take(entries, places, 1).reshape(k, d, d)
        means = (factors @ mu.reshape(k, d, 1)).reshape(1, k * d)
        columns = xp.transpose(factors, (2, 0, 1)).reshape(d, k * d)
        whitened = (x @ columns - means).reshape(n, k, d)
        beta = alpha + xp.sum(q, 1) - 0.5 * xp.sum(whitened * whitened, 2)
        prior = -0.5 * (xp.sum(diagonal * diagonal) + xp.sum(l * l))
        return xp.sum(xp.logsumexp(beta, 1)) - n * xp.logsumexp(alpha, 0) + prior + constant

    return f


def make_logsumexp(workload, xp, data):
    return lambda x: xp.logsumexp(x, 0)


def make_lse(workload, xp, data):
    def f(x):
        most = xp.max(x)
        return xp.log(xp.sum(xp.exp(x - most))) + most

    return f


def make_mlp(workload, xp, data):
    pixels, labels = data("pixels"), data("labels")

    def f(*parameters):
        x = pixels
        for place in range(0, len(parameters), 2):
            x = x @ parameters[place] + parameters[place + 1]
            if place + 2 < len(parameters):
                x = xp.relu(x)
        return -xp.sum(xp.log_softmax(x, 1) * labels) / workload["batch"]

    return f


def make_rosenbrock(workload, xp, data):
    def f(x):
        valley, slope = x[1:] - x[:-1] * x[:-1], 1 - x[:-1]
        return xp.sum(100 * valley * valley + slope * slope)

    return f


def make_kmeans(workload, xp, data):
    points = data("points")[:, None, :]

    def f(centroids):
        difference = points - centroids
        return xp.sum(xp.min(xp.sum(difference * difference, 2), 1))

    return f


def make_llsq(workload, xp, data):
    powers, signs = data("powers"), data("signs")

    def f(x):
        residual = signs - powers @ x
        return 0.5 * xp.sum(residual * residual)

    return f


def make_ode(workload, xp, data):
    steps, h = workload["steps"], 2 / workload["steps"]
    one, zeros = xp.zeros((1,)) + 1, xp.zeros((workload["n"],))

    def f(x):
        def slope(y):
            return x * xp.concatenate([one, y[:-1]], 0)

        def step(y, _):
            k1 = slope(y)
            k2 = slope(y + h / 2 * k1)
            k3 = slope(y + h / 2 * k2)
            k4 = slope(y + h * k3)
            return y + h / 6 * (k1 + 2 * (k2 + k3) + k4), one

        return xp.scan(step, zeros, xp.zeros((steps,)))[0][-1]

    return f


def make_lstm(workload, xp, data):
    layers, steps, bits = workload["layers"], workload["characters"] - 1, workload["bits"]
    text, state = data("text"), data("state")

    def f(main, extra):
        def step(states, below):
            following = []
            for i, (hidden, cell) in enumerate(states):
                gates = xp.concatenate([below, hidden, below, hidden], 0) * main[2 * i] + main[2 * i + 1]
                opened, change = xp.sigmoid(gates[: 3 * bits]), xp.tanh(gates[3 * bits :])
                cell = cell * opened[:bits] + opened[bits : 2 * bits] * change
                below = opened[2 * bits :] * xp.tanh(cell)
                following.append((below, cell))
            return following, below

        states = [(state[2 * i], state[2 * i + 1]) for i in range(layers)]
        _, tops = xp.scan(step, states, text[:steps] * extra[0])
        predicted = tops * extra[1] + extra[2]
        normalizer = xp.log(xp.sum(xp.exp(predicted), 1) + 2)
        return -xp.sum(text[1:] * (predicted - normalizer[:, None])) / (steps * bits)

    return f


def make_ba(workload, xp, data):
    camera_of, point_of, features = data("camera of"), data("point of"), data("features")

    def f(cameras, points, weights):
        camera = xp.take(cameras, camera_of, 0)
        away = xp.take(points, point_of, 0) - camera[:, 3:6]
        angle = xp.sqrt(xp.sum(camera[:, :3] * camera[:, :3], 1))[:, None]
        unit = camera[:, :3] / angle
        cosine, sine = xp.cos(angle), xp.sin(angle)
        along = xp.sum(unit * away, 1)[:, None] * (1 - cosine)
        seen = away * cosine + xp.cross(unit, away) * sine + unit * along
        plane = seen[:, :2] / seen[:, 2:]
        square = xp.sum(plane * plane, 1)[:, None]
        distortion = 1 + (camera[:, 9:10] + camera[:, 10:11] * square) * square
        errors = weights[:, None] * (plane * distortion * camera[:, 6:7] + camera[:, 7:9] - features)
        weight_errors = 1 - weights * weights
        return 0.5 * (xp.sum(errors * errors) + xp.sum(weight_errors * weight_errors))

    return f


def make_det(workload, xp, data):
    rows = workload["rows"]
    columns, signs = ([data(f"{name} {row}") for row in range(rows - 1)] for name in ("columns", "signs"))
    last = data(f"columns {rows - 1}")

    def f(matrix):
        entries = matrix.reshape(rows * rows)
        minors = xp.take(entries, last, 0)
        for row in range(rows - 2, -1, -1):
            terms = xp.take(entries, columns[row], 0) * minors
            minors = xp.sum(terms.reshape(-1, rows - row) * signs[row], 1)
        return minors.reshape(())

    return f


def make_ht(workload, xp, data):
    places, order, skew, points = data("angles"), data("order"), data("skew"), data("points")
    relatives, inverses, weights, at_rest = (
        data(name) for name in ("relatives", "inverses", "weights", "positions")
    )
    bones = [data(f"bones {depth}") for depth in range(5)]
    parents = [data(f"parents {depth}") for depth in range(1, 5)]
    corners = [data(f"corner {place}") for place in range(3)]
    followed = (weights[:, None, :] * at_rest).reshape(-1, workload["vertices"])

    def f(theta, us):
        still = xp.zeros((1,))
        angles = xp.take(xp.concatenate([theta, still], 0), places, 0).reshape(-1, 3)
        cosines, sines = xp.cos(angles), xp.sin(angles)
        (cx, cz, cy), (sx, sz, sy) = ([x[:, i] for i in range(3)] for x in (cosines, sines))
        zero = cx - cx
        turned = [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx, zero]
        turned += [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx, zero]
        turned += [-sy, cy * sx, cy * cx, zero, zero, zero, zero, zero + 1]
        posed = relatives @ xp.stack(turned, 1).reshape(-1, 4, 4)
        frames = [xp.take(posed, bones[0], 0)]
        for own, above in zip(bones[1:], parents):
            frames.append(xp.take(frames[-1], above, 0) @ xp.take(posed, own, 0))
        transforms = xp.take(xp.concatenate(frames, 0), order, 0) @ inverses
        skin = xp.transpose(transforms[:, :3, :], (1, 0, 2)).reshape(3, -1) @ followed
        angle = xp.sqrt(xp.sum(theta[:3] * theta[:3]))
        unit = theta[:3] / angle
        across = xp.take(xp.concatenate([unit, -unit, still], 0), skew, 0).reshape(3, 3)
        along = unit[:, None] * unit[None, :] * (1 - xp.cos(angle))
        rotation = xp.eye(3) * xp.cos(angle) + along + across * xp.sin(angle)
        positions = rotation @ skin + theta[3:6, None]
        shares = [us[:, 0], us[:, 1], 1 - us[:, 0] - us[:, 1]]
        seen = sum(share * xp.take(positions, corner, 1) for share, corner in zip(shares, corners))
        errors = points - xp.transpose(seen, (1, 0))
        return 0.5 * xp.sum(errors * errors)

    return f


def mean_square(xp, x):
    return xp.sum(x * x) / math.prod(x.shape)


def make_convolutions(workload, xp, data):
    images, targets = data("images"), data("targets")

    def f(*kernels):
        x = images
        for n, w in enumerate(kernels):
            x = xp.conv(x, w, 1 if n == 0 else 2)
            if n + 1 < len(kernels):
                x = xp.relu(x)
        return mean_square(xp, x - targets)

    return f


def attended(workload, xp, x, wq, wk, wv, wo):
    batch, length, width, heads = (workload[key] for key in ("batch", "length", "width", "heads"))

    def divided(w):
        return xp.transpose((x @ w).reshape(batch, length, heads, width // heads), (0, 2, 1, 3))

    q, k, v = divided(wq), divided(wk), divided(wv)
    scores = q @ xp.transpose(k, (0, 1, 3, 2)) / math.sqrt(width // heads)
    seen = xp.transpose(xp.softmax(scores, -1) @ v, (0, 2, 1, 3))
    return seen.reshape(batch, length, width) @ wo


def make_attention(workload, xp, data):
    targets = data("targets")
    return lambda x, *weights: mean_square(xp, attended(workload, xp, x, *weights) - targets)


def make_transformer(workload, xp, data):
    targets, width = data("targets"), workload["width"]

    def normal(x, scale, offset):
        middle = x - (xp.sum(x, -1) / width)[..., None]
        variance = (xp.sum(middle * middle, -1) / width)[..., None]
        return middle / xp.sqrt(variance + 1e-5) * scale + offset

    def f(x, scale1, offset1, wq, wk, wv, wo, scale2, offset2, w1, b1, w2, b2):
        y = x + attended(workload, xp, normal(x, scale1, offset1), wq, wk, wv, wo)
        y = y + xp.gelu(normal(y, scale2, offset2) @ w1 + b1) @ w2 + b2
        return mean_square(xp, y - targets)

    return f


def make_heat(workload, xp, data):
    t, x = data("t"), data("x")
    ones = xp.zeros((workload["points"], 1)) + 1

    def f(*weights):
        def u(t, x):
            seen = xp.concatenate([t, x], 1)
            for n in range(0, len(weights), 2):
                seen = seen @ weights[n] + weights[n + 1]
                if n + 2 < len(weights):
                    seen = xp.tanh(seen)
            return seen

        along = xp.jvp(lambda t: u(t, x), t, ones)
        twice = xp.jvp(xp.grad(lambda x: xp.sum(u(t, x))), x, ones)
        return mean_square(xp, along - twice)

    return f
