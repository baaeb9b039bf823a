import type { Additive, Algebra, Field, Ordered, Real, Ring, Semiring } from "../../spec/index.ts";

/** `x + ẋε` with `ε² = 0`: a value and its tangent. */
export interface Dual<S> {
  readonly x: S;
  readonly xDot: S;
}

/**
 * Dual numbers over an algebra, itself an algebra: it offers what `base` offers. Evaluating a graph over it
 * is forward mode; over `dual(dual(a))`, second order. Comparisons look at the values alone.
 */
export function dual<S, B>(base: Algebra<S, B>): Algebra<Dual<S>, B> {
  const additive = dualAdditive(base.additive);
  return {
    name: `dual(${base.name})`,
    additive,
    levels: { additive, ...dualLevels(base.levels) },
    isSame: (a, b) => base.isSame(a.x, b.x) && base.isSame(a.xDot, b.xDot),
    format: ({ x, xDot }) => `(${base.format(x)};${base.format(xDot)})`,
    parse: (text) => parseDual(base, text),
  };
}

function dualLevels<S, B>({
  semiring,
  ring,
  field,
  real,
  ordered,
  orderedField,
  orderedReal,
}: Algebra<S, B>["levels"]): Omit<Algebra<Dual<S>, B>["levels"], "additive"> {
  return {
    semiring: semiring && dualSemiring(semiring),
    ring: ring && dualRing(ring),
    field: field && dualField(field),
    real: real && dualReal(real),
    ordered: ordered && dualOrdered(ordered),
    orderedField: orderedField && { ...dualOrdered(orderedField), ...dualField(orderedField) },
    orderedReal: orderedReal && { ...dualOrdered(orderedReal), ...dualReal(orderedReal) },
  };
}

/** `x` as a constant: tangent zero. */
export function constantDual<S>(base: Additive<S>, x: S): Dual<S> {
  return { x, xDot: base.zero };
}

function dualAdditive<S>(a: Additive<S>): Additive<Dual<S>> {
  return {
    zero: { x: a.zero, xDot: a.zero },
    add: (p, q) => ({ x: a.add(p.x, q.x), xDot: a.add(p.xDot, q.xDot) }),
    detach: ({ x }) => ({ x: a.detach(x), xDot: a.zero }),
  };
}

function dualSemiring<S>(a: Semiring<S>): Semiring<Dual<S>> {
  return {
    ...dualAdditive(a),
    one: { x: a.one, xDot: a.zero },
    multiply: (p, q) => ({
      x: a.multiply(p.x, q.x),
      xDot: a.add(a.multiply(p.xDot, q.x), a.multiply(p.x, q.xDot)),
    }),
    literal: (x) => ({ x: a.literal(x), xDot: a.zero }),
  };
}

function dualRing<S>(a: Ring<S>): Ring<Dual<S>> {
  return { ...dualSemiring(a), negative: ({ x, xDot }) => ({ x: a.negative(x), xDot: a.negative(xDot) }) };
}

function dualField<S>(a: Field<S>): Field<Dual<S>> {
  return {
    ...dualRing(a),
    divide: (p, q) => {
      const x = a.divide(p.x, q.x);
      return { x, xDot: a.divide(a.add(p.xDot, a.negative(a.multiply(x, q.xDot))), q.x) };
    },
  };
}

function dualReal<S>(a: Real<S>): Real<Dual<S>> {
  return {
    ...dualField(a),
    exp: ({ x, xDot }) => {
      const e = a.exp(x);
      return { x: e, xDot: a.multiply(e, xDot) };
    },
    log: ({ x, xDot }) => ({ x: a.log(x), xDot: a.divide(xDot, x) }),
    sin: ({ x, xDot }) => ({ x: a.sin(x), xDot: a.multiply(a.cos(x), xDot) }),
    cos: ({ x, xDot }) => ({ x: a.cos(x), xDot: a.negative(a.multiply(a.sin(x), xDot)) }),
    tanh: ({ x, xDot }) => {
      const t = a.tanh(x);
      return { x: t, xDot: a.multiply(a.add(a.one, a.negative(a.multiply(t, t))), xDot) };
    },
    sqrt: ({ x, xDot }) => {
      const s = a.sqrt(x);
      return { x: s, xDot: a.divide(xDot, a.add(s, s)) };
    },
  };
}

function dualOrdered<S, B>(a: Ordered<S, B>): Ordered<Dual<S>, B> {
  return {
    ...dualRing(a),
    less: (p, q) => a.less(p.x, q.x),
    equal: (p, q) => a.equal(p.x, q.x),
    select: (condition, p, q) => ({
      x: a.select(condition, p.x, q.x),
      xDot: a.select(condition, p.xDot, q.xDot),
    }),
    floor: ({ x }) => ({ x: a.floor(x), xDot: a.zero }),
  };
}

/** Reads `(x;ẋ)`, nested ones too, and a plain `x` as a constant. */
function parseDual<S, B>(base: Algebra<S, B>, text: string): Dual<S> | undefined {
  const plain = base.parse(text);
  if (plain !== undefined) return constantDual(base.additive, plain);
  if (!text.startsWith("(") || !text.endsWith(")")) return undefined;
  const inner = text.slice(1, -1);
  const middle = topLevelSemicolon(inner);
  if (middle < 0) return undefined;
  const x = base.parse(inner.slice(0, middle));
  const xDot = base.parse(inner.slice(middle + 1));
  return x === undefined || xDot === undefined ? undefined : { x, xDot };
}

function topLevelSemicolon(text: string): number {
  const { position } = [...text].reduce(
    (state, character, index) => ({
      depth: state.depth + (character === "(" ? 1 : character === ")" ? -1 : 0),
      position: state.position < 0 && state.depth === 0 && character === ";" ? index : state.position,
    }),
    { depth: 0, position: -1 },
  );
  return position;
}
