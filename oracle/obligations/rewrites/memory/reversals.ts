import { type Reversal, reversalsOf } from "../../../../engines/compile/plan/index.ts";
import type { Execution, Model, Obligation, ObligationMutant } from "../../obligation.ts";

/** A chain of steps: what each costs, what is kept of it, and what crosses into it from the step before. */
interface Chain {
  readonly work: readonly number[];
  readonly kept: readonly number[];
  readonly crossing: readonly number[];
  /** A unit of memory is so many elements, or one. */
  readonly unit?: number;
}

/**
 * Most sizes are small, so that memory is counted in single elements. The usual snapshot of the last chain is
 * a third of all that is kept, and 22 of 66 units.
 */
const chains: Readonly<Record<string, Chain>> = {
  even: { work: [1, 1, 1, 1, 1], kept: [1, 1, 1, 1, 1], crossing: [0, 1, 1, 1, 1] },
  uneven: { work: [3, 1, 4, 1], kept: [2, 3, 1, 2], crossing: [0, 1, 3, 2] },
  wide: { work: [2, 5, 1, 3], kept: [4, 1, 2, 1], crossing: [0, 1, 3, 2] },
  narrow: { work: [1, 2, 2, 1], kept: [0, 2, 2, 3], crossing: [0, 0, 2, 1] },
  coarse: { work: [2, 5], kept: [44, 22], crossing: [0, 22], unit: 100 },
};

/** Makes plans: for so many units of memory one, or none. */
type Planner = (chain: Chain) => {
  readonly units: number;
  readonly least: number;
  readonly within: (units: number) => Reversal | undefined;
};

const planner: Planner = ({ work, kept, crossing, unit = 1 }) =>
  reversalsOf(
    {
      starts: [...work.keys()],
      work: Float64Array.from(work),
      kept: Float64Array.from(kept, (size) => size * unit),
      crossing: Float64Array.from(crossing, (size) => size * unit),
    },
    Number.POSITIVE_INFINITY,
  );

const total = (sizes: readonly number[], from: number, to: number): number =>
  sizes.slice(from, to).reduce((sum, size) => sum + size, 0);

/** A plan takes so much work, and so much memory at most, as it says itself. */
interface Taken {
  readonly work: number;
  readonly memory: number;
}

function takenBy(chain: Chain, plan: Reversal, to: number): Taken {
  const { work, kept, crossing } = chain;
  if (plan.kind === "whole") {
    const isAll = plan.to === to;
    return { work: total(work, plan.from, to), memory: isAll ? total(kept, plan.from, to) : Infinity };
  }
  const [right, left] = [takenBy(chain, plan.right, to), takenBy(chain, plan.left, plan.between)];
  const fits = plan.right.from === plan.between && plan.left.from === plan.from;
  return {
    work: total(work, plan.from, plan.between) + right.work + left.work,
    memory: fits ? Math.max((crossing[plan.between] ?? 0) + right.memory, left.memory) : Infinity,
  };
}

/** No plan does so much work. */
const NONE = 1_000_000;

const nameOf = (from: number, to: number, units: number): string => `w_${from}_${to}_${units}`;

/**
 * Defines for each part and memory a number that some plan's work is, or one that is too great: the part is
 * whole, if what is kept has room, or split, after the steps to the split.
 */
function ways(chain: Chain, units: number): { readonly declarations: string; readonly formula: string } {
  const count = chain.work.length;
  const parts = Array.from({ length: count }, (_, from) =>
    Array.from({ length: count - from }, (_, n) => [from, from + n + 1] as const),
  ).flat();
  const all = parts.flatMap(([from, to]) =>
    Array.from({ length: units + 1 }, (_, m) => ({ from, to, m, name: nameOf(from, to, m) })),
  );
  const formulas = all.map(({ from, to, m, name }) => {
    const whole = total(chain.kept, from, to) <= m ? [`(= ${name} ${total(chain.work, from, to)})`] : [];
    const splits = Array.from({ length: to - from - 1 }, (_, n) => from + n + 1).flatMap((between) => {
      const left = m - (chain.crossing[between] ?? 0);
      const right = nameOf(between, to, left);
      const before = total(chain.work, from, between);
      return left < 0 ? [] : [`(= ${name} (+ ${before} ${right} ${nameOf(from, between, m)}))`];
    });
    return `(or (>= ${name} ${NONE}) ${[...whole, ...splits].join(" ")})`;
  });
  return {
    declarations: all.map(({ name }) => `(declare-const ${name} Int)`).join("\n"),
    formula: `(and true ${formulas.join("\n  ")})`,
  };
}

