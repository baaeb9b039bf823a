/*
 * The rounding of posits in doubles, for widths up to 32, by the place where the posits near a number end
 * [Posit Standard (2022), 3.3 and 4.1]. The reference and the engines have definitions of their own.
 */

/** Rounding to nearest moves a number so far where precision tapers off. Both are monotone. */
export interface Taper {
  /** Returns the most by which it moves a number of at most this size: the least positive number, or more. */
  errorUpTo(size: number): number;
  /** The most that neighbours of at most this size, and the one above, are apart. */
  gapUpTo(size: number): number;
}

/** Returns the greatest posit of a width, 2^(4n − 8); the least positive one is its inverse. */
export function largestPosit(width: number): number {
  return 2 ** (4 * width - 8);
}

/** The posits around a positive number: `lower` is not above it, `upper` is next, `threshold` parts them. */
interface Cell {
  readonly lower: number;
  readonly threshold: number;
  readonly upper: number;
  /** The code of `lower` is even. */
  readonly isLowerEven: boolean;
}

/** Returns the cell of a number from the least positive posit to below the greatest. */
function cellOf(width: number, size: number): Cell {
  const scale = scaleOf(size);
  const regime = scale >> 2;
  // What the sign and the regime leave of the bits.
  const room = width - 1 - (regime < 0 ? 1 - regime : regime + 2);
  if (room >= 2) {
    const gap = 2 ** (scale - (room - 2));
    const steps = Math.floor(size / gap);
    // Without a fraction the last bit is the exponent's.
    const last = room > 2 ? steps : scale;
    const lower = steps * gap;
    return { lower, threshold: lower + gap / 2, upper: lower + gap, isLowerEven: last % 2 === 0 };
  }
  if (room === 1) {
    const lower = 2 ** (scale & ~1);
    return { lower, threshold: 2 * lower, upper: 4 * lower, isLowerEven: (scale & 2) === 0 };
  }
  const lower = 2 ** (4 * regime);
  // The last bit is the one that ends the regime.
  return { lower, threshold: 4 * lower, upper: 16 * lower, isLowerEven: regime >= 0 };
}

/** Returns `⌊log₂ size⌋` of a positive number that is no subnormal. */
function scaleOf(size: number): number {
  bits.setFloat64(0, size);
  return (bits.getUint16(0) >>> 4) - 1023;
}

const bits: DataView = new DataView(new ArrayBuffer(8));

/**
 * Returns the posit nearest to `x`, as a number: by the threshold, on it to the even code; never beyond the
 * greatest, and 0 of 0 alone. NaN stands for NaR, also of infinities. Zero keeps its sign, though posits have
 * one zero.
 */
export function roundToPositNumber(width: number, x: number): number {
  if (x === 0) return x;
  const size = Math.abs(x);
  if (!Number.isFinite(size)) return Number.NaN;
  const rounded = roundedSize(width, size);
  return x < 0 ? -rounded : rounded;
}

function roundedSize(width: number, size: number): number {
  const largest = largestPosit(width);
  if (size >= largest) return largest;
  if (size <= 1 / largest) return 1 / largest;
  const { lower, threshold, upper, isLowerEven } = cellOf(width, size);
  return size < threshold || (size === threshold && isLowerEven) ? lower : upper;
}

/** Bounds how far rounding to posits moves a number, up to the greatest; beyond it there is no bound. */
export function taperOf(width: number): Taper {
  const largest = largestPosit(width);
  const cellUpTo = (size: number): Cell | undefined =>
    size < 1 / largest ? undefined : cellOf(width, Math.min(size, largest / 2));
  return {
    errorUpTo: (size) => {
      const cell = cellUpTo(size);
      return cell === undefined
        ? 1 / largest
        : Math.max(cell.threshold - cell.lower, cell.upper - cell.threshold);
    },
    gapUpTo: (size) => {
      const cell = cellUpTo(size);
      return cell === undefined ? 1 / largest : cell.upper - cell.lower;
    },
  };
}
