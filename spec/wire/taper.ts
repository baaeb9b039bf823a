import { isBounded, type PositFormat, positReach } from "./posit_format.ts";

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

/** Returns the bits that follow the longest regime. */
function roomAtEnds({ width, regimeBits }: PositFormat): number {
  return width - 1 - regimeBits;
}

/** Returns the greatest posit: 2ᴱ, or where regimes are bounded what the bits behind the longest reach. */
export function largestPosit(format: PositFormat): number {
  const [reach, room] = [positReach(format), roomAtEnds(format)];
  if (!isBounded(format)) return 2 ** reach;
  const fraction = room - format.exponentBits;
  return fraction < 0 ? 2 ** (reach - 2 ** -fraction) : 2 ** reach - 2 ** (reach - 1 - fraction);
}

/** Returns the least positive posit. Where regimes are bounded it is more than 2⁻ᴱ, whose code 0 has. */
export function leastPosit(format: PositFormat): number {
  const [reach, room] = [positReach(format), roomAtEnds(format)];
  if (!isBounded(format)) return 2 ** -reach;
  const fraction = room - format.exponentBits;
  return fraction <= 0 ? 2 ** (2 ** -fraction - reach) : 2 ** -reach + 2 ** -(reach + fraction);
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
function cellOf({ width, regimeBits, exponentBits }: PositFormat, size: number): Cell {
  const scale = scaleOf(size);
  const regime = scale >> exponentBits;
  const run = regime < 0 ? -regime : regime + 1;
  // What the sign and the regime leave of the bits.
  const room = width - 1 - (run < regimeBits ? run + 1 : run);
  if (room > 0 && room >= exponentBits) {
    const gap = 2 ** (scale - (room - exponentBits));
    const steps = Math.floor(size / gap);
    // Without a fraction the last bit is the exponent's.
    const last = room > exponentBits ? steps : scale;
    const lower = steps * gap;
    return { lower, threshold: lower + gap / 2, upper: lower + gap, isLowerEven: last % 2 === 0 };
  }
  // So many bits of the exponent are missing; the next one parts the neighbours.
  const missing = exponentBits - room;
  const lower = 2 ** ((scale >> missing) << missing);
  const threshold = missing === 0 ? 1.5 * lower : lower * 2 ** (2 ** (missing - 1));
  // Without an exponent the last bit is the one that ends the regime.
  const isLowerEven = room > 0 ? ((scale >> missing) & 1) === 0 : regime >= 0;
  return { lower, threshold, upper: lower * 2 ** (2 ** missing), isLowerEven };
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
export function roundToPositNumber(format: PositFormat, x: number): number {
  if (x === 0) return x;
  const size = Math.abs(x);
  if (!Number.isFinite(size)) return Number.NaN;
  const rounded = roundedSize(format, size);
  return x < 0 ? -rounded : rounded;
}

function roundedSize(format: PositFormat, size: number): number {
  const [least, largest] = [leastPosit(format), largestPosit(format)];
  if (size >= largest) return largest;
  if (size <= least) return least;
  const { lower, threshold, upper, isLowerEven } = cellOf(format, size);
  return size < threshold || (size === threshold && isLowerEven) ? lower : upper;
}

/** Bounds how far rounding to posits moves a number, up to the greatest; beyond it there is no bound. */
export function taperOf(format: PositFormat): Taper {
  const [least, largest] = [leastPosit(format), largestPosit(format)];
  // This is in the last cell.
  const most = largest * (1 - 2 ** -52);
  const cellUpTo = (size: number): Cell | undefined =>
    size < least ? undefined : cellOf(format, Math.min(size, most));
  // What lies between 0 and the least goes to the least.
  return {
    errorUpTo: (size) => {
      const cell = cellUpTo(size);
      return cell === undefined
        ? least
        : Math.max(least, cell.threshold - cell.lower, cell.upper - cell.threshold);
    },
    gapUpTo: (size) => {
      const cell = cellUpTo(size);
      return cell === undefined ? least : Math.max(least, cell.upper - cell.lower);
    },
  };
}
