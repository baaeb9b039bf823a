/*
 * These optimisers follow a textbook in plain numbers, and share no line with the programs that are judged by
 * them. A step takes the parameter and its gradient, and remembers in a closure.
 */

export type Vector = readonly number[];

/** One step of one parameter. */
type HandStep = (x: Vector, gradient: Vector, rate: number) => Vector;

/** Makes the step of a parameter that nothing is known of yet. */
export type HandRule = () => HandStep;

export function zip(x: Vector, y: Vector, f: (a: number, b: number) => number): Vector {
  return x.map((a, i) => f(a, y[i] ?? Number.NaN));
}

export function norm(...vectors: readonly Vector[]): number {
  return Math.sqrt(vectors.flat().reduce((sum, x) => sum + x * x, 0));
}

type Decay = "none" | "coupled" | "decoupled";

/** x, and its gradient, once decay has been seen to. */
function withDecay(
  x: Vector,
  g: Vector,
  rate: number,
  decay: Decay,
  weight: number,
): readonly [Vector, Vector] {
  if (decay === "coupled") return [x, zip(g, x, (a, b) => a + weight * b)];
  return [decay === "decoupled" ? x.map((a) => a * (1 - rate * weight)) : x, g];
}

export function momentumByHand({
  momentum = 0,
  dampening = 0,
  isSpared = false,
  isNesterov = false,
  isScaled = false,
  decay = "none",
  weight = 0,
}: {
  readonly momentum?: number;
  readonly dampening?: number;
  /** Is true if the first gradient is not damped. */
  readonly isSpared?: boolean;
  readonly isNesterov?: boolean;
  readonly isScaled?: boolean;
  readonly decay?: Decay;
  readonly weight?: number;
}): HandRule {
  return () => {
    let v: Vector | undefined;
    return (before, given, rate) => {
      const [x, g] = withDecay(before, given, rate, decay, weight);
      const pull = isScaled ? g.map((a) => rate * a) : g;
      const share = isSpared && v === undefined ? 1 : 1 - dampening;
      v = zip(v ?? x.map(() => 0), pull, (a, b) => momentum * a + share * b);
      const move = isNesterov ? zip(pull, v, (a, b) => a + momentum * b) : v;
      return zip(x, move, (a, b) => a - (isScaled ? b : rate * b));
    };
  };
}

export function adagradByHand({
  epsilon,
  isInside = false,
  begin = 0,
  weight = 0,
}: {
  readonly epsilon: number;
  readonly isInside?: boolean;
  readonly begin?: number;
  readonly weight?: number;
}): HandRule {
  return () => {
    let s: Vector | undefined;
    return (x, given, rate) => {
      const [, g] = withDecay(x, given, rate, "coupled", weight);
      s = zip(s ?? x.map(() => begin), g, (a, b) => a + b * b);
      const root = s.map((a) => (isInside ? Math.sqrt(a + epsilon) : Math.sqrt(a) + epsilon));
      return zip(
        x,
        zip(g, root, (a, b) => a / b),
        (a, b) => a - rate * b,
      );
    };
  };
}

export function rmspropByHand({
  smoothing,
  epsilon,
  isInside = false,
  isCentred = false,
  weight = 0,
}: {
  readonly smoothing: number;
  readonly epsilon: number;
  readonly isInside?: boolean;
  readonly isCentred?: boolean;
  readonly weight?: number;
}): HandRule {
  return () => {
    let [s, m]: [Vector | undefined, Vector | undefined] = [undefined, undefined];
    return (x, given, rate) => {
      const [, g] = withDecay(x, given, rate, "coupled", weight);
      const zeros = x.map(() => 0);
      s = zip(s ?? zeros, g, (a, b) => smoothing * a + (1 - smoothing) * b * b);
      m = zip(m ?? zeros, g, (a, b) => smoothing * a + (1 - smoothing) * b);
      const square = isCentred ? zip(s, m, (a, b) => a - b * b) : s;
      const root = square.map((a) => (isInside ? Math.sqrt(a + epsilon) : Math.sqrt(a) + epsilon));
      return zip(
        x,
        zip(g, root, (a, b) => a / b),
        (a, b) => a - rate * b,
      );
    };
  };
}

export interface AdamByHand {
  readonly beta1: number;
  readonly beta2: number;
  readonly epsilon: number;
  readonly epsilonRoot?: number;
  readonly epsilonPlace?: "outside" | "inside" | "both" | "uncorrected";
  readonly isCorrected?: boolean;
  readonly greatest?: "none" | "ofMoment" | "ofCorrected";
  readonly decay?: Decay;
  readonly weight?: number;
}

/** Computes what Adam subtracts, but for the rate. */
function adamsMove(options: AdamByHand): (g: Vector) => Vector {
  const { beta1, beta2, epsilon, epsilonRoot = 0, epsilonPlace = "outside", isCorrected = true } = options;
  const { greatest = "none" } = options;
  let [m, v, top]: (Vector | undefined)[] = [];
  let t = 0;
  const divisor = (square: number, c: number): number => {
    switch (epsilonPlace) {
      case "outside":
        return Math.sqrt(square / c) + epsilon;
      case "inside":
        return Math.sqrt(square / c + epsilon);
      case "both":
        return Math.sqrt(square / c + epsilonRoot) + epsilon;
      case "uncorrected":
        return (Math.sqrt(square) + epsilon) / Math.sqrt(c);
    }
  };
  return (g) => {
    t++;
    const zeros = g.map(() => 0);
    m = zip(m ?? zeros, g, (a, b) => beta1 * a + (1 - beta1) * b);
    v = zip(v ?? zeros, g, (a, b) => beta2 * a + (1 - beta2) * b * b);
    const [c1, c2] = isCorrected ? [1 - beta1 ** t, 1 - beta2 ** t] : [1, 1];
    const squares = greatest === "ofCorrected" ? v.map((a) => a / c2) : v;
    top = zip(top ?? zeros, squares, Math.max);
    const used = greatest === "none" ? v : top;
    const root = used.map((a) => divisor(a, greatest === "ofCorrected" ? 1 : c2));
    return zip(m, root, (a, b) => a / c1 / b);
  };
}

export function adamByHand(options: AdamByHand): HandRule {
  const { decay = "none", weight = 0 } = options;
  return () => {
    const move = adamsMove(options);
    return (before, given, rate) => {
      const [x, g] = withDecay(before, given, rate, decay, weight);
      return zip(x, move(g), (a, b) => a - rate * b);
    };
  };
}

export function lambByHand(options: AdamByHand): HandRule {
  const { weight = 0 } = options;
  return () => {
    const move = adamsMove(options);
    return (x, g, rate) => {
      const r = zip(move(g), x, (a, b) => a + weight * b);
      const ratio = norm(x) === 0 || norm(r) === 0 ? 1 : norm(x) / norm(r);
      return zip(x, r, (a, b) => a - rate * (ratio * b));
    };
  };
}
