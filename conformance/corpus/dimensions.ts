import { type Builder, graph, type Value } from "../../spec/builder/index.ts";
import { InvariantError, type NodeId, present } from "../../spec/shapes/index.ts";
import type { MeasureJson, UnitsJson } from "../../spec/wire/index.ts";
import { column, declareField, type Field, type FieldAt, meanSquare, squares } from "./dimension_networks.ts";

/** A physics-informed loss whose dimensions agree, or a twin of it in which two dimensions clash. */
export interface DimensionCase {
  /** Names law and variant: `heat/accepted`, `heat/missing_factor`. */
  readonly name: string;
  readonly units: UnitsJson;
  /** Two unequal dimensions of a twin meet at this id; the two stand in either order. */
  readonly culprit?: { readonly id: NodeId; readonly sides: readonly [string, string] };
}

/** A law's loss is written with these: its fields and its constants, by name. */
interface Setting {
  field(name: string): FieldAt;
  given(name: string): Value;
}

type Write = (setting: Setting) => Value;

/** A twin of a law: what its loss has wrong, the two dimensions that clash there, and how it is written. */
type Wrong = readonly [note: string, sides: readonly [string, string], write: Write];

/** A law: its fields and constants with their units, its loss, and ways to write the loss wrongly. */
interface Law {
  readonly note: string;
  readonly coordinates: Readonly<Record<string, string>>;
  /** Units of the fields' values. */
  readonly fields: Readonly<Record<string, string>>;
  readonly constants: Readonly<Record<string, string>>;
  readonly loss: Write;
  readonly wrong: Readonly<Record<string, Wrong>>;
}

/** Adds the squares of two parameters' cotangents, as a gradient norm over all parameters does. */
function norm(name: string, first: number, second: number): Write {
  return ({ field }) => squares(field(name).gradient(first)).add(squares(field(name).gradient(second)));
}

/**
 * Writes sums and differences of products of constants, fields and their derivatives: `u.t - alpha * u.xx`.
 * Parts are computed from left to right.
 */
function written(text: string): Write {
  return ({ field, given }) => {
    const factor = (word: string): Value => {
      const [name = "", orders] = word.split(".");
      if (orders === "value") return field(name).value;
      return orders === undefined ? given(name) : field(name).by(...orders);
    };
    const product = (words: string): Value => {
      const [head = "", ...tail] = words.split(" * ");
      return tail.reduce((all, word) => all.multiply(factor(word)), factor(head));
    };
    const [first = "", ...others] = text.split(/ (?=[+-] )/);
    return others.reduce((sum, other) => {
      const part = product(other.slice(2));
      return other.startsWith("-") ? sum.subtract(part) : sum.add(part);
    }, product(first));
  };
}

/** Takes the mean square of what is written. */
function mean(text: string): Write {
  return (setting) => meanSquare(written(text)(setting));
}

const ofParameters = "one norm over the gradients of parameters of different dimension";

