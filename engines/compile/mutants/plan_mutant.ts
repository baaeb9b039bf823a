import { accuracy, type Description, type Engine } from "../../../spec/contract/index.ts";
import { soundCompilation } from "../compilation.ts";
import { compiledEngine } from "../contract.ts";
import { buildAs, javascript } from "../javascript/index.ts";
import { javascriptScalars } from "../javascript/scalar/index.ts";
import { type Backend, type Passes, type Regime, type RewriteName, soundPasses } from "../plan/index.ts";
import type { LoweringTable } from "../plan/lower/index.ts";
import { type ScalarPasses, scalarPasses } from "../plan/scalar/index.ts";
import { scalarEngine } from "../scalar_contract.ts";

/** A compiled engine with one unsound rewrite, which a judge must tell from a right engine. */
export interface PlanMutant {
  readonly name: string;
  /** One sentence says what is wrong. */
  readonly fault: string;
  /** The rewrite whose law is broken. */
  readonly rewrite: RewriteName;
  /** The engine owes the reference's bits (`bit_exact`), or the truth within the bound (`fast`). */
  readonly regime: Regime;
  /** Makes a fresh engine with the fault. */
  engine(): Engine;
  /** Makes the same engine without the fault. */
  sound(): Engine;
}

/** A fault, and what it puts in place of parts of an engine. */
type Row = (Change | ScalarChange) & {
  readonly fault: string;
  readonly rewrite: RewriteName;
};

/** A compiled engine, in JavaScript unless `setting` says otherwise. */
interface Change extends Parts {
  readonly setting?: Setting;
}

/** The executor of scalar graphs in JavaScript, by runs. */
interface ScalarChange {
  readonly scalarPasses: Partial<ScalarPasses>;
}

/** These parts of a compiled engine may be replaced by faulty ones. */
interface Parts {
  readonly passes?: Partial<Passes>;
  readonly lowerings?: Partial<LoweringTable>;
  readonly backend?: Backend;
}

/** The engine compiles with this, with or without the fault. */
export interface Setting {
  /** The regime; `fast` by default. */
  readonly regime?: Regime;
  readonly backend?: Backend;
  /** With `least`, values take as few bytes at a time as the planner finds. */
  readonly memory?: "least";
  readonly accuracy?: Description["accuracy"];
}

/** This backend keeps all values in memory, which small programs would otherwise do without. */
export const loops: Backend = { name: "javascript loops", build: (order) => buildAs(order, "loops") };

/** Makes the mutants of a family, a row for each, under its name. */
export function planMutantTable(rows: Readonly<Record<string, Row>>): readonly PlanMutant[] {
  return Object.entries(rows).map(([name, row]) => {
    const { fault, rewrite } = row;
    const [wrong, right] = [`mutant: ${name}`, `without the fault of ${name}`];
    const about = { name, fault, rewrite };
    if ("scalarPasses" in row) {
      const engine = (): Engine => scalar(wrong, { ...scalarPasses, ...row.scalarPasses });
      return { ...about, regime: "fast", engine, sound: () => scalar(right, scalarPasses) };
    }
    const { setting = {} } = row;
    const { regime = "fast" } = setting;
    return {
      ...about,
      regime,
      engine: () => compiled(wrong, setting, row),
      sound: () => compiled(right, setting),
    };
  });
}

const version = "0.1.0";

function compiled(name: string, setting: Setting, { passes, lowerings, backend }: Parts = {}): Engine {
  const { regime = "fast", memory } = setting;
  return compiledEngine({
    name,
    version,
    accuracy: setting.accuracy ?? accuracy,
    regime,
    backend: backend ?? setting.backend ?? javascript,
    ...(memory === undefined ? {} : { memory }),
    parts: {
      ...soundCompilation,
      passes: { ...soundPasses, ...passes },
      lowerings: { ...soundCompilation.lowerings, ...lowerings },
    },
  });
}

function scalar(name: string, passes: ScalarPasses): Engine {
  const backend = javascriptScalars;
  return scalarEngine({ name, version, accuracy, regime: "fast", backend, shortestRun: 0, passes });
}
