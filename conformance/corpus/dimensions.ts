import { type Builder, graph, type Value } from "../../spec/builder/index.ts";
import { InvariantError, type NodeId, present } from "../../spec/shapes/index.ts";
import type { MeasureJson, UnitsJson } from "../../spec/wire/index.ts";
import { column, declareField, type Field, type FieldAt, meanSquare, squares } from "./dimension_networks.ts";

/** A physics-informed loss whose dimensions agree, or a twin of it in which two dimensions clash. */
export interface DimensionCase {
  /** Names law and variant: `heat/accepted`, `heat/missing_factor`. */
  readonly name: string;
  readonly units: UnitsJson;
  /** In a twin, the id at which two unequal dimensions meet, and the two, in either order. */
  readonly culprit?: { readonly id: NodeId; readonly sides: readonly [string, string] };
}

/** What a law's loss is written with: its fields and its constants, by name. */
interface Setting {
  field(name: string): FieldAt;
  given(name: string): Value;
}

/** A twin of a law: how its loss is written wrongly, and the two dimensions that clash there. */
interface Wrong {
  readonly note: string;
  readonly sides: readonly [string, string];
  readonly write: (setting: Setting) => Value;
}

/** A law: its fields and constants with their units, its loss, and ways to write the loss wrongly. */
interface Law {
  readonly note: string;
  readonly coordinates: Readonly<Record<string, string>>;
  /** Units of the fields' values. */
  readonly fields: Readonly<Record<string, string>>;
  readonly constants: Readonly<Record<string, string>>;
  readonly loss: (setting: Setting) => Value;
  readonly wrong: Readonly<Record<string, Wrong>>;
}

/** Adds the squares of two parameters' cotangents, as a gradient norm over all parameters does. */
function normOf(name: string): (setting: Setting) => Value {
  return ({ field }) => squares(field(name).gradient(0)).add(squares(field(name).gradient(2)));
}

function inTime(m: Value | undefined, u: FieldAt, ...orders: readonly string[]): Value {
  const slope = u.by(...orders);
  return m === undefined ? slope : slope.multiply(m);
}

