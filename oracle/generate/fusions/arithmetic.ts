import { type Fusion, ofRank } from "./hand.ts";

/** Operands that change nothing, and those next to them. */
const neutral: ReadonlyMap<string, Fusion> = ofRank(0, {
  "zero added": ({ vary }, x) => x.add(vary(0, 1)),
  "added to zero": ({ make, vary }, x) => make.add(vary(0, -1), x),
  "zero subtracted": ({ vary }, x) => x.subtract(vary(0, 1)),
  "subtracted from zero": ({ make, vary }, x) => make.subtract(vary(0, 1), x),
  "times one": ({ vary }, x) => x.multiply(vary(1, 0, -1)),
  "one times": ({ make, vary }, x) => make.multiply(vary(1, 0, 2), x),
  "times zero": ({ vary }, x) => x.multiply(vary(0, 1)).add(x),
  "over one": ({ vary }, x) => x.divide(vary(1, -1, 2)),
  "one over": ({ make, vary, positive }, x) => make.divide(vary(1, 0, -1), positive(x)),
  "reciprocal times": ({ make, vary, other, positive }, x) =>
    make.divide(vary(1, 2), positive(x)).multiply(other(x.shape)),
  "zero added within a root": ({ vary, positive }, x) => positive(x).add(vary(0, 0.5)).sqrt(),
  "zero added below one": ({ make, vary, positive }, x) => make.divide(1, positive(x).add(vary(0, 0.5))),
  "zero added in an angle": ({ vary }, x) => x.add(vary(0, 0.5)).atan2(vary(-1, 1)),
  "a function of a filled tensor": ({ make, vary, one }, { shape }) => {
    const filled = make.full({ shape, value: vary(1, 0, 0.5) });
    return make.apply(one("exp", "tanh", "sqrt", "negative"), {}, [filled]);
  },
  "filled with filled": ({ make, vary }, x) =>
    make
      .full({ shape: x.shape, value: vary(0.5, 0) })
      .multiply(make.full({ shape: x.shape, value: 2 }))
      .subtract(x),
  "a constant of zeros or ones": ({ make, vary, one }, x) => {
    const mask = make.full({ shape: x.shape, value: vary(1, 0) });
    return make.apply(one("where", "clip"), {}, [mask, x, mask]);
  },
  "compared with itself": ({ make, one, other, again }, x) =>
    make.where(make.apply(one("equal", "less", "less_equal"), {}, [x, again(x)]), x, other(x.shape)),
});

/** Sums and products in another order, and what distributes. */
const reassociated: ReadonlyMap<string, Fusion> = ofRank(0, {
  "times two numbers": ({ vary }, x) => x.multiply(0.5).multiply(vary(2, -3)),
  "plus two constants": ({ vary, constant }, x) => {
    const a = constant(x.shape);
    return x.add(a).add(vary(a, constant(x.shape)));
  },
  "over two numbers": ({ vary }, x) => x.divide(2).divide(vary(0.5, 4)),
  binomial: ({ other, again, constant }, x) => {
    const [a, b] = [constant(x.shape), other(x.shape)];
    return x.multiply(a).add(again(x).multiply(b));
  },
  "a common factor on either side": ({ vary, other }, x) => {
    const a = other(x.shape);
    return x.multiply(a).subtract(vary(a, x).multiply(other(x.shape)));
  },
  "added and taken away": ({ vary, other }, x) => {
    const y = other(x.shape);
    return x.add(y).subtract(vary(y, x));
  },
  "taken away and added": ({ vary, other }, x) => {
    const y = other(x.shape);
    return x.subtract(y).add(vary(y, x));
  },
  "times and over": ({ vary, other, positive }, x) => {
    const y = positive(other(x.shape));
    return x.multiply(y).divide(vary(y, positive(x)));
  },
  "difference of squares": ({ vary, other }, x) => {
    const y = other(x.shape);
    return vary(x, x.add(1)).multiply(x).subtract(y.multiply(y));
  },
  "factor of a sum": ({ other }, x) => x.multiply(x.add(other(x.shape))),
  "negated twice": ({ make, vary }, x) => make.apply(vary("negative", "relu"), {}, [x.negative()]),
  "subtracted from a negative": ({ other }, x) => other(x.shape).subtract(x.negative()),
  "equal subexpressions": ({ make, vary, one, other }, x) => {
    const y = other(x.shape);
    const op = one("add", "multiply", "subtract", "maximum", "hypot");
    return make.apply(op, {}, [x, y]).multiply(make.apply(op, {}, vary([x, y], [y, x])));
  },
});

