/** Multiples of the golden ratio fill the interval from 0 to 1 evenly, and so does every n-th of them. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Returns place number `turn` of an even walk through `count` places: turns that follow each other, or every
 * n-th, visit most places before one comes again, so that cases which know nothing of each other share them.
 */
export function placeAt(turn: number, count: number): number {
  return Math.floor(((turn * GOLDEN) % 1) * count);
}
