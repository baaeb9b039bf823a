/** A figure grows as a polynomial in the number of layers L and the length B of an axis. */
export interface Growth {
  /** `terms[l][b]` is the coefficient of `Lˡ · Bᵇ`. */
  readonly terms: readonly (readonly number[])[];
}

/** These multiples of the axis are tried: one more than determine the polynomial. */
export const triedLengths: readonly number[] = [1, 2, 3, 4];

/** Where the axis is too short for the figure's asymptotic form, the lengths are multiplied by these. */
export const triedScales: readonly number[] = [1, 4, 16, 64];

/** This many layers are left out in turn: one more figure than determines the line. */
export const triedLayers: readonly number[] = [0, 1, 2];

/**
 * Finds how a figure grows, from as many values as determine it, and checks it at one more: a line in layers
 * whose coefficients are quadratic in the axis. Returns `undefined` where the check fails.
 * `figures[layer][length]` are its values at {@link triedLayers} and {@link triedLengths}; without an axis
 * there is one column, without layers one row.
 */
export function growthOf(
  figures: readonly (readonly number[])[],
  layers: number,
  length: number,
): Growth | undefined {
  const columns = figures[0]?.length ?? 0;
  const lines = Array.from({ length: columns }, (_, column) =>
    lineThrough(
      figures.map((row) => row[column] ?? Number.NaN),
      layers,
    ),
  );
  const known = lines.flatMap((line) => (line === undefined ? [] : [line]));
  if (known.length < columns) return undefined;
  const degree = figures.length > 1 ? 2 : 1;
  const terms = Array.from({ length: degree }, (_, power) =>
    parabolaThrough(
      known.map((line) => line[power] ?? Number.NaN),
      length,
    ),
  );
  const found = terms.flatMap((term) => (term === undefined ? [] : [term]));
  return found.length < terms.length ? undefined : { terms: found };
}

/** Finds the line through values at `layers`, `layers − 1`, `layers − 2`, or the only value. */
function lineThrough(values: readonly number[], layers: number): readonly number[] | undefined {
  const [last = Number.NaN, before, earlier] = values;
  if (before === undefined || earlier === undefined) return [last];
  const slope = last - before;
  return before - earlier === slope ? [last - slope * layers, slope] : undefined;
}

/** Finds the quadratic through values at one, two and three lengths, if the value at four is on it too. */
function parabolaThrough(values: readonly number[], length: number): readonly number[] | undefined {
  const [a = Number.NaN, b, c, d] = values;
  if (b === undefined || c === undefined || d === undefined) return [a];
  const second = c - 2 * b + a;
  if (d - 3 * c + 3 * b - a !== 0) return undefined;
  // With k = B / length it is a + (b − a)(k − 1) + second (k − 1)(k − 2) / 2.
  const square = second / 2;
  const linear = b - a - 3 * square;
  const constant = a - linear - square;
  return [constant, linear / length, square / length ** 2];
}

/** Evaluates a growth at this many layers and so long an axis. */
export function valueOfGrowth({ terms }: Growth, layers: number, length: number): number {
  return terms.reduce(
    (sum, row, l) => sum + row.reduce((own, term, b) => own + term * length ** b, 0) * layers ** l,
    0,
  );
}

/** Writes a growth as text, such as `12 + 8·B + (4 + 64·B)·L`. */
export function showGrowth({ terms }: Growth): string {
  const rows = terms.map((row) => showPolynomial(row));
  const [constant = "0", slope = "0"] = rows;
  if (slope === "0") return constant;
  const many = slope.includes(" ") ? `(${slope})·L` : slope === "1" ? "L" : `${slope}·L`;
  return constant === "0" ? many : `${constant} + ${many}`;
}

const axisPowers = ["", "B", "B²"] as const;

function showPolynomial(row: readonly number[]): string {
  const terms = row.flatMap((term, power) => {
    const of = axisPowers[power] ?? "";
    if (term === 0) return [];
    return [of === "" ? `${term}` : term === 1 ? of : `${term}·${of}`];
  });
  return terms.length === 0 ? "0" : terms.join(" + ").replaceAll("+ -", "− ");
}
