import type { Precision } from "../executable.ts";

/** Bytes of a number. */
export const bytesPerNumber: Readonly<Record<Precision, number>> = { float64: 8, float32: 4 };