const laws: Readonly<Record<string, Law>> = {
  newton: {
    note: "m ẍ = F",
    coordinates: { t: "s" },
    fields: { x: "m" },
    constants: { m: "kg", F: "N" },
    loss: ({ field, given }) => meanSquare(inTime(given("m"), field("x"), "t", "t").subtract(given("F"))),
    wrong: {
      missing_factor: {
        note: "the mass is missing: ẍ − F",
        sides: ["m·s⁻²", "kg·m·s⁻²"],
        write: ({ field, given }) => field("x").by("t", "t").subtract(given("F")),
      },
      wrong_order: {
        note: "the velocity stands for the acceleration: m ẋ − F",
        sides: ["kg·m·s⁻¹", "kg·m·s⁻²"],
        write: ({ field, given }) => inTime(given("m"), field("x"), "t").subtract(given("F")),
      },
      gradient_norm: {
        note: "one norm over the gradients of parameters of different dimension",
        sides: ["m²·s²", "m²"],
        write: ({ field }) => squares(field("x").gradient(0)).add(squares(field("x").gradient(1))),
      },
    },
  },
  oscillator: {
    note: "m ẍ + c ẋ + k x = 0",
    coordinates: { t: "s" },
    fields: { x: "m" },
    constants: { m: "kg", c: "kg/s", k: "N/m", x0: "m" },
    loss: ({ field, given }) => {
      const x = field("x");
      const inertia = inTime(given("m"), x, "t", "t").add(inTime(given("c"), x, "t"));
      return meanSquare(inertia.add(given("k").multiply(x.value)));
    },
    wrong: {
      missing_factor: {
        note: "the spring's constant is missing: m ẍ + c ẋ + x",
        sides: ["kg·m·s⁻²", "m"],
        write: ({ field, given }) =>
          inTime(given("m"), field("x"), "t", "t")
            .add(inTime(given("c"), field("x"), "t"))
            .add(field("x").value),
      },
      wrong_order: {
        note: "the damping has a second derivative: m ẍ + c ẍ",
        sides: ["kg·m·s⁻²", "kg·m·s⁻³"],
        write: ({ field, given }) =>
          inTime(given("m"), field("x"), "t", "t").add(inTime(given("c"), field("x"), "t", "t")),
      },
      unweighted_start: {
        note: "the residual's mean square and the initial condition's are added without a weight",
        sides: ["kg²·m²·s⁻⁴", "m²"],
        write: ({ field, given }) => {
          const x = field("x");
          const residual = inTime(given("m"), x, "t", "t").add(given("k").multiply(x.value));
          return meanSquare(residual).add(meanSquare(x.value.subtract(given("x0"))));
        },
      },
      gradient_norm: {
        note: "one norm over the gradients of parameters of different dimension",
        sides: ["m²·s²", "m²"],
        write: ({ field }) => squares(field("x").gradient(0)).add(squares(field("x").gradient(1))),
      },
    },
  },
  heat: {
    note: "u_t = α u_xx",
    coordinates: { x: "m", t: "s" },
    fields: { u: "K" },
    constants: { alpha: "m^2/s", source: "K/s" },
    loss: ({ field, given }) =>
      meanSquare(
        field("u")
          .by("t")
          .subtract(given("alpha").multiply(field("u").by("x", "x"))),
      ),
    wrong: {
      missing_factor: {
        note: "the diffusivity is missing: u_t − u_xx",
        sides: ["s⁻¹·K", "m⁻²·K"],
        write: ({ field }) => field("u").by("t").subtract(field("u").by("x", "x")),
      },
      wrong_order: {
        note: "a first derivative in space: u_t − α u_x",
        sides: ["s⁻¹·K", "m·s⁻¹·K"],
        write: ({ field, given }) =>
          field("u")
            .by("t")
            .subtract(given("alpha").multiply(field("u").by("x"))),
      },
      gradient_norm: {
        note: "one norm over the gradients of parameters of different dimension",
        sides: ["m²·K²", "K²"],
        write: normOf("u"),
      },
    },
  },
  wave: {
    note: "u_tt = c² u_xx",
    coordinates: { x: "m", t: "s" },
    fields: { u: "m" },
    constants: { c: "m/s" },
    loss: ({ field, given }) => {
      const c = given("c");
      return meanSquare(
        field("u")
          .by("t", "t")
          .subtract(c.multiply(c).multiply(field("u").by("x", "x"))),
      );
    },
    wrong: {
      missing_factor: {
        note: "the speed is not squared: u_tt − c u_xx",
        sides: ["m·s⁻²", "s⁻¹"],
        write: ({ field, given }) =>
          field("u")
            .by("t", "t")
            .subtract(given("c").multiply(field("u").by("x", "x"))),
      },
      wrong_order: {
        note: "a first derivative in time: u_t − c² u_xx",
        sides: ["m·s⁻¹", "m·s⁻²"],
        write: ({ field, given }) =>
          field("u")
            .by("t")
            .subtract(given("c").square().multiply(field("u").by("x", "x"))),
      },
      gradient_norm: {
        note: "one norm over the gradients of parameters of different dimension",
        sides: ["m⁴", "m²"],
        write: normOf("u"),
      },
    },
  },
  burgers: {
    note: "u_t + u u_x = ν u_xx",
    coordinates: { x: "m", t: "s" },
    fields: { u: "m/s" },
    constants: { nu: "m^2/s" },
    loss: ({ field, given }) => {
      const u = field("u");
      const carried = u.by("t").add(u.value.multiply(u.by("x")));
      return meanSquare(carried.subtract(given("nu").multiply(u.by("x", "x"))));
    },
    wrong: {
      missing_factor: {
        note: "nothing is carried: u_t + u_x",
        sides: ["m·s⁻²", "s⁻¹"],
        write: ({ field }) => field("u").by("t").add(field("u").by("x")),
      },
      wrong_order: {
        note: "the viscosity has a first derivative: u u_x − ν u_x",
        sides: ["m·s⁻²", "m²·s⁻²"],
        write: ({ field, given }) => {
          const u = field("u");
          return u.value.multiply(u.by("x")).subtract(given("nu").multiply(u.by("x")));
        },
      },
      gradient_norm: {
        note: "one norm over the gradients of parameters of different dimension",
        sides: ["m⁴·s⁻²", "m²·s⁻²"],
        write: normOf("u"),
      },
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
      missing_factor: {
        note: "the density is missing before the acceleration",
        sides: ["m·s⁻²", "kg·m⁻²·s⁻²"],
        write: (setting) => accelerationOf(setting).add(setting.field("p").by("x")),
      },
      wrong_order: {
        note: "the viscosity has first derivatives",
        sides: ["kg·m⁻²·s⁻²", "kg·m⁻¹·s⁻²"],
        write: (setting) => {
          const { field, given } = setting;
          const u = field("u");
          const driven = given("rho").multiply(accelerationOf(setting)).add(field("p").by("x"));
          return driven.subtract(given("mu").multiply(u.by("x").add(u.by("y"))));
        },
      },
      unweighted_sum: {
        note: "the mean squares of momentum and continuity are added without a weight",
        sides: ["kg²·m⁻⁴·s⁻⁴", "s⁻²"],
        write: (setting) => {
          const continuity = setting.field("u").by("x").add(setting.field("v").by("y"));
          return meanSquare(momentumOf(setting)).add(meanSquare(continuity));
        },
      },
      gradient_norm: {
        note: "one norm over the gradients of a velocity's and of the pressure's weights",
        sides: ["m⁴·s⁻²", "m²·s⁻²"],
        write: ({ field }) => squares(field("u").gradient(0)).add(squares(field("u").gradient(3))),
      },
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
function unitsOf(
  law: Law,
  note: string,
  write: (setting: Setting) => Value,
): { units: UnitsJson; last: NodeId } {
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
      ...Object.entries(law.wrong).map(([twin, { note, sides, write }]) => {
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
