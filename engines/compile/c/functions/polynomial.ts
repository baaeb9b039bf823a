/**
 * Writes `Σ terms[i] xⁱ` (one at least) by halving: pairs are joined with `x`, then with `x²` and so on, so
 * that few operations wait for each other.
 */
export function polynomialText(terms: readonly string[], x: string): string {
  const halve = (some: readonly string[], power: string): string => {
    const [first = "0"] = some;
    if (some.length === 1) return first;
    const joined = some.flatMap((even, n) => {
      const odd = some[n + 1];
      if (n % 2 === 1) return [];
      return [odd === undefined ? even : `(${even} + ${power} * ${odd})`];
    });
    return halve(joined, `(${power} * ${power})`);
  };
  return halve(terms, x);
}
