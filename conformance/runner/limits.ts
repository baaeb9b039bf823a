import { MAXIMUM_LINE_BYTES } from "../protocol/index.ts";

/** What a testee may take before the runner gives up on it. */
export interface Limits {
  /** From the start of the process to the answer to `hello`; Python's imports take seconds. */
  readonly startMilliseconds: number;
  /** For one answer, counted from when all earlier ones had come. */
  readonly requestMilliseconds: number;
  /** For the process to exit once its input has ended, or once it has closed one of its pipes. */
  readonly exitMilliseconds: number;
  /** In one line, in either direction; the protocol's own limit is the default. */
  readonly lineBytes: number;
  /** How much of the end of standard error is kept for the report. */
  readonly stderrBytes: number;
  /** How often in a row the process may be started anew without a single good answer in between. */
  readonly restarts: number;
}

/** Generous enough for JAX on a busy machine. */
export const defaultLimits: Limits = {
  startMilliseconds: 60_000,
  requestMilliseconds: 30_000,
  exitMilliseconds: 5_000,
  lineBytes: MAXIMUM_LINE_BYTES,
  stderrBytes: 8 * 2 ** 10,
  restarts: 5,
};
