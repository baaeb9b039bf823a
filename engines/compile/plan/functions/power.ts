/** `x` to the power `y` as IEEE 754 has it: `**` alone is NaN where 1 or −1 is raised to an infinite power, and 1 to NaN. */
export function power(x: number, y: number): number {
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return 1;
  return x ** y;
}
