/** The seven bases of the International System of Units (BIPM, The SI, 9th edition, §2.3.1). */
export const siBases: readonly string[] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/** Its coherent units with own names (§2.3.4) and those accepted beside (§4), in order of definition. */
export const siUnits: readonly (readonly [name: string, definition: string])[] = [
  ["g", "1/1000 kg"],
  ["rad", "1"],
  ["sr", "1"],
  ["Hz", "1/s"],
  ["N", "kg·m/s^2"],
  ["Pa", "N/m^2"],
  ["J", "N·m"],
  ["W", "J/s"],
  ["C", "A·s"],
  ["V", "W/A"],
  ["F", "C/V"],
  ["ohm", "V/A"],
  ["Ω", "V/A"],
  ["S", "A/V"],
  ["Wb", "V·s"],
  ["T", "Wb/m^2"],
  ["H", "Wb/A"],
  ["lm", "cd·sr"],
  ["lx", "lm/m^2"],
  ["Bq", "1/s"],
  ["Gy", "J/kg"],
  ["Sv", "J/kg"],
  ["kat", "mol/s"],
  ["min", "60 s"],
  ["h", "60 min"],
  ["d", "24 h"],
  ["L", "1/1000 m^3"],
  ["t", "1000 kg"],
];

/**
 * These units take no prefix but the ones given here: times that are accepted beside the International
 * System have none (§4), and a tonne that is made smaller, or thousandfold, would be a foot (`ft`), a pint
 * (`pt`) or a knot (`kt`) to whoever wrote it.
 */
export const prefixesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["min", []],
  ["h", []],
  ["d", []],
  ["t", ["M", "G", "T", "P"]],
]);

/** The prefixes of the International System and the powers of ten that they stand for (§3). */
export const siPrefixes: ReadonlyMap<string, number> = new Map([
  ["da", 1],
  ["Q", 30],
  ["R", 27],
  ["Y", 24],
  ["Z", 21],
  ["E", 18],
  ["P", 15],
  ["T", 12],
  ["G", 9],
  ["M", 6],
  ["k", 3],
  ["h", 2],
  ["d", -1],
  ["c", -2],
  ["m", -3],
  ["µ", -6],
  ["μ", -6],
  ["u", -6],
  ["n", -9],
  ["p", -12],
  ["f", -15],
  ["a", -18],
  ["z", -21],
  ["y", -24],
  ["r", -27],
  ["q", -30],
]);
