import { type Ball, UNDERFLOWS, UPWARDS } from "../centre/index.ts";

/** What an operation takes of the deviation of a step: the slope between the true number and the engine's. */
export interface Influence {
  readonly step: number;
  readonly slope: Ball;
  /** The sum of the sizes of the slopes, where the operation reads the step more than once. */
  readonly size: number;
}

/** How far an engine's number and the centre's may be from the true one. */
export interface Deviation {
  readonly engine: number;
  readonly centre: number;
}

const unknown: Deviation = { engine: Number.POSITIVE_INFINITY, centre: Number.POSITIVE_INFINITY };

/** A product of zero and infinity knows nothing. */
function orUnknown(sum: number): number {
  return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum + UNDERFLOWS;
}

/** How many influences may be followed for the bounds of one evaluation; a case of a few hundred nodes takes a tenth of it. */
const WORK = 4e7;

/** Covers the rounding of a product and of a sum of float64s, each at most half an ulp. */
const ROUNDINGS = 2 ** -52;

/**
 * The operations of a computation as far as they err: each deviates from the true value by what its operands' deviations
 * make of it and an error of its own. That is a linear system with slopes that are known up to a ball, so the deviation
 * of any step is at most the sum of all earlier steps' own errors, each weighed by the product of the slopes on the way,
 * summed over the ways. WholeAlgorithm that cancel do so here, where a bound that is carried forward adds their sizes up.
 *
 * An own error is weighed for every reader apart, and for every reader of these: an engine that fuses operations may
 * leave a rounding out for one reader and not for another, and may compute a sum of products twice, once each way.
 *
 * Source: Bruce Christianson, "Reverse accumulation and accurate rounding error estimates for Taylor series
 * coefficients", Optimization Methods and Software 1 (1992); with slopes that hold over all of the error's reach, as in
 * Solovyev et al., "Rigorous estimation of floating-point round-off errors with symbolic Taylor expansions", FM 2015
 * (FPTaylor), <https://doi.org/10.1007/978-3-319-19249-9_33>.
 */
export class History {
  /** Of step i: an engine's own error and the centre's, then its operands' steps and slopes, from `#begins[i]` on. */
  readonly #own: number[] = [];
  readonly #drift: number[] = [];
  readonly #begins: number[] = [0];
  readonly #steps: number[] = [];
  readonly #slopes: number[] = [];
  readonly #slacks: number[] = [];
  readonly #sizes: number[] = [];
  /** The product of the slopes from a step on to the one that is asked about, as a ball; zero between two questions. */
  #weights = new Float64Array(256);
  #widths = new Float64Array(256);
  /** The same product, with the sizes of what comes by different readers added up. */
  #reads = new Float64Array(256);
  #work: number;

  /** `work` is how many influences may be followed. */
  constructor(work: number = WORK) {
    this.#work = work;
  }

  /**
   * Notes an operation: an engine's own error in it is what its other operands and its rounding may amount to; `drift` is
   * the same for the centre's number. Returns its step.
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

  /**
   * Bounds on the deviation of a step, an engine's and the centre's; infinite once the work is used up. Cost: one visit of
   * every step before it, some nanoseconds each.
   */
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
      const [weight = 0, width = 0, read = 0] = [weights[reader], widths[reader], reads[reader]];
      if (read === 0) continue;
      weights[reader] = 0;
      widths[reader] = 0;
      reads[reader] = 0;
      const end = this.#begins[reader + 1] ?? 0;
      for (let edge = this.#begins[reader] ?? 0; edge < end; edge++) {
        const [operand = 0, slope = 0, slack = 0] = [
          this.#steps[edge],
          this.#slopes[edge],
          this.#slacks[edge],
        ];
        const way = weight * slope;
        const sum = (weights[operand] ?? 0) + way;
        const wayWidth =
          (Math.abs(weight) + width) * slack +
          Math.abs(slope) * width +
          Math.abs(way) * ROUNDINGS +
          UNDERFLOWS;
        weights[operand] = sum;
        widths[operand] = ((widths[operand] ?? 0) + wayWidth + Math.abs(sum) * ROUNDINGS) * UPWARDS;
        const size = this.#sizes[edge] ?? 0;
        total = (total + read * size * (this.#own[operand] ?? 0)) * UPWARDS;
        drift = (drift + read * size * (this.#drift[operand] ?? 0)) * UPWARDS;
        reads[operand] = ((reads[operand] ?? 0) + (Math.abs(weight) + width) * size) * UPWARDS + UNDERFLOWS;
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
