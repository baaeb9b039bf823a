import type { Value } from "../../../spec/builder/index.ts";

/** Engines differentiate factorisations so; expansions differentiate their computation, row by row. */

/** Exchanges the last two axes. */
export function transposed(a: Value): Value {
  const { length: rank } = a.shape;
  return a.permute_dims({ axes: [...Array(rank - 2).keys(), rank - 1, rank - 2] });
}

/** Returns the triangle of `a` that is read. */
function triangle(a: Value, upper: boolean): Value {
  return upper ? a.triu({ offset: 0 }) : a.tril({ offset: 0 });
}

/** Halves the diagonal of the lower triangle: the derivative of a Cholesky factor at the identity. */
function halved(a: Value): Value {
  return a.tril({ offset: -1 }).add(a.tril({ offset: 0 }).triu({ offset: 0 }).divide(2));
}

function symmetric(a: Value): Value {
  return a.add(transposed(a)).divide(2);
}

/** Returns L⁻¹ M for a lower L. */
function divided(lower: Value, m: Value): Value {
  return lower.triangular_solve(m, { upper: false });
}

/** Returns L⁻ᵀ M for a lower L. */
function dividedByTransposed(lower: Value, m: Value): Value {
  return transposed(lower).triangular_solve(m, { upper: true });
}

/** Returns L Φ(L⁻¹ Ȧ L⁻ᵀ). Source: Murray, "Differentiation of the Cholesky decomposition", 2016, eq. 8. */
export function choleskyTangent(value: Value, upper: boolean, tangent: Value): Value {
  const lower = upper ? transposed(value) : value;
  const inner = divided(lower, transposed(divided(lower, symmetric(tangent))));
  const moved = lower.matmul(halved(inner));
  return upper ? transposed(moved) : moved;
}

/** Returns the symmetric part of L⁻ᵀ Φ(Lᵀ L̄) L⁻¹. Source: the same, equation 10. */
export function choleskyCotangent(value: Value, upper: boolean, cotangent: Value): Value {
  const [lower, bar] = upper ? [transposed(value), transposed(cotangent)] : [value, cotangent];
  const inner = halved(transposed(lower).matmul(bar.tril({ offset: 0 })));
  return symmetric(dividedByTransposed(lower, transposed(dividedByTransposed(lower, transposed(inner)))));
}

/** Returns T⁻¹ (Ḃ − Ṫ X). */
export function systemTangent(a: Value, value: Value, upper: boolean, aDot: Value, bDot: Value): Value {
  return a.triangular_solve(bDot.subtract(triangle(aDot, upper).matmul(value)), { upper });
}

/** Returns B̄ = T⁻ᵀ X̄ and the triangle of −B̄ Xᵀ. Source: Giles (see factored_determinants.ts), §2.3. */
export function systemCotangents(a: Value, value: Value, upper: boolean, cotangent: Value): readonly Value[] {
  const bBar = transposed(triangle(a, upper)).triangular_solve(cotangent, { upper: !upper });
  return [triangle(bBar.matmul(transposed(value)).negative(), upper), bBar];
}

/** Returns −X Ȧ X. Source: Giles, §2.2.3. */
export function inverseTangent(value: Value, tangent: Value): Value {
  return value.matmul(tangent).matmul(value).negative();
}

/** Returns −Xᵀ X̄ Xᵀ. */
export function inverseCotangent(value: Value, cotangent: Value): Value {
  const turned = transposed(value);
  return turned.matmul(cotangent).matmul(turned).negative();
}