const laws: Readonly<Record<string, Law>> = {
  newton: {
    note: "m ẍ = F",
    coordinates: { t: "s" },
    fields: { x: "m" },
    constants: { m: "kg", F: "N" },
    loss: mean("x.tt * m - F"),
    wrong: {
      missing_factor: ["the mass is missing: ẍ − F", ["m·s⁻²", "kg·m·s⁻²"], written("x.tt - F")],
      wrong_order: [
        "the velocity stands for the acceleration: m ẋ − F",
        ["kg·m·s⁻¹", "kg·m·s⁻²"],
        written("x.t * m - F"),
      ],
      gradient_norm: [ofParameters, ["m²·s²", "m²"], norm("x", 0, 1)],
    },
  },
  oscillator: {
    note: "m ẍ + c ẋ + k x = 0",
    coordinates: { t: "s" },
    fields: { x: "m" },
    constants: { m: "kg", c: "kg/s", k: "N/m", x0: "m" },
    loss: mean("x.tt * m + x.t * c + k * x.value"),
    wrong: {
      missing_factor: [
        "the spring's constant is missing: m ẍ + c ẋ + x",
        ["kg·m·s⁻²", "m"],
        written("x.tt * m + x.t * c + x.value"),
      ],
      wrong_order: [
        "the damping has a second derivative: m ẍ + c ẍ",
        ["kg·m·s⁻²", "kg·m·s⁻³"],
        written("x.tt * m + x.tt * c"),
      ],
      unweighted_start: [
        "the residual's mean square and the initial condition's are added without a weight",
        ["kg²·m²·s⁻⁴", "m²"],
        (setting) => mean("x.tt * m + k * x.value")(setting).add(mean("x.value - x0")(setting)),
      ],
      gradient_norm: [ofParameters, ["m²·s²", "m²"], norm("x", 0, 1)],
    },
  },
  heat: {
    note: "u_t = α u_xx",
    coordinates: { x: "m", t: "s" },
    fields: { u: "K" },
    constants: { alpha: "m^2/s", source: "K/s" },
    loss: mean("u.t - alpha * u.xx"),
    wrong: {
      missing_factor: ["the diffusivity is missing: u_t − u_xx", ["s⁻¹·K", "m⁻²·K"], written("u.t - u.xx")],
      wrong_order: [
        "a first derivative in space: u_t − α u_x",
        ["s⁻¹·K", "m·s⁻¹·K"],
        written("u.t - alpha * u.x"),
      ],
      gradient_norm: [ofParameters, ["m²·K²", "K²"], norm("u", 0, 2)],
    },
  },
  wave: {
    note: "u_tt = c² u_xx",
    coordinates: { x: "m", t: "s" },
    fields: { u: "m" },
    constants: { c: "m/s" },
    loss: mean("u.tt - c * c * u.xx"),
    wrong: {
      missing_factor: [
        "the speed is not squared: u_tt − c u_xx",
        ["m·s⁻²", "s⁻¹"],
        written("u.tt - c * u.xx"),
      ],
      wrong_order: [
        "a first derivative in time: u_t − c² u_xx",
        ["m·s⁻¹", "m·s⁻²"],
        ({ field, given }) => {
          const u = field("u");
          return u.by("t").subtract(given("c").square().multiply(u.by("x", "x")));
        },
      ],
      gradient_norm: [ofParameters, ["m⁴", "m²"], norm("u", 0, 2)],
    },
  },
  burgers: {
    note: "u_t + u u_x = ν u_xx",
    coordinates: { x: "m", t: "s" },
    fields: { u: "m/s" },
    constants: { nu: "m^2/s" },
    loss: mean("u.t + u.value * u.x - nu * u.xx"),
    wrong: {
      missing_factor: ["nothing is carried: u_t + u_x", ["m·s⁻²", "s⁻¹"], written("u.t + u.x")],
      wrong_order: [
        "the viscosity has a first derivative: u u_x − ν u_x",
        ["m·s⁻²", "m²·s⁻²"],
        written("u.value * u.x - nu * u.x"),
      ],
      gradient_norm: [ofParameters, ["m⁴·s⁻²", "m²·s⁻²"], norm("u", 0, 2)],
    },
  },
  navier_stokes: {
    note: "ρ (u_t + u u_x + v u_y) = −p_x + μ (u_xx + u_yy), and u_x + v_y = 0",
    coordinates: { x: "m", y: "m", t: "s" },
    fields: { u: "m/s", v: "m/s", p: "Pa" },
    constants: { rho: "kg/m^3", mu: "Pa·s", force: "N/m^3", rate: "1/s" },
    loss: (setting) => {
      const { field, given } = setting;
      const continuity = field("u").by("x").add(field("v").by("y"));
      const momentum = meanSquare(momentumOf(setting).divide(given("force")));
      return momentum.add(meanSquare(continuity.divide(given("rate"))));
    },
    wrong: {
      missing_factor: [
        "the density is missing before the acceleration",
        ["m·s⁻²", "kg·m⁻²·s⁻²"],
        (setting) => accelerationOf(setting).add(setting.field("p").by("x")),
      ],
      wrong_order: [
        "the viscosity has first derivatives",
        ["kg·m⁻²·s⁻²", "kg·m⁻¹·s⁻²"],
        (setting) => {
          const { field, given } = setting;
          const u = field("u");
          const driven = given("rho").multiply(accelerationOf(setting)).add(field("p").by("x"));
          return driven.subtract(given("mu").multiply(u.by("x").add(u.by("y"))));
        },
      ],
      unweighted_sum: [
        "the mean squares of momentum and continuity are added without a weight",
        ["kg²·m⁻⁴·s⁻⁴", "s⁻²"],
        (setting) => {
          const continuity = setting.field("u").by("x").add(setting.field("v").by("y"));
          return meanSquare(momentumOf(setting)).add(meanSquare(continuity));
        },
      ],
      gradient_norm: [
        "one norm over the gradients of a velocity's and of the pressure's weights",
        ["m⁴·s⁻²", "m²·s⁻²"],
        norm("u", 0, 3),
      ],
    },
  },
};

