import type { Scope, Value } from "../../../spec/index.ts";

/** Computes rotations `Rz Ry Rx`, `[n, 3, 3]`, from angles about x, z and y, `[n, 3]`. */
export function eulerRotations({ stack }: Scope, angles: Value): Value {
  const [n = 0] = angles.shape;
  const column = (x: Value, place: number): Value =>
    x.slice({ starts: [0, place], stops: [n, place + 1], steps: [1, 1] }).reshape({ shape: [n] });
  const [cosines, sines] = [angles.cos(), angles.sin()];
  const [cx, cz, cy] = [column(cosines, 0), column(cosines, 1), column(cosines, 2)];
  const [sx, sz, sy] = [column(sines, 0), column(sines, 1), column(sines, 2)];
  const [cosineAcross, sineAcross] = [cz.multiply(sy), sz.multiply(sy)];
  return stack(
    cz.multiply(cy),
    cosineAcross.multiply(sx).subtract(sz.multiply(cx)),
    cosineAcross.multiply(cx).add(sz.multiply(sx)),
    sz.multiply(cy),
    sineAcross.multiply(sx).add(cz.multiply(cx)),
    sineAcross.multiply(cx).subtract(cz.multiply(sx)),
    sy.negative(),
    cy.multiply(sx),
    cy.multiply(cx),
    { axis: 1 },
  ).reshape({ shape: [n, 3, 3] });
}

/** Extends rotations `[n, 3, 3]` to homogeneous coordinates, `[n, 4, 4]`. */
export function homogeneous({ full }: Scope, rotations: Value): Value {
  const corner = full({ shape: [1, 1, 1], value: 1 }).pad({
    low: [0, 3, 3],
    high: [0, 0, 0],
    interior: [0, 0, 0],
  });
  return rotations.pad({ low: [0, 0, 0], high: [0, 1, 1], interior: [0, 0, 0] }).add(corner);
}

/** The matrix of `v ×` takes its elements from these places in `v`, `−v` and a zero, joined. */
export const skewPlaces: readonly number[] = [6, 5, 1, 2, 6, 3, 4, 0, 6];

/** GradBench ignores rotations about shorter axes; here squares are compared, which have a slope at 0. */
const STILL = 1e-4;

/**
 * Computes the rotation `[3, 3]` about an axis `[3]` by an angle that is its length, from the elements of its
 * cross product in row-major order: `cos · I + (1 − cos) n nᵀ + sin · (n ×)`.
 */
export function axisRotation({ iota }: Scope, axis: Value, skew: Value): Value {
  const square = axis.square().sum({ axes: [0], keepdims: false });
  const isStill = square.less(STILL * STILL);
  const angle = isStill.where(1, square).sqrt();
  const unit = axis.divide(angle);
  const identity = iota({ shape: [3, 3], axis: 0 }).equal(iota({ shape: [3, 3], axis: 1 }));
  const across = skew.reshape({ shape: [3, 3] }).divide(angle);
  const turned = identity
    .multiply(angle.cos())
    .add(unit.outer(unit).multiply(angle.cos().negative().add(1)))
    .add(across.multiply(angle.sin()));
  return isStill.broadcast_to({ shape: [3, 3] }).where(identity, turned);
}
