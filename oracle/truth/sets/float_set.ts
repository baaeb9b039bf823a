import { at } from "../../../spec/shapes/index.ts";
import { formatFloat64 } from "../../../spec/wire/index.ts";

/**
 * A float is of one of these kinds, from the least to the greatest, and NaN. `far` and `-far` are finite
 * numbers beyond the format's range, which an engine has only before it rounds (a fused multiply-add, a wider
 * register).
 */
const kinds = ["-inf", "-far", "-", "-0", "0", "+", "far", "inf", "nan"] as const;

/** A kind is one of {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** A piece is the numbers of one kind from `low` to `high`. */
export interface Piece {
  readonly kind: Kind;
  readonly low: number;
  readonly high: number;
}

/**
 * A set holds the floats that honest engines may have at one place, with at most one piece of each kind. For
 * a sum in an unknown order, `up` and `down` are the total sizes of its positive and its negative terms.
 */
export interface FloatSet {
  readonly pieces: readonly Piece[];
  readonly up: number;
  readonly down: number;
  readonly terms: number;
}

const { POSITIVE_INFINITY: INF, MAX_VALUE: MAX } = Number;

/** Numbers of a relative distance up to this are one number to some format and some function's error. */
const NARROW = 2 ** -4;

/** This is the largest number of the narrowest format: what is far is beyond it in every format. */
const FAR = 65504;

const points: Readonly<Record<Exclude<Kind, "-" | "+">, Piece>> = {
  nan: { kind: "nan", low: Number.NaN, high: Number.NaN },
  "-inf": { kind: "-inf", low: -INF, high: -INF },
  "-far": { kind: "-far", low: -INF, high: -FAR },
  "-0": { kind: "-0", low: -0, high: -0 },
  "0": { kind: "0", low: 0, high: 0 },
  far: { kind: "far", low: FAR, high: INF },
  inf: { kind: "inf", low: INF, high: INF },
};

/** Returns the set of these pieces, those of one kind made one. */
export function floatSet(pieces: readonly Piece[]): FloatSet {
  const all = pieces.length < 2 ? pieces : merged(pieces);
  let [up, down] = [0, 0];
  for (const { kind, low, high } of all) {
    if (kind === "+" || kind === "far") up = Math.max(up, high);
    if (kind === "-" || kind === "-far") down = Math.max(down, -low);
  }
  return { pieces: all, up, down, terms: 1 };
}

/** Makes pieces of one kind one, at the place of the first. */
function merged(pieces: readonly Piece[]): readonly Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const { kind } = piece;
    const place = placeOf(all, kind);
    const other = all[place];
    if (other === undefined) all.push(piece);
    else if (isRange(kind))
      all[place] = { kind, low: Math.min(piece.low, other.low), high: Math.max(piece.high, other.high) };
  }
  return all;
}

/** Tells whether numbers of a kind may be apart. */
export function isRange(kind: Kind): boolean {
  return kind === "+" || kind === "-" || kind === "far" || kind === "-far";
}

function placeOf(pieces: readonly Piece[], kind: Kind): number {
  let place = 0;
  while (place < pieces.length && pieces[place]?.kind !== kind) place += 1;
  return place;
}

/** Each kind that is one number, or numbers beyond the range, is a set. */
const sets: Readonly<Record<Exclude<Kind, "-" | "+">, FloatSet>> = {
  nan: floatSet([points.nan]),
  "-inf": floatSet([points["-inf"]]),
  "-far": floatSet([points["-far"]]),
  "-0": floatSet([points["-0"]]),
  "0": floatSet([points["0"]]),
  far: floatSet([points.far]),
  inf: floatSet([points.inf]),
};

/** Returns the set of these kinds, of which each is one number or numbers beyond the range. */
export function ofKinds(...of: readonly Exclude<Kind, "-" | "+">[]): FloatSet {
  const [first] = of;
  return of.length === 1 && first !== undefined ? sets[first] : floatSet(of.map((kind) => points[kind]));
}

/** Returns the finite numbers from `low` to `high`, with zeros of both signs if 0 is among them. */
export function between(low: number, high: number): readonly Piece[] {
  if (low === 0 && high === 0) return zeros;
  if (low > 0 && high > 0) return [{ kind: "+", low, high }];
  if (low < 0 && high < 0) return [{ kind: "-", low, high }];
  const pieces: Piece[] = [];
  if (low < 0) pieces.push({ kind: "-", low, high: Math.min(high, 0) });
  if (low <= 0 && high >= 0) pieces.push(points["-0"], points["0"]);
  if (high > 0) pieces.push({ kind: "+", low: Math.max(low, 0), high });
  return pieces;
}

const zeros: readonly Piece[] = [points["-0"], points["0"]];

