/** The seven bases of the International System of Units [SI 2.3.1]. */
export const siBases: readonly string[] = ["kg", "m", "s", "A", "K", "mol", "cd"];

/** A unit that is known by its name. */
export interface NamedUnit {
  readonly name: string;
  /** It is so much of bases and of units before it. */
  readonly is: string;
  /** Times a constant that is no product of powers of integers, if so; see `Unit.scale`. */
  readonly times?: string;
  /** It takes these prefixes; every one where this is left out. */
  readonly prefixes?: readonly string[];
}

const unprefixed: readonly string[] = [];

/** Makes a unit that takes every prefix. */
function coherent(name: string, is: string): NamedUnit {
  return { name, is };
}

/**
 * The units that are known by name, in order of definition: the gram, the coherent units with names of
 * their own [SI table 4], and the units accepted beside them [SI table 8]; of those that left the table, the
 * bar. Prefixes are the ones that the SI allows, or that are in use: a tonne that is made smaller would be a
 * foot (`ft`) or a pint (`pt`) to whoever wrote it. A dalton is measured, and not defined, so how many
 * kilograms it is stands for itself as `{Da}`.
 */
export const siUnits: readonly NamedUnit[] = [
  coherent("g", "1/1000 kg"),
  coherent("rad", "1"),
  coherent("sr", "1"),
  coherent("Hz", "1/s"),
  coherent("N", "kg·m/s^2"),
  coherent("Pa", "N/m^2"),
  coherent("J", "N·m"),
  coherent("W", "J/s"),
  coherent("C", "A·s"),
  coherent("V", "W/A"),
  coherent("F", "C/V"),
  coherent("ohm", "V/A"),
  coherent("Ω", "V/A"),
  coherent("S", "A/V"),
  coherent("Wb", "V·s"),
  coherent("T", "Wb/m^2"),
  coherent("H", "Wb/A"),
  coherent("lm", "cd·sr"),
  coherent("lx", "lm/m^2"),
  coherent("Bq", "1/s"),
  coherent("Gy", "J/kg"),
  coherent("Sv", "J/kg"),
  coherent("kat", "mol/s"),
  { name: "min", is: "60 s", prefixes: unprefixed },
  { name: "h", is: "60 min", prefixes: unprefixed },
  { name: "d", is: "24 h", prefixes: unprefixed },
  { name: "L", is: "1/1000 m^3" },
  { name: "l", is: "L" },
  { name: "t", is: "1000 kg", prefixes: ["M", "G", "T", "P"] },
  { name: "au", is: "149597870700 m", prefixes: unprefixed },
  { name: "ha", is: "10000 m^2", prefixes: unprefixed },
  { name: "π", is: "1", times: "π", prefixes: unprefixed },
  { name: "deg", is: "1/180", times: "π", prefixes: unprefixed },
  { name: "°", is: "deg", prefixes: unprefixed },
  { name: "arcmin", is: "1/60 deg", prefixes: unprefixed },
  { name: "arcsec", is: "1/60 arcmin", prefixes: ["m", "µ", "μ", "u"] },
  { name: "eV", is: "1602176634·10^-28 J" },
  { name: "Da", is: "kg", times: "{Da}", prefixes: ["k", "M", "G"] },
  { name: "u", is: "Da", prefixes: unprefixed },
  { name: "bar", is: "100000 Pa", prefixes: ["d", "m", "µ", "μ", "u", "k", "M", "G"] },
  { name: "%", is: "1/100", prefixes: unprefixed },
];

/** The prefixes that units known by name take, if not all. The kilogram has its own already. */
export const prefixesOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["kg", unprefixed],
  ...siUnits.flatMap(({ name, prefixes }) => (prefixes === undefined ? [] : [[name, prefixes] as const])),
]);

/** Units beside the SI, exactly [NIST 811 B.8], which are told to who writes them, and not taken. */
export const foreignUnits: ReadonlyMap<string, string> = new Map([
  ["in", "0.0254 m"],
  ["inch", "0.0254 m"],
  ["ft", "0.3048 m"],
  ["foot", "0.3048 m"],
  ["feet", "0.3048 m"],
  ["yd", "0.9144 m"],
  ["yard", "0.9144 m"],
  ["mi", "1609.344 m"],
  ["mile", "1609.344 m"],
  ["nmi", "1852 m"],
  ["kn", "1852/3600 m/s"],
  ["knot", "1852/3600 m/s"],
  ["mph", "0.44704 m/s"],
  ["kph", "km/h"],
  ["kmh", "km/h"],
  ["Å", "0.1 nm"],
  ["lb", "0.45359237 kg"],
  ["lbs", "0.45359237 kg"],
  ["oz", "0.028349523125 kg"],
  ["lbf", "0.45359237·9.80665 N"],
  ["psi", "0.45359237·9.80665 N/(0.0254 m)^2"],
  ["atm", "101325 Pa"],
  ["torr", "101325/760 Pa"],
  ["Torr", "101325/760 Pa"],
  ["erg", "1/10000000 J"],
  ["dyn", "1/100000 N"],
  ["Wh", "3600 J"],
  ["kWh", "3600000 J"],
  ["sec", "s"],
  ["hr", "h"],
  ["day", "d"],
  ["week", "7 d"],
  ["rpm", "1/60 Hz"],
  ["amu", "u"],
  ["gauss", "1/10000 T"],
]);

/** The reason why a name is no unit, and what to write. */
export interface UnitRefusal {
  readonly reason: string;
  readonly hint: string;
}

function refused(names: readonly string[], reason: string, hint: string): [string, UnitRefusal][] {
  return names.map((name) => [name, { reason, hint }]);
}

const inKelvin = "declare it in K; where differences alone occur, they are the same in both";

/** What has the name of a unit and is none, or is several, with the reason and what to write. */
export const unitRefusals: ReadonlyMap<string, UnitRefusal> = new Map([
  ...refused(
    ["°C", "degC", "celsius", "Celsius"],
    "0 °C is 273.15 K, so that it is no multiple of K",
    inKelvin,
  ),
  ...refused(["°F", "degF", "fahrenheit"], "0 °F is 255.37 K, so that it is no multiple of K", inKelvin),
  ...refused(
    ["Np", "B", "dB", "dBm", "pH"],
    "it is a logarithm, and no multiple of a unit",
    "declare the ratio: 1",
  ),
  ...refused(["cal", "kcal"], "a calorie is 4.184 J or 4.1868 J", "write which: 4.184 J"),
  ...refused(["yr", "year"], "a year has 365, 365.25 or 365.2425 d", "write which: 365.25 d"),
  ...refused(
    ["pt"],
    "a pint is one of three volumes, a point one of several lengths",
    "write which, in L or m",
  ),
  ...refused(["gal"], "a gallon is 3.785411784 L or 4.54609 L", "write which: 3.785411784 L"),
  ...refused(["hp"], "a horsepower is one of several powers", "write which, in W: 735.49875 W"),
  ...refused(
    ["kt"],
    "a knot is 1852/3600 m/s, a thousand tonnes are a gigagram",
    "write which: 1852/3600 m/s or Gg",
  ),
  ...refused(["ton"], "a ton is one of several masses", "write t for 1000 kg, or the mass in kg"),
]);

/** The prefixes of the International System and the powers of ten that they stand for [SI table 7]. */
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