function accelerationOf({ field }: Setting): Value {
  const [u, v] = [field("u"), field("v")];
  return u
    .by("t")
    .add(u.value.multiply(u.by("x")))
    .add(v.value.multiply(u.by("y")));
}

function momentumOf(setting: Setting): Value {
  const { field, given } = setting;
  const u = field("u");
  const driven = given("rho").multiply(accelerationOf(setting)).add(field("p").by("x"));
  return driven.subtract(given("mu").multiply(u.by("x", "x").add(u.by("y", "y"))));
}

/** Writes the loss of a law, or of its twin, with one network for each field. */
function unitsOf(law: Law, note: string, write: Write): { units: UnitsJson; last: NodeId } {
  const inputs: Record<string, MeasureJson> = { ...law.coordinates, ...law.constants };
  const coordinates = Object.keys(law.coordinates);
  let last: Value | undefined;
  const written = graph((builder) => {
    last = write(settingOf(builder, law, coordinates, inputs));
  });
  if (last === undefined) throw new InvariantError("a law has a loss");
  return { units: { format: "adjudge.units.v1", note, inputs, graph: written }, last: last.id };
}

function settingOf(
  builder: Builder,
  law: Law,
  coordinates: readonly string[],
  inputs: Record<string, MeasureJson>,
): Setting {
  const values = new Map<string, Value>();
  for (const name of [...coordinates, ...Object.keys(law.constants)]) {
    values.set(name, builder.input(name, coordinates.includes(name) ? column : []));
  }
  const declared = Object.entries(law.fields).map(([name, unit]) => {
    const field: Field = { name, coordinates };
    for (const coordinate of coordinates)
      inputs[`${name}_${coordinate}`] = `1/(${law.coordinates[coordinate]})`;
    inputs[`${name}_bias`] = "1";
    inputs[`${name}_out`] = unit;
    return [name, declareField(builder, field)] as const;
  });
  // A field is placed once, and only after all inputs are declared.
  const placed = new Map<string, FieldAt>();
  const fields = new Map(declared);
  return {
    given: (name) => present(values.get(name), name),
    field: (name) => {
      const known = placed.get(name) ?? present(fields.get(name), name)(values);
      placed.set(name, known);
      return known;
    },
  };
}

/** Returns each law with its twins. */
export function dimensionCases(): DimensionCase[] {
  return Object.entries(laws).flatMap(([name, law]) => {
    const accepted = unitsOf(law, law.note, law.loss);
    return [
      { name: `${name}/accepted`, units: accepted.units },
      ...Object.entries(law.wrong).map(([twin, [note, sides, write]]) => {
        const { units, last } = unitsOf(law, `${law.note}; ${note}`, write);
        return { name: `${name}/${twin}`, units, culprit: { id: last, sides } };
      }),
    ];
  });
}

/** Returns the cases as files; `index.json` says what each must come to, for tools without certificates. */
export function dimensionFiles(): readonly { readonly path: string; readonly text: string }[] {
  const cases = dimensionCases();
  const index = cases.map(({ name, units: { note }, culprit }) => ({
    file: `${name}.json`,
    note,
    accepted: culprit === undefined,
    ...culprit,
  }));
  return [
    { path: "index.json", text: `${JSON.stringify(index, undefined, 2)}\n` },
    ...cases.map(({ name, units }) => ({ path: `${name}.json`, text: `${JSON.stringify(units)}\n` })),
  ];
}