/** This set holds any float at all. */
export const anything: FloatSet = floatSet([...Object.values(points), ...between(-MAX, MAX)]);

/** Returns the set of one float. */
export function only(x: number): FloatSet {
  if (Number.isNaN(x)) return sets.nan;
  if (x === INF) return sets.inf;
  if (x === -INF) return sets["-inf"];
  if (x === 0) return Object.is(x, -0) ? sets["-0"] : sets["0"];
  return floatSet([{ kind: x < 0 ? "-" : "+", low: x, high: x }]);
}

/** Returns what is in any of the sets. */
export function union(...of: readonly FloatSet[]): FloatSet {
  return floatSet(of.flatMap(({ pieces }) => pieces));
}

/** Returns what is in both; all of `p` if nothing is, which two sound sets cannot bring about. */
export function intersection(p: FloatSet, q: FloatSet): FloatSet {
  const pieces: Piece[] = [];
  for (const piece of p.pieces) {
    const { kind } = piece;
    const other = q.pieces[placeOf(q.pieces, kind)];
    if (other === undefined) continue;
    if (!isRange(kind)) pieces.push(piece);
    else {
      const low = Math.max(piece.low, other.low);
      const high = Math.min(piece.high, other.high);
      if (low <= high) pieces.push({ kind, low, high });
    }
  }
  return pieces.length === 0 ? p : floatSet(pieces);
}

/** Returns what is left of a set where an engine answered `x`: NaN, that infinity, or the finite numbers. */
export function answeredAs(p: FloatSet, x: number): FloatSet {
  const isLarge = Math.abs(x) >= FAR;
  const mayStand = ({ kind }: Piece): boolean => {
    if (Number.isNaN(x)) return kind === "nan";
    // An engine that has not rounded yet may have a number beyond the range.
    if (kind === "far" || kind === "-far") return isLarge && (kind === "far") === x > 0;
    return kind === "inf" || kind === "-inf" || kind === "nan" ? points[kind].low === x : Number.isFinite(x);
  };
  const left = p.pieces.filter(mayStand);
  // What is in no set is told where it is answered.
  return left.length === 0 || left.length === p.pieces.length ? p : floatSet(left);
}

/** Tells whether all of a set is of these kinds. */
export function isOnly({ pieces }: FloatSet, ...of: readonly Kind[]): boolean {
  return pieces.every(({ kind }) => of.includes(kind));
}

/** Tells whether some of a set is of these kinds. */
export function mayBe({ pieces }: FloatSet, ...of: readonly Kind[]): boolean {
  return pieces.some(({ kind }) => of.includes(kind));
}

/** Adds the zero of the other sign, where engines differ in signs of zeros. */
export function withoutSigns(p: FloatSet): FloatSet {
  return mayBe(p, "0", "-0") ? union(p, bothZeros) : p;
}

const bothZeros = floatSet(zeros);

/** Returns what `f` makes of every pair of pieces. */
export function pairwise(p: FloatSet, q: FloatSet, f: (x: Piece, y: Piece) => readonly Piece[]): FloatSet {
  if (p.pieces.length === 1 && q.pieces.length === 1) return floatSet(f(at(p.pieces, 0), at(q.pieces, 0)));
  const found: Piece[] = [];
  for (const x of p.pieces) for (const y of q.pieces) found.push(...f(x, y));
  return floatSet(found);
}

/** Tells whether a set has more than one answer: numbers apart, or an infinity or NaN beside others. */
export function isOpen({ pieces }: FloatSet): boolean {
  const answers = pieces.filter(({ kind }) => kind !== "far" && kind !== "-far");
  const low = Math.min(...answers.map((piece) => piece.low));
  const high = Math.max(...answers.map((piece) => piece.high));
  if (Number.isNaN(low)) return answers.length > 1;
  const width = low === high ? 0 : high - low;
  return width === Number.POSITIVE_INFINITY || width > NARROW * Math.max(Math.abs(low), Math.abs(high));
}

/** Tells whether a format's float, rounded to it, is in the set. */
export function includes({ pieces }: FloatSet, x: number): boolean {
  return pieces.some(({ kind, low, high }) => {
    if (kind === "nan") return Number.isNaN(x);
    return kind !== "far" && kind !== "-far" && low <= x && x <= high;
  });
}

/** Returns the numbers of a set in words, from the least on, for a finding: equal sets have equal words. */
export function wordsOf({ pieces }: FloatSet): string {
  const ordered = pieces.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const words = ordered.flatMap(({ kind, low, high }) => {
    if (kind === "far" || kind === "-far") return [];
    return low < high ? [`${formatFloat64(low)} to ${formatFloat64(high)}`] : [formatFloat64(low)];
  });
  return words.join(" or ");
}