/** The plan for so much memory has room in it, and this work; no plan has none. */
function workOf(chain: Chain, plan: Reversal | undefined, units: number): number {
  if (plan === undefined) return NONE;
  const { work, memory } = takenBy(chain, plan, chain.work.length);
  return plan.from === 0 && memory <= units ? work : Infinity;
}

function goalOf(chain: Chain, plan: Planner, most: number): string {
  const { units, least, within } = plan(chain);
  const works = Array.from({ length: most + 1 }, (_, m) => workOf(chain, within(m), m));
  const claims = works.map((work, m) =>
    work === Infinity ? "false" : `(>= ${nameOf(0, chain.work.length, m)} ${work})`,
  );
  const first = works.findIndex((work) => work < NONE);
  return `(and (= ${units} ${most}) (= ${least} ${first}) ${claims.join(" ")})`;
}

/** Splits every part in its middle, if the whole has no room. */
const bisecting: Planner = (chain) => {
  const part = (from: number, to: number, m: number): Reversal | undefined => {
    if (total(chain.kept, from, to) <= m) return { kind: "whole", from, to };
    if (to - from < 2) return undefined;
    const between = from + ((to - from) >> 1);
    const right = part(between, to, m - (chain.crossing[between] ?? 0));
    const left = part(from, between, m);
    return right && left && { kind: "split", from, between, right, left };
  };
  const within = (m: number): Reversal | undefined => part(0, chain.work.length, m);
  const { units } = planner(chain);
  return { units, least: Array.from({ length: units + 1 }, (_, m) => m).findIndex(within), within };
};

/** Forgets that a snapshot takes memory. */
const weightless: Planner = (chain) => planner({ ...chain, crossing: chain.crossing.map(() => 0) });

/** Keeps every part in which no step is made twice, and never a part of several steps. */
const splitting: Planner = (chain) => {
  const { units, least, within } = planner(chain);
  const apart = (from: number, to: number): Reversal =>
    to - from < 2
      ? { kind: "whole", from, to }
      : { kind: "split", from, between: to - 1, right: apart(to - 1, to), left: apart(from, to - 1) };
  return { units, least, within: (m) => within(m) && apart(0, chain.work.length) };
};

function mutantOf(chain: Chain, most: number, [name, fault, wrong]: WrongPlanner): ObligationMutant {
  const names = Array.from({ length: most + 1 }, (_, m) => nameOf(0, chain.work.length, m));
  return {
    name,
    fault,
    goal: goalOf(chain, wrong, most),
    ask: names,
    execute: (model: Model): Execution => {
      const [right, other] = [planner, wrong].map((plan) => {
        const { within } = plan(chain);
        return names.map((_, m) => workOf(chain, within(m), m));
      });
      const found = names.map((one) => Number(model.get(one)));
      const isBest = (works: readonly number[] | undefined): boolean =>
        found.every((work, m) => (works?.[m] ?? 0) <= work);
      return {
        showsFault: isBest(right) && !isBest(other),
        told: `plans of work ${found.join(", ")} are found; the planner has ${right?.join(", ")}, the wrong one ${other?.join(", ")}`,
      };
    },
  };
}

type WrongPlanner = readonly [name: string, fault: string, plan: Planner];

const wrongPlanners: readonly WrongPlanner[] = [
  ["bisecting", "every part is split in its middle.", bisecting],
  ["weightless", "a snapshot takes no memory.", weightless],
  ["splitting", "steps are kept one by one.", splitting],
];

/** States that the planner's reversals of chains are the best that there are, for every amount of memory. */
export function reversalObligations(): readonly Obligation[] {
  return Object.entries(chains).map(([name, chain]): Obligation => {
    const most = total(chain.kept, 0, chain.kept.length);
    const { declarations, formula } = ways(chain, most);
    return {
      id: `rewrites/reversal/${name}`,
      statement: `Of the ${chain.work.length} steps of the chain ${name} the planner finds, for each of 0 to ${most} units of memory, a plan that has room there, and no plan that has does less work; or none, and there is none. The least memory for which there is one is known.`,
      clause: "SEMANTICS §7",
      logic: "QF_LIA",
      scope: { kind: "rewrite", rewrite: "checkpointing", format: "any" },
      tier: "everyday",
      declarations,
      hypotheses: [{ name: "plans", formula }],
      goal: goalOf(chain, planner, most),
      rlimit: 1_600_000,
      requiredCore: [],
      // Two steps can be split in their middle alone.
      mutants: wrongPlanners
        .filter(([, , wrong]) => wrong !== bisecting || chain.work.length > 2)
        .map((wrong) => mutantOf(chain, most, wrong)),
      dependsOn: [],
      metaArgument:
        "Induction over parts: a plan keeps a part whole or splits it. The planner's programs take what its plans say, which other obligations show to change no result.",
    };
  });
}
