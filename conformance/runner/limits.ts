import { MAXIMUM_LINE_BYTES } from "../protocol/index.ts";

/** The runner gives up on a testee that exceeds one of these. */
export interface Limits {
  /** The answer to `hello` may take so long from the start of the process; Python's imports take seconds. */
  readonly startMilliseconds: number;
  /** One answer may take so long, counted from when all earlier ones had come. */
  readonly requestMilliseconds: number;
  /** The process may take so long to exit once its input has ended, or it has closed one of its pipes. */
  readonly exitMilliseconds: number;
  /** A line may have so many bytes in either direction; the default is the protocol's limit. */
  readonly lineBytes: number;
  /** So many last bytes of standard error are kept for the report. */
  readonly stderrBytes: number;
  /** The process may be restarted so often in a row without a good answer. */
  readonly restarts: number;
  /** The process may be restarted so often in all, and once more for every {@link ANSWERS} good answers. */
  readonly restartsInAll: number;
}

/**
 * So many good answers earn another restart: a long run may meet many rare crashes, but an engine that ends
 * at every third answer is not asked a whole campaign.
 */
export const ANSWERS = 50;

/** Generous enough for JAX on a busy machine. */
export const defaultLimits: Limits = {
  startMilliseconds: 60_000,
  requestMilliseconds: 30_000,
  exitMilliseconds: 5_000,
  lineBytes: MAXIMUM_LINE_BYTES,
  stderrBytes: 8 * 2 ** 10,
  restarts: 5,
  restartsInAll: 100,
};
