/**
 * A schedule says how a nest is walked. `order` has all axes, outermost first, folded ones last. The axis
 * `vector` goes into the lanes of vectors. `copies[axis]` steps along an axis are unrolled, each with its own
 * running value where the axis belongs to the result.
 */
export interface Schedule {
  readonly order: readonly number[];
  readonly vector: number | undefined;
  readonly copies: readonly number[];
  /** If true, lanes along a folded axis are taken in order; else each lane has its own running value. */
  readonly isOrdered: boolean;
}

/** `trips` times `copies` steps of `lanes` elements each. */
export interface Segment {
  readonly trips: number;
  readonly copies: number;
  readonly lanes: number;
}

/** Cuts an axis into whole blocks, then what remains into fewer copies, then into fewer lanes. */
export function segmentsOf(extent: number, copies: number, lanes: number): readonly Segment[] {
  const block = copies * lanes;
  const trips = Math.floor(extent / block);
  const segments: Segment[] = trips === 0 ? [] : [{ trips, copies, lanes }];
  let rest = extent - trips * block;
  for (let fewer = lanes; rest > 0; fewer /= 2) {
    const steps = Math.floor(rest / fewer);
    if (steps > 0) segments.push({ trips: 1, copies: steps, lanes: fewer });
    rest -= steps * fewer;
  }
  return segments;
}
