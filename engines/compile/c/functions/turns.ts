import { DEPTH, twoOverPi } from "../../two_over_pi.ts";
import type { Chunks } from "./chunk.ts";

/**
 * The remainder by π/2 of large numbers [Payne and Hanek]: seven words of 27 bits of 2/π, of which the places
 * follow from the exponent, times the significand. The remainder is right to half a unit in its last place.
 * Source: M. Payne, R. Hanek, Radian reduction for trigonometric functions, 1983.
 */
export function turnsChunks(): Chunks {
  return {
    turns: {
      needs: ["bits_D"],
      text: `
/* The bits of 2/pi, lowest byte first. */
static const uint8_t two_over_pi[] = {
${wrapped([...twoOverPi()].map(String))}
};
static uint64_t shifted_left(uint64_t x, int count) {
  if (count >= 64 || count <= -64) return 0;
  return count >= 0 ? x << count : x >> -count;
}
/* The remainder by pi/2 of a number from 3/4 on, and the quarter turns modulo 4 [Payne and Hanek 1983]. */
static double remainder_of_quarter_turns(double a, int *turns) {
  const uint64_t mask = ((uint64_t)1 << 27) - 1;
  *turns = 0;
  if (!(a < INFINITE_D)) return NOT_A_NUMBER_D;
  int exponent = (int)(bits_D(a) >> 52) - 1075;
  uint64_t significand = (bits_D(a) & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  uint64_t low = significand & mask, high = significand >> 27, carry = 0, before = 0;
  uint64_t upper = 0, next = 0, top = 0;
  for (int w = 0; w < 7; w++) {
    int bit = ${DEPTH + 2 - 27 * 7} - exponent + 27 * w;
    uint64_t word = 0;
    for (int j = 4; j >= 0; j--) word = word << 8 | two_over_pi[(bit >> 3) + j];
    word = (word >> (bit & 7)) & mask;
    carry += low * word + high * before;
    before = word;
    uint64_t digit = carry & mask;
    carry >>= 27;
    /* The words begin with two bits of quarter turns; then come the bits of the fraction. */
    int shift = 64 - (7 - w) * 27;
    top |= shifted_left(digit, shift);
    upper |= shifted_left(digit, shift + 2);
    next |= shifted_left(digit, shift + 66);
  }
  *turns = (int)((top + ((uint64_t)1 << 61)) >> 62);
  int is_negative = (int)(upper >> 63);
  if (is_negative) { upper = ~upper; next = ~next; }
  int zeros = 0;
  while (!(upper >> 63)) { upper = upper << 1 | next >> 63; next <<= 1; zeros++; }
  const uint64_t rest = ((uint64_t)1 << 37) - 1;
  double head = (double)(upper & ~rest), tail = (double)(upper & rest);
  double sum = head * 1.5707963407039642 + (head * -1.3909067614167116e-8 + tail * ${Math.PI / 2});
  double r = sum * number_D((uint64_t)(1023 - 64 - zeros) << 52);
  return is_negative ? -r : r;
}`,
    },
  };
}

function wrapped(items: readonly string[]): string {
  const rows: string[] = [];
  for (let n = 0; n < items.length; n += 24) rows.push(`  ${items.slice(n, n + 24).join(", ")},`);
  return rows.join("\n");
}
