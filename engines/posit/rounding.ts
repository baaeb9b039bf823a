import { isBounded, type PositFormat, positReach } from "../../spec/wire/index.ts";

/** Floats are taken apart here, big-endian, so that the word with the sign comes first. */
const words: DataView = new DataView(new ArrayBuffer(8));

/** A format with what follows from it. */
export interface PositLayout extends PositFormat {
  /** Positive posits lie from 2 to minus this power to 2 to this power. */
  readonly reach: number;
  readonly notReal: number;
  readonly greatest: number;
  /** These bits of a scale are the exponent. */
  readonly exponentMask: number;
  readonly isBounded: boolean;
}

/** Returns the layout of a format of at most 32 bits. */
export function layoutOf(format: PositFormat): PositLayout {
  const { width, exponentBits } = format;
  return {
    ...format,
    reach: positReach(format),
    notReal: -(2 ** (width - 1)),
    greatest: 2 ** (width - 1) - 1,
    exponentMask: 2 ** exponentBits - 1,
    isBounded: isBounded(format),
  };
}

/** Returns the number of a code of at most 32 bits, a double; NaN for NaR. */
export function positToDouble(layout: PositLayout, code: number): number {
  const { width, regimeBits, exponentBits, exponentMask } = layout;
  if (code === 0) return 0;
  if (code === layout.notReal) return Number.NaN;
  // These are the bits after the sign, at the upper end of a word.
  const body = (code < 0 ? -code : code) << (33 - width);
  const equal = body < 0 ? Math.clz32(~body) : Math.clz32(body);
  const run = equal < regimeBits ? equal : regimeBits;
  // No bit ends the longest regime.
  const used = equal < regimeBits ? run + 1 : run;
  const rest = used > 31 ? 0 : body << used;
  const regime = body < 0 ? run - 1 : -run;
  const exponent = ((rest >>> 1) >>> (31 - exponentBits)) & exponentMask;
  const scale = (regime << exponentBits) + exponent;
  const fraction = rest << exponentBits;
  words.setInt32(0, ((scale + 1023) << 20) | (fraction >>> 12));
  words.setInt32(4, fraction << 20);
  const size = words.getFloat64(0);
  return code < 0 ? -size : size;
}

/**
 * Rounds a number once: `x` plus a rest too small for it, of the sign of `rest`; NaR for NaN and ∞. The rest
 * moves an even last bit of `x` to the odd neighbour on its side (rounding to odd: Boldo and Melquiond,
 * 2008), which is no threshold, as those have 29 bits. Then the posit's bits are those of `x`, cut where they
 * leave the word.
 */
export function doubleToPosit(layout: PositLayout, x: number, rest: number): number {
  if (x === 0) return 0;
  if (x - x !== 0) return layout.notReal;
  words.setFloat64(0, x);
  let high = words.getInt32(0);
  let low = words.getInt32(4);
  if (rest !== 0 && (low & 1) === 0) {
    if (rest > 0 === x > 0) low |= 1;
    else {
      if (low === 0) high -= 1;
      low = (low - 1) | 0;
    }
  }
  const size = sizeOf(layout, high, low);
  return x < 0 ? -size : size;
}

/** Returns the code of a positive number from the words of a double, ignoring its sign. */
function sizeOf(layout: PositLayout, high: number, low: number): number {
  const { exponentBits, reach } = layout;
  const scale = ((high >>> 20) & 0x7ff) - 1023;
  if (scale >= reach) return layout.greatest;
  if (scale < -reach) return 1;
  const regime = scale >> exponentBits;
  const run = regime < 0 ? -regime : regime + 1;
  const end = run < layout.regimeBits ? 1 : 0;
  const room = layout.width - 1 - run - end;
  const field = regime < 0 ? end : ((1 << run) - 1) << end;
  // The exponent's bits and those of the fraction fill a word; the others are in the lower word.
  const exponent = ((scale & layout.exponentMask) << (31 - exponentBits)) << 1;
  const bits = exponent | ((high & 0xfffff) << (12 - exponentBits)) | (low >>> (20 + exponentBits));
  const code = (field << room) | (room === 0 ? 0 : bits >>> (32 - room));
  const cut = bits << room;
  const isAbove = cut << 1 !== 0 || low << (12 - exponentBits) !== 0;
  const rounded = cut < 0 && (isAbove || (code & 1) !== 0) ? code + 1 : code;
  return layout.isBounded ? Math.max(1, Math.min(rounded, layout.greatest)) : rounded;
}
