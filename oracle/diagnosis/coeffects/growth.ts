import { at } from "../../../spec/shapes/index.ts";
import { type Amount, amountAt, type Envelope, greatestFrom, lastGreatest, plus } from "./amounts.ts";

/** A figure grows as a polynomial in the number of layers L and the length B of an axis. */
export interface Growth {
  /** `terms[l][b]` is the coefficient of `Lˡ · Bᵇ`, with `l` up to 1. */
  readonly terms: readonly Amount[];
  /** The polynomial is the figure from this number of layers on, and from this length of the axis. */
  readonly fromLayers: number;
  readonly fromLength: number;
  /** It is known to be that up to this number of layers; left out if no number is known where it is not. */
  readonly toLayers?: number;
}

/** A figure is the greatest of these amounts, with so many layers. */
export interface Layered {
  readonly layers: number;
  readonly figure: Envelope;
}

/**
 * Finds how a figure grows. `last` are its envelopes with the most layers, the most first: two determine a
 * line in layers, and a third one checks it; without layers there is one. `first` are those with 1, 2, …
 * layers, on which the line is checked too: it holds from the number of layers behind the last that it
 * misses. Returns `undefined` where the check of `last` fails. Law: with each number of layers in `last`, and
 * those in `first` from `fromLayers` on, the figure is the polynomial at every length from `fromLength` on.
 */
export function growthOf(last: readonly Layered[], first: readonly Layered[] = []): Growth | undefined {
  const forms = last.map(({ figure }) => lastGreatest(figure));
  const [form = [], before, earlier] = forms;
  const fromLength = last.reduce(
    (from, { figure }, place) => Math.max(from, greatestFrom(figure, at(forms, place))),
    1,
  );
  if (before === undefined || earlier === undefined) return { terms: [form], fromLayers: 1, fromLength };
  const slope = plus(form, before, -1);
  if (!isSame(slope, plus(before, earlier, -1))) return undefined;
  const terms = [plus(form, slope, -at(last, 0).layers), slope];
  const isMissed = ({ layers, figure }: Layered): boolean => {
    const own = lastGreatest(figure);
    const wanted = plus(at(terms, 0), slope, layers);
    return !isSame(own, wanted) || greatestFrom(figure, own) > fromLength;
  };
  const least = last.reduce((all, { layers }) => Math.min(all, layers), at(last, 0).layers);
  const missed = first.findLast(isMissed);
  const isTold = first.length > 0 && missed !== first.at(-1);
  return { terms, fromLayers: isTold ? (missed?.layers ?? 0) + 1 : least, fromLength };
}

/** Fewer depths on a line show no growth. */
const LEAST_DEPTHS = 3;

/**
 * Finds how a figure grows around one depth, where it follows no line for long: `fewer` has one layer less
 * each time, `deeper` one more. Returns the line through this depth and a neighbour that more of the others
 * lie on, one after the other; `undefined` where fewer than three do. Law: with each number of layers
 * from `fromLayers` to `toLayers` the figure is the polynomial at every length from `fromLength` on.
 */
export function growthAround(
  now: Layered,
  fewer: readonly Layered[],
  deeper: readonly Layered[],
): Growth | undefined {
  const form = lastGreatest(now.figure);
  const [before, behind] = [fewer[0], deeper[0]];
  const slopes = [
    ...(before === undefined ? [] : [plus(form, lastGreatest(before.figure), -1)]),
    ...(behind === undefined ? [] : [plus(lastGreatest(behind.figure), form, -1)]),
  ];
  const found = slopes.map((slope) => {
    const terms = [plus(form, slope, -now.layers), slope];
    const isMissed = ({ layers, figure }: Layered): boolean =>
      !isSame(lastGreatest(figure), plus(at(terms, 0), slope, layers));
    const reached = (some: readonly Layered[]): readonly Layered[] => {
      const missed = some.findIndex(isMissed);
      return missed < 0 ? some : some.slice(0, missed);
    };
    const on = [...reached(fewer).toReversed(), now, ...reached(deeper)];
    const fromLength = Math.max(...on.map(({ figure }) => greatestFrom(figure, lastGreatest(figure))));
    return { terms, fromLength, fromLayers: at(on, 0).layers, toLayers: at(on, on.length - 1).layers };
  });
  const depthsOf = (one: (typeof found)[number]): number => one.toLayers - one.fromLayers + 1;
  const [best] = found.toSorted((x, y) => depthsOf(y) - depthsOf(x));
  return best === undefined || depthsOf(best) < LEAST_DEPTHS ? undefined : best;
}

function isSame(one: Amount, other: Amount): boolean {
  return plus(one, other, -1).every((coefficient) => coefficient === 0);
}

/** Evaluates a growth at this many layers and so long an axis. */
export function valueOfGrowth({ terms }: Growth, layers: number, length: number): number {
  return terms.reduce((sum, row, l) => sum + amountAt(row, length) * layers ** l, 0);
}

/** Counts layers from another one: with `more` of them before those that L counted until now. */
export function countedFrom({ terms, fromLayers, toLayers, ...growth }: Growth, more: number): Growth {
  const [constant = [], slope = []] = terms;
  return {
    ...growth,
    ...(toLayers === undefined ? {} : { toLayers: toLayers + more }),
    terms: terms.length < 2 ? terms : [plus(constant, slope, -more), slope],
    fromLayers: terms.length < 2 ? fromLayers : fromLayers + more,
  };
}

/** Writes a growth as text, such as `12 + 8·B + (4 + 64·B)·L`. */
export function showGrowth({ terms }: Pick<Growth, "terms">): string {
  const [constant = "0", slope = "0"] = terms.map(showPolynomial);
  if (slope === "0") return constant;
  const many = slope.includes(" ")
    ? `(${slope})·L`
    : slope === "1" || slope === "−1"
      ? slope.replace("1", "L")
      : `${slope}·L`;
  if (constant === "0") return many;
  return many.startsWith("−") ? `${constant} − ${many.slice(1)}` : `${constant} + ${many}`;
}

const powersAbove = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"] as const;

/** Writes a power of B; no value has an axis more than a dozen times. */
function axisPower(power: number): string {
  if (power < 2) return power === 0 ? "" : "B";
  return `B${[...String(power)].map((digit) => powersAbove[Number(digit)]).join("")}`;
}

function showPolynomial(row: Amount): string {
  const terms = row.flatMap((term, power) => {
    const of = axisPower(power);
    if (term === 0) return [];
    const size = Math.abs(term);
    return [`${term < 0 ? "-" : ""}${of === "" ? size : size === 1 ? of : `${size}·${of}`}`];
  });
  return terms.length === 0 ? "0" : terms.join(" + ").replaceAll("+ -", "− ").replace(/^-/, "−");
}
