/** Floats are taken apart here, big-endian, so that the word with the sign comes first. */
const words: DataView = new DataView(new ArrayBuffer(8));

/** Returns the number of a code of at most 32 bits, a double of 28 bits, exponents to ±120; NaN for NaR. */
export function positToDouble(width: number, code: number): number {
  if (code === 0) return 0;
  if (code === -(2 ** (width - 1))) return Number.NaN;
  // These are the bits after the sign, at the upper end of a word.
  const body = (code < 0 ? -code : code) << (33 - width);
  const run = body < 0 ? Math.clz32(~body) : Math.clz32(body);
  const rest = run > 30 ? 0 : body << (run + 1);
  const scale = 4 * (body < 0 ? run - 1 : -run) + (rest >>> 30);
  const fraction = rest << 2;
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
export function doubleToPosit(width: number, x: number, rest: number): number {
  if (x === 0) return 0;
  if (x - x !== 0) return -(2 ** (width - 1));
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
  const size = sizeOf(width, high, low);
  return x < 0 ? -size : size;
}

/** Returns the code of a positive number from the words of a double, ignoring its sign. */
function sizeOf(width: number, high: number, low: number): number {
  const scale = ((high >>> 20) & 0x7ff) - 1023;
  const greatest = 4 * width - 8;
  if (scale >= greatest) return 2 ** (width - 1) - 1;
  if (scale < -greatest) return 1;
  const regime = scale >> 2;
  const room = width - 1 - (regime < 0 ? 1 - regime : regime + 2);
  const run = regime < 0 ? 1 : ((1 << (regime + 2)) - 2) | 0;
  // There are two bits of exponent and 30 of the fraction; 22 more are in the lower word.
  const bits = ((scale & 3) << 30) | ((high & 0xfffff) << 10) | (low >>> 22);
  const code = (run << room) | (room === 0 ? 0 : bits >>> (32 - room));
  const cut = bits << room;
  const isAbove = cut << 1 !== 0 || (low & 0x3fffff) !== 0;
  return cut < 0 && (isAbove || (code & 1) !== 0) ? code + 1 : code;
}
