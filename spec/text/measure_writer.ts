import type { RangeJson } from "../explained/index.ts";
import type { MeasureJson } from "../wire/index.ts";
import { measuredAs } from "./forms.ts";
import type { Beside } from "./measure_reader.ts";
import { nameText, numberText } from "./words.ts";

/** A unit whose signs are told apart without quotes. */
const PLAIN_UNIT =
  /^(?=[\p{L}_(0-9°])(?:[\p{L}_][\p{L}\p{M}0-9_]*|[0-9]+(?:\.[0-9]+)?|[*/^·⋅°⁰¹²³⁴-⁹⁻()+-]| (?=[^ ]))+$/u;

/** Writes a unit that can be read: as it is, or in quotes. */
function unitText(unit: string): string {
  const isPlain = PLAIN_UNIT.test(unit) && !/\balong\b|\(\)|\( | \)/u.test(unit);
  return isPlain ? unit : JSON.stringify(unit);
}

/** Writes what stands behind a declaration. */
function behind(measure: MeasureJson | undefined, range: RangeJson | undefined): string {
  const { unit, along = [] } = typeof measure === "object" ? measure : { unit: measure };
  return measuredAs(
    range?.map(numberText).join(".."),
    unit === undefined ? undefined : unitText(unit),
    along.map(({ axis, units }) => ({ axis, units: units.map(unitText) })),
  );
}

/** Writes what stands behind the inputs, the entries of Δ and the values of a graph. */
export class Behind {
  readonly #beside: Beside;

  constructor(beside: Beside) {
    this.#beside = beside;
  }

  input(id: number, name: string): string {
    const { units, ranges } = this.#beside;
    return behind(own(units?.inputs, name) ?? own(units?.nodes, `${id}`), own(ranges?.inputs, name));
  }

  entry(name: string): string {
    const { units, ranges } = this.#beside;
    return behind(own(units?.environment, name), own(ranges?.environment, name));
  }

  value(id: number): string {
    return behind(own(this.#beside.units?.nodes, `${id}`), undefined);
  }
}

function own<T>(all: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return all !== undefined && Object.hasOwn(all, name) ? all[name] : undefined;
}

/** Writes the lines that name bases, and define units. */
export function unitLines({ units }: Beside): readonly string[] {
  const { bases = [], units: defined = {} } = units ?? {};
  return [
    ...(bases.length === 0 ? [] : [`base ${bases.map(nameText).join(" ")}`]),
    ...Object.entries(defined).map(([name, unit]) => `unit ${nameText(name)} = ${unitText(unit)}`),
  ];
}
