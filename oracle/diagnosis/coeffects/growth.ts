/** A figure as it grows with the number of layers and the length of an axis: by layers' and by axis's power, a coefficient. */
export interface Growth {
  /** `terms[l][b]` counts `Lˡ · Bᵇ`. */
  readonly terms: readonly (readonly number[])[];
}

/** Lengths of the axis that are tried, as multiples: one more than determine the polynomial. */
export const triedLengths: readonly number[] = [1, 2, 3, 4];

/** What is multiplied by these where the axis as it is is too short for the figure to have its lasting form. */
export const triedScales: readonly number[] = [1, 4, 16, 64];

/** Counts of layers that are tried, less than there are: one more than determine the line. */
export const triedLayers: readonly number[] = [0, 1, 2];

/**
 * How a figure grows, found from as many of its values as determine it and checked at one more: a line in layers whose coefficients are polynomials
 * of the second degree in the axis. `undefined` where the check fails: then it is no such thing. `figures[layer][length]` are its values at
 * {@link triedLayers} and {@link triedLengths}; one column where no axis is followed, one row where there are no layers.
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

/** The line through values at `layers`, `layers − 1` and `layers − 2`; a constant where there is one. */
function lineThrough(values: readonly number[], layers: number): readonly number[] | undefined {
  const [last = Number.NaN, before, earlier] = values;
  if (before === undefined || earlier === undefined) return [last];
  const slope = last - before;
  return before - earlier === slope ? [last - slope * layers, slope] : undefined;
}

/** The polynomial of degree 2 through values at `length` once, twice and three times, if four times is on it too. */
function parabolaThrough(values: readonly number[], length: number): readonly number[] | undefined {
  const [a = Number.NaN, b, c, d] = values;
  if (b === undefined || c === undefined || d === undefined) return [a];
  const second = c - 2 * b + a;
  if (d - 3 * c + 3 * b - a !== 0) return undefined;
  // In k = B / length: a + (b − a)(k − 1) + second (k − 1)(k − 2) / 2.
  const square = second / 2;
  const linear = b - a - 3 * square;
  const constant = a - linear - square;
  return [constant, linear / length, square / length ** 2];
}

/** What a figure comes to with so many layers, and so long an axis. */
export function valueOfGrowth({ terms }: Growth, layers: number, length: number): number {
  return terms.reduce(
    (sum, row, l) => sum + row.reduce((own, term, b) => own + term * length ** b, 0) * layers ** l,
    0,
  );
}

/** In words: `12 + 8·B + (4 + 64·B)·L`. */
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