/** Exponentials, logarithms, powers and roots that cancel or join. */
const powers: ReadonlyMap<string, Fusion> = ofRank(0, {
  "exponentials multiplied": ({ make, vary, other }, x) =>
    x.exp().multiply(make.apply(vary("exp", "expm1"), {}, [other(x.shape)])),
  "exponentials divided": ({ other }, x) => x.exp().divide(other(x.shape).exp()),
  "over an exponential": ({ vary, other }, x) => other(x.shape).divide(x.multiply(vary(1, -1)).exp()),
  "logarithm of an exponential": ({ make, vary }, x) => make.apply(vary("exp", "cosh"), {}, [x]).log(),
  "exponential of a logarithm": ({ make, vary, positive }, x) =>
    make.apply(vary("log", "log1p", "log2"), {}, [positive(x)]).exp(),
  "logarithm of a product": ({ make, vary, other, positive }, x) =>
    make.apply(vary("multiply", "divide"), {}, [positive(x), positive(other(x.shape))]).log(),
  "logarithm of a power": ({ vary, positive }, x) => positive(x).pow(vary(2, -0.5)).log(),
  "power of an exponential": ({ vary }, x) => x.exp().pow(vary(2, -1)),
  "power of a power": ({ vary, positive }, x) => positive(x).pow(vary(2, 3)).pow(vary(0.5, 1)),
  "a power that is a product": ({ vary }, x) => x.pow(vary(2, 3, 1, 0)),
  "a power that is a root": ({ vary, positive }, x) => positive(x).pow(vary(0.5, -0.5, -1, 1.5)),
  "a power of one": ({ make, vary }, x) => make.pow(vary(1, 2), x),
  "roots multiplied": ({ vary, positive }, x) => {
    const y = positive(x);
    return y.sqrt().multiply(vary(y.sqrt(), y));
  },
  "one over a root": ({ make, vary, positive }, x) => make.divide(vary(1, 2), positive(x).sqrt()),
  "over a root": ({ make, vary, other, positive }, x) =>
    other(x.shape).divide(make.apply(vary("sqrt", "log1p"), {}, [positive(x)])),
  "root of a square": ({ vary }, x) => x.multiply(x).add(vary(0, 1)).sqrt(),
  "square of a root": ({ make, vary, positive }, x) =>
    make.apply(vary("square", "abs"), {}, [positive(x).sqrt()]),
  "logarithm next to one": ({ vary, positive }, x) => positive(x).add(vary(1, 2)).log(),
  "exponential next to one": ({ vary }, x) => x.exp().subtract(vary(1, 2)),
  "sigmoid by hand": ({ make, vary }, x) => make.divide(1, x.negative().exp().add(vary(1, 2))),
  "softplus by hand": ({ vary }, x) => x.exp().add(vary(1, 0.5)).log(),
  "logarithm of a sigmoid": ({ vary }, x) => x.sigmoid().log().multiply(vary(1, -1)),
  "silu by hand": ({ again }, x) => again(x).multiply(x.sigmoid()),
  "gelu by hand": ({ vary }, x) =>
    x.multiply(vary(Math.SQRT1_2, 0.5)).erf().add(vary(1, 0.5)).multiply(x.multiply(0.5)),
  "one less a squared tanh": ({ make, vary }, x) => make.subtract(vary(1, 2), x.tanh().square()),
  "sine and cosine squared": ({ make, vary }, x) =>
    x
      .sin()
      .square()
      .add(make.apply(vary("cos", "sin"), {}, [x]).square()),
});

/** Maxima, bounds and choices within each other. */
const bounds: ReadonlyMap<string, Fusion> = ofRank(0, {
  "maximum of itself": ({ make, one, again }, x) => make.apply(one("maximum", "minimum"), {}, [x, again(x)]),
  "maximum of a maximum": ({ vary }, x) => x.maximum(0.5).maximum(vary(0.5, -0.5, 1)),
  "minimum of a maximum": ({ vary }, x) => x.maximum(vary(-0.5, 1)).minimum(0.5),
  "maximum of a minimum": ({ vary }, x) => x.minimum(vary(0.5, -1)).maximum(-0.5),
  "bounded twice": ({ vary }, x) => x.clip(-1, vary(1, -2)).clip(vary(-1, 0.5), 2),
  "rectified twice": ({ make, vary }, x) => make.apply(vary("relu", "negative"), {}, [x.relu()]).relu(),
  "rectified and bounded": ({ vary }, x) => x.relu().clip(vary(0, -1, 0.5), vary(1, 6)),
  "rectified on both sides": ({ make, vary }, x) =>
    make.apply(vary("add", "subtract"), {}, [x.relu(), x.negative().relu()]),
  "maximum with its negative": ({ vary }, x) => x.maximum(x.multiply(vary(-1, 0.125))),
  "modulus twice": ({ make, vary }, x) => make.apply(vary("abs", "sign"), {}, [x.abs()]),
  "sign times modulus": ({ again }, x) => again(x).sign().multiply(x.abs()),
  "the smaller is chosen": ({ make, vary, other }, x) => {
    const y = other(x.shape);
    return make.where(x.less(y), vary(x, y), y);
  },
  "one branch twice": ({ make, other, again }, x) => make.where(other(x.shape), x, again(x)),
  "a branch of zeros": ({ make, again }, x) => make.where(x, again(x), 0),
  "a choice within a choice": ({ make, vary, other }, x) => {
    const [condition, y] = [x.greater(0), other(x.shape)];
    return make.where(condition, make.where(vary(condition, y), x, y), y.negative());
  },
  "a choice the other way round": ({ make, vary, other }, x) => {
    const condition = x.less_equal(0);
    return make.where(vary(condition.logical_not(), condition), x, other(x.shape));
  },
  "rounded twice": ({ make, vary, one }, x) =>
    make.apply(one("floor", "ceil", "round"), {}, [make.apply(vary("floor", "round"), {}, [x])]),
  "numbers of a coarse grid": ({ vary }, x) => x.multiply(4).round().multiply(vary(0.25, 0.5)).subtract(x),
  "a stopped gradient added back": ({ vary }, x) =>
    x.add(x.round().subtract(x).multiply(vary(1, 2)).stop_gradient()),
  "identities in between": ({ make, vary }, x) =>
    make.apply(vary("identity", "stop_gradient"), {}, [x.identity()]).multiply(x),
});

/** Patterns of elementwise operators, by the kinds of rules that rewrite them. */
export const arithmetic: ReadonlyMap<string, ReadonlyMap<string, Fusion>> = new Map([
  ["identities and constants", neutral],
  ["reassociation", reassociated],
  ["exponentials, logarithms, powers", powers],
  ["maxima, bounds, choices", bounds],
]);
