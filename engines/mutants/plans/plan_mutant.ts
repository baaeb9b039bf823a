import { accuracy } from "../../accuracy.ts";
import { soundCompilation } from "../../compile/compilation.ts";
import { compiledEngine } from "../../compile/contract.ts";
import { scalarEngine } from "../../compile/scalar_contract.ts";
import type { Description, Engine } from "../../engine.ts";
import { buildAs } from "../../javascript/backend.ts";
import { javascript } from "../../javascript/index.ts";
import { javascriptScalars } from "../../javascript/scalar/index.ts";
import type { Backend } from "../../plan/executable.ts";
import type { LoweringTable } from "../../plan/lower/lowering.ts";
import { type Passes, soundPasses } from "../../plan/planned.ts";
import type { Profile, RewriteName } from "../../plan/rewrite.ts";
import { type ScalarPasses, scalarPasses } from "../../plan/scalar/index.ts";

/** A compiled engine one of whose rewrites is unsound: what a judge must be able to tell from a right engine. */
export interface PlanMutant extends About {
  /** What the engine owes: under `bit_exact` the reference's bits, under `fast` the true answer within the derived bound. */
  readonly profile: Profile;
  /** A fresh engine with the fault. */
  engine(): Engine;
  /** The same engine without the fault. */
  sound(): Engine;
}

/** What a mutant says of itself. */
interface About {
  readonly name: string;
  /** What is wrong, in one sentence. */
  readonly fault: string;
  /** The rewrite whose law is broken. */
  readonly rewrite: RewriteName;
}

/** How the engine compiles, fault or not. */
export interface Setting {
  /** `fast`, if not said. */
  readonly profile?: Profile;
  readonly backend?: Backend;
  /** Bytes that values may take at a time. */
  readonly memory?: number;
  readonly accuracy?: Description["accuracy"];
}

/** What a fault puts in place of parts of the engine. */
export interface Change {
  readonly passes?: Partial<Passes>;
  readonly lowerings?: Partial<LoweringTable>;
  readonly backend?: Backend;
}

/** A backend that keeps all values in memory, where small programs would do without. */
export const loops: Backend = { name: "javascript loops", build: (order) => buildAs(order, "loops") };

/** A compiled engine with `change` in place of its own parts; in JavaScript, if `setting` does not say otherwise. */
export function plantPlan(about: About, change: Change, setting: Setting = {}): PlanMutant {
  const { profile = "fast", backend = javascript, memory } = setting;
  const engineWith = (name: string, { passes, lowerings, backend: other = backend }: Change): Engine =>
    compiledEngine({
      name,
      version,
      accuracy: setting.accuracy ?? accuracy,
      profile,
      backend: other,
      ...(memory === undefined ? {} : { memory }),
      parts: {
        ...soundCompilation,
        passes: { ...soundPasses, ...passes },
        lowerings: { ...soundCompilation.lowerings, ...lowerings },
      },
    });
  return {
    ...about,
    profile,
    engine: () => engineWith(`mutant: ${about.name}`, change),
    sound: () => engineWith(`without the fault of ${about.name}`, {}),
  };
}

/** The executor of scalar graphs in JavaScript, by runs, with `change` in place of parts of its planner. */
export function plantScalarPlan(about: About, change: Partial<ScalarPasses>): PlanMutant {
  const profile = "fast";
  const engineWith = (name: string, passes: ScalarPasses): Engine =>
    scalarEngine({ name, version, accuracy, profile, backend: javascriptScalars, shortestRun: 0, passes });
  return {
    ...about,
    profile,
    engine: () => engineWith(`mutant: ${about.name}`, { ...scalarPasses, ...change }),
    sound: () => engineWith(`without the fault of ${about.name}`, scalarPasses),
  };
}

const version = "0.1.0";
