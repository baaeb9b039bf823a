/** This is a number of elements as a polynomial in the length B of an axis: `[12, 8]` is 12 + 8·B. */
export type Amount = readonly number[];

/**
 * No other of these amounts is at least as large in every coefficient; the greatest at some B is one of them.
 */
export type Envelope = readonly Amount[];

/** Adds `times` an amount. */
export function plus(one: Amount, other: Amount, times = 1): Amount {
  return Array.from(
    { length: Math.max(one.length, other.length) },
    (_, power) => (one[power] ?? 0) + times * (other[power] ?? 0),
  );
}

/** Returns an amount at a length. */
export function amountAt(amount: Amount, length: number): number {
  return amount.reduceRight((sum, coefficient) => sum * length + coefficient, 0);
}

/** Returns the greatest of some amounts at a length. */
export function greatestAt(envelope: Envelope, length: number): number {
  return envelope.reduce((most, amount) => Math.max(most, amountAt(amount, length)), 0);
}

/** Tells whether an amount is at least as large as another in every coefficient, and so at every length. */
function covers(one: Amount, other: Amount): boolean {
  return other.every((coefficient, power) => (one[power] ?? 0) >= coefficient);
}

/**
 * Leaves out amounts that are nowhere the greatest: of lines, those below the upper hull; else those that
 * others cover. Cost: of lines, that of sorting; else the amounts times those that stay.
 */
export function envelopeOf(amounts: Iterable<Amount>): Envelope {
  const all = [...amounts];
  if (all.length < 2) return all;
  if (all.every(({ length }) => length <= 2)) return hullOf(all);
  let kept: Amount[] = [];
  for (const amount of all) {
    if (kept.some((one) => covers(one, amount))) continue;
    kept = [...kept.filter((one) => !covers(amount, one)), amount];
  }
  return kept;
}

/** Finds the lines that are the greatest at some B ≥ 1, the flattest first. */
function hullOf(lines: readonly Amount[]): Amount[] {
  const hull: Amount[] = [];
  const inOrder = lines.toSorted((x, y) => slopeOf(x) - slopeOf(y) || startOf(x) - startOf(y));
  for (const line of inOrder) {
    // A steeper line that is no lower at 1 is no lower behind it.
    for (let top = hull.at(-1); top !== undefined && isAbove(line, top, hull.at(-2)); top = hull.at(-1))
      hull.pop();
    hull.push(line);
  }
  return hull;
}

const slopeOf = (line: Amount): number => line[1] ?? 0;
const startOf = (line: Amount): number => line[0] ?? 0;

/** Integers up to this size are exact. */
const EXACT = 2 ** 53;

/** Tells whether `top` is nowhere above both a steeper line and a flatter one, if there is one, for B ≥ 1. */
function isAbove(steeper: Amount, top: Amount, flatter: Amount | undefined): boolean {
  if (amountAt(steeper, 1) >= amountAt(top, 1)) return true;
  if (flatter === undefined) return false;
  // The steeper line meets the flatter one no later than the top does.
  const early = (startOf(flatter) - startOf(steeper)) * (slopeOf(top) - slopeOf(flatter));
  const late = (startOf(flatter) - startOf(top)) * (slopeOf(steeper) - slopeOf(flatter));
  return Math.max(Math.abs(early), Math.abs(late)) < EXACT && early <= late;
}

/** Returns the envelope of the sums of an amount of each. */
export function sumOfEnvelopes(one: Envelope, other: Envelope): Envelope {
  return envelopeOf(one.flatMap((a) => other.map((b) => plus(a, b))));
}

/** Returns the amount that is the greatest of an envelope from some length on. */
export function lastGreatest(envelope: Envelope): Amount {
  const [first = [], ...others] = envelope;
  return others.reduce((best, one) => (isEventuallyAbove(one, best) ? one : best), first);
}

function isEventuallyAbove(one: Amount, other: Amount): boolean {
  const leading = plus(one, other, -1).findLast((coefficient) => coefficient !== 0);
  return leading !== undefined && leading > 0;
}

/**
 * Finds the least length from which on `amount` is the greatest of an envelope, at every whole length. The
 * amount must be its {@link lastGreatest}.
 */
export function greatestFrom(envelope: Envelope, amount: Amount): number {
  return envelope.reduce((from, other) => Math.max(from, lastNegative(plus(amount, other, -1)) + 1), 1);
}

/** Lengths up to this are tried one by one, where a difference is of a degree above two. */
const MOST_TRIED = 10_000;

/**
 * Finds the last whole B ≥ 1 at which a polynomial with a positive leading coefficient is negative; 0 where
 * it never is. Behind the last B at which its difference Δ(B) = p(B + 1) − p(B) is negative it does not fall,
 * so its sign is found by halving. Up to degree two it has fallen all the way before. Above, lengths before
 * are tried if they are few, or else counted as negative.
 */
function lastNegative(polynomial: Amount): number {
  const degree = polynomial.findLastIndex((coefficient) => coefficient !== 0);
  if (degree < 1) return 0;
  const turn = lastNegative(differenceOf(polynomial));
  const isNegative = (length: number): boolean => amountAt(polynomial, length) < 0;
  if (isNegative(turn + 1)) {
    let [below, above] = [turn + 1, 2 * (turn + 1)];
    while (isNegative(above)) [below, above] = [above, 2 * above];
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      if (isNegative(middle)) below = middle;
      else above = middle;
    }
    return below;
  }
  if (degree <= 2) return 0;
  if (turn > MOST_TRIED) return turn;
  for (let length = turn; length > 0; length--) if (isNegative(length)) return length;
  return 0;
}

/** Returns p(B + 1) − p(B). */
function differenceOf(polynomial: Amount): Amount {
  const difference = polynomial.slice(1).map(() => 0);
  for (const [power, coefficient] of polynomial.entries()) {
    let binomial = 1;
    for (let k = 0; k < power; k++) {
      difference[k] = (difference[k] ?? 0) + coefficient * binomial;
      binomial = (binomial * (power - k)) / (k + 1);
    }
  }
  return difference;
}
