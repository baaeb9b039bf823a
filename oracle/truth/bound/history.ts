import { at, floatAt } from "../../../spec/shapes/index.ts";
import { type Ball, UNDERFLOWS, UPWARDS } from "../centre/index.ts";

/** An influence is the slope, between truth and engine, by which an operation takes a step's deviation. */
export interface Influence {
  readonly step: number;
  readonly slope: Ball;
  /** It is the sum of the sizes of the slopes, where the operation reads the step more than once. */
  readonly size: number;
}

/** A deviation bounds how far an engine's number and the centre's may be from the true one. */
export interface Deviation {
  readonly engine: number;
  readonly centre: number;
}

const unknown: Deviation = { engine: Number.POSITIVE_INFINITY, centre: Number.POSITIVE_INFINITY };

/** A product of zero and infinity tells nothing. */
function orUnknown(sum: number): number {
  return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum + UNDERFLOWS;
}

/** So many influences may be followed for the bounds of an evaluation; a few hundred nodes take a tenth. */
const WORK = 4e7;

/** This covers the rounding of a product and of a sum of float64s, each at most half an ulp. */
const ROUNDINGS = 2 ** -52;

/**
 * A history notes how the operations of a computation deviate from the true values: each by what its
 * operands' deviations make of it, and by an error of its own. That is a linear system whose slopes are known
 * up to a ball. So the deviation of a step is at most the sum of all earlier steps' own errors, each weighed
 * by the products of slopes along all paths to it. Paths that cancel do so here, where a bound that is
 * carried forward adds their sizes up.
 *
 * An own error is weighed for every reader apart, and for every reader of these: an engine that fuses
 * operations may leave a rounding out for one reader alone, and may compute a sum of products twice, once
 * each way.
 *
 * Source: Bruce Christianson, "Reverse accumulation and accurate rounding error estimates for Taylor series
 * coefficients", Optimization Methods and Software 1 (1992); slopes that hold over all of the error's reach
 * as in Solovyev et al., "Rigorous estimation of floating-point round-off errors with symbolic Taylor
 * expansions", FM 2015 (FPTaylor), <https://doi.org/10.1007/978-3-319-19249-9_33>.
 */
export class History {
  /** Step i has an engine's own error, the centre's, and from `#begins[i]` on operands and slopes. */
  readonly #own: number[] = [];
  readonly #drift: number[] = [];
  readonly #begins: number[] = [0];
  readonly #steps: number[] = [];
  readonly #slopes: number[] = [];
  readonly #slacks: number[] = [];
  readonly #sizes: number[] = [];
  /** These balls are the slope products from a step to the one asked about; else they are zero. */
  #weights = new Float64Array(256);
  #widths = new Float64Array(256);
  /** This is the same product, with the sizes of what comes by different readers added up. */
  #reads = new Float64Array(256);
  #work: number;

  /** At most `work` influences are followed. */
  constructor(work: number = WORK) {
    this.#work = work;
  }

  /**
   * Notes an operation and returns its step. `own` bounds what an engine's rounding and the operands that are
   * not noted add to its error; `drift` is the same for the centre's number.
   */
  append(own: number, drift: number, influences: readonly Influence[]): number {
    for (const { step, slope, size } of influences) {
      this.#steps.push(step);
      this.#slopes.push(slope.value);
      this.#slacks.push(slope.slack);
      this.#sizes.push(size);
    }
    this.#begins.push(this.#steps.length);
    this.#drift.push(drift);
    return this.#own.push(own) - 1;
  }

  /** Returns bounds on a step's deviation, infinite once the work is used up. Cost: linear in the steps. */
  deviation(step: number): Deviation {
    if (this.#work < 0) return unknown;
    this.#work -= step + 1;
    this.#makeRoom(step + 1);
    const [weights, widths, reads] = [this.#weights, this.#widths, this.#reads];
    weights[step] = 1;
    reads[step] = 1;
    let total = this.#own[step] ?? 0;
    let drift = this.#drift[step] ?? 0;
    for (let reader = step; reader >= 0; reader--) {
      const read = floatAt(reads, reader);
      if (read === 0) continue;
      const weight = floatAt(weights, reader);
      const width = floatAt(widths, reader);
      weights[reader] = 0;
      widths[reader] = 0;
      reads[reader] = 0;
      const end = this.#begins[reader + 1] ?? 0;
      for (let edge = this.#begins[reader] ?? 0; edge < end; edge++) {
        const operand = at(this.#steps, edge);
        const slope = at(this.#slopes, edge);
        const way = weight * slope;
        const sum = floatAt(weights, operand) + way;
        const wayWidth =
          (Math.abs(weight) + width) * at(this.#slacks, edge) +
          Math.abs(slope) * width +
          Math.abs(way) * ROUNDINGS +
          UNDERFLOWS;
        weights[operand] = sum;
        widths[operand] = (floatAt(widths, operand) + wayWidth + Math.abs(sum) * ROUNDINGS) * UPWARDS;
        const size = at(this.#sizes, edge);
        total = (total + read * size * at(this.#own, operand)) * UPWARDS;
        drift = (drift + read * size * at(this.#drift, operand)) * UPWARDS;
        reads[operand] = (floatAt(reads, operand) + (Math.abs(weight) + width) * size) * UPWARDS + UNDERFLOWS;
      }
    }
    return { engine: orUnknown(total), centre: orUnknown(drift) };
  }

  #makeRoom(steps: number): void {
    if (steps <= this.#weights.length) return;
    this.#weights = new Float64Array(2 * steps);
    this.#widths = new Float64Array(2 * steps);
    this.#reads = new Float64Array(2 * steps);
  }
}
