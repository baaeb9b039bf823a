import { formatFloat64 } from "../../spec/wire/index.ts";

/**
 * What a float can be, from the least to the greatest: `far` and `-far` are finite numbers beyond the format's range,
 * which an engine has only while it has not rounded yet (a fused multiply-add, a wider register).
 */
const kinds = ["nan", "-inf", "-far", "-", "-0", "0", "+", "far", "inf"] as const;

/** One of {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** Numbers of one kind, from `low` to `high`. */
export interface Piece {
  readonly kind: Kind;
  readonly low: number;
  readonly high: number;
}

/**
 * The floats that honest engines may have at one place: at most one piece of each kind. `up` and `down` are the total sizes of
 * the positive and the negative terms where it is a sum in an order that is not known.
 */
export interface Possible {
  readonly pieces: readonly Piece[];
  readonly up: number;
  readonly down: number;
  readonly terms: number;
}

const { POSITIVE_INFINITY: INF, MAX_VALUE: MAX } = Number;

/** Numbers of a relative distance up to this are one number to some format and some function's error. */
const NARROW = 2 ** -4;

/** The largest number of the narrowest format: what is far is beyond it in every format. */
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

/** The set of these pieces, those of one kind made one. */
export function possible(pieces: Iterable<Piece>): Possible {
  const merged = new Map<Kind, Piece>();
  for (const piece of pieces) {
    const other = merged.get(piece.kind);
    merged.set(
      piece.kind,
      other === undefined || piece.kind === "nan"
        ? piece
        : { ...piece, low: Math.min(piece.low, other.low), high: Math.max(piece.high, other.high) },
    );
  }
  const all = [...merged.values()];
  return {
    pieces: all,
    up: Math.max(0, ...all.map(({ kind, high }) => (kind === "+" || kind === "far" ? high : 0))),
    down: Math.max(0, ...all.map(({ kind, low }) => (kind === "-" || kind === "-far" ? -low : 0))),
    terms: 1,
  };
}

/** These kinds, of which each is one number or a number beyond the range. */
export function those(...of: readonly Exclude<Kind, "-" | "+">[]): Possible {
  return possible(of.map((kind) => points[kind]));
}

/** The finite numbers from `low` to `high`, zeros of both signs among them if 0 is. */
export function between(low: number, high: number): Piece[] {
  if (low === 0 && high === 0) return [points["-0"], points["0"]];
  const pieces: Piece[] = [];
  if (low < 0) pieces.push({ kind: "-", low, high: Math.min(high, 0) });
  if (low <= 0 && high >= 0) pieces.push(points["-0"], points["0"]);
  if (high > 0) pieces.push({ kind: "+", low: Math.max(low, 0), high });
  return pieces;
}

/** Any float at all. */
export const anything: Possible = possible([...Object.values(points), ...between(-MAX, MAX)]);

/** One float. */
export function only(x: number): Possible {
  if (Number.isNaN(x)) return those("nan");
  if (x === INF) return those("inf");
  if (x === -INF) return those("-inf");
  if (x === 0) return those(Object.is(x, -0) ? "-0" : "0");
  return possible([{ kind: x < 0 ? "-" : "+", low: x, high: x }]);
}

/** What is in either. */
export function either(...sets: readonly Possible[]): Possible {
  return possible(sets.flatMap(({ pieces }) => pieces));
}

/** What is in both; all of `p` if nothing is, which nothing sound can make so. */
export function both(p: Possible, q: Possible): Possible {
  const pieces = p.pieces.flatMap((piece) => {
    const other = q.pieces.find(({ kind }) => kind === piece.kind);
    if (other === undefined) return [];
    if (piece.kind === "nan") return [piece];
    const [low, high] = [Math.max(piece.low, other.low), Math.min(piece.high, other.high)];
    return low <= high ? [{ ...piece, low, high }] : [];
  });
  return pieces.length === 0 ? p : possible(pieces);
}

/** Whether all of it is of these kinds. */
export function isOnly({ pieces }: Possible, ...of: readonly Kind[]): boolean {
  return pieces.every(({ kind }) => of.includes(kind));
}

/** Whether some of it is of these kinds. */
export function mayBe({ pieces }: Possible, ...of: readonly Kind[]): boolean {
  return pieces.some(({ kind }) => of.includes(kind));
}

/** Zeros of both signs where there is one: their signs differ between engines. */
export function withoutSigns(p: Possible): Possible {
  return mayBe(p, "0", "-0") ? either(p, those("0", "-0")) : p;
}

/** What `f` makes of every pair of pieces. */
export function pairwise(p: Possible, q: Possible, f: (x: Piece, y: Piece) => readonly Piece[]): Possible {
  return possible(p.pieces.flatMap((x) => q.pieces.flatMap((y) => f(x, y))));
}

/** Whether it is more than one answer: numbers apart, or infinities or NaN beside something else. An answer in it proves nothing. */
export function isOpen({ pieces }: Possible): boolean {
  const answers = pieces.filter(({ kind }) => kind !== "far" && kind !== "-far");
  const low = Math.min(...answers.map((piece) => piece.low));
  const high = Math.max(...answers.map((piece) => piece.high));
  if (Number.isNaN(low)) return answers.length > 1;
  const width = low === high ? 0 : high - low;
  return width === Number.POSITIVE_INFINITY || width > NARROW * Math.max(Math.abs(low), Math.abs(high));
}

/** Whether a format's float, rounded to it, is in the set. */
export function includes({ pieces }: Possible, x: number): boolean {
  return pieces.some(({ kind, low, high }) => {
    if (kind === "nan") return Number.isNaN(x);
    return kind !== "far" && kind !== "-far" && low <= x && x <= high;
  });
}

/** In words: the numbers of it, for a finding. */
export function wordsOf({ pieces }: Possible): string {
  const words = pieces.flatMap(({ kind, low, high }) => {
    if (kind === "far" || kind === "-far") return [];
    return low < high ? [`${formatFloat64(low)} to ${formatFloat64(high)}`] : [formatFloat64(low)];
  });
  return words.join(" or ");
}
