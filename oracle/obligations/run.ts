import type { Answer, Obligation } from "./obligation.ts";
import { type Fault, isProved, type ProofRecord, prove } from "./prove.ts";
import { type Script, scriptsOf } from "./script.ts";
import type { Asked, Reply, Solver } from "./solve/index.ts";

/** A replay compares the second solver's answer to one script with the first's. */
export interface Replay {
  readonly script: Script;
  readonly reply: Reply;
  readonly outcome: "agrees" | "disagrees" | "no answer";
}

/** Drops agreements on scripts that assert nothing, since they say nothing. */
export function telling(replays: readonly Replay[]): readonly Replay[] {
  return replays.filter(({ script, outcome }) => !script.isEmpty || outcome === "disagrees");
}

/** An entry has all that a run found out about one obligation. */
export interface Entry {
  readonly obligation: Obligation;
  /** There is a record for each seed. */
  readonly records: readonly [ProofRecord, ...ProofRecord[]];
  readonly replays: readonly Replay[];
  /** This is empty if and only if all records are green, alike, and not contradicted. */
  readonly faults: readonly Fault[];
}

/** A run gets these orders. */
export interface RunOrders {
  readonly obligations: readonly Obligation[];
  /** Makes the solver of one lane; lanes run side by side. It is disposed of at the end. */
  readonly makeSolver: () => Solver;
  readonly lanes: number;
  /** Seeds 0 to `seeds` − 1 are tried. */
  readonly seeds: number;
  readonly timeout: number | undefined;
  readonly second: Solver | undefined;
  /** The second solver gets this many milliseconds a question, or {@link SECOND_TIMEOUT}. */
  readonly secondTimeout?: number;
  /** If true, all are asked; else a family stops at its first failing one. */
  readonly isAll?: boolean;
  /** Is told of each obligation when it is done, in no fixed order. */
  readonly onEntry: (entry: Entry) => void;
}

/** The second solver gets this many milliseconds a question: more than a contradiction takes is no answer. */
export const SECOND_TIMEOUT = 3_000;

/** Returns the family of an obligation: the first part of its id. */
export function familyOf({ id }: Pick<Obligation, "id">): string {
  return id.slice(0, id.indexOf("/"));
}

/**
 * Proves obligations side by side. What is begun is finished, and nothing more of a family in which one has
 * failed is asked. Law: the result is in their order, whatever the number of lanes.
 */
export async function runObligations(orders: RunOrders): Promise<readonly Entry[]> {
  const entries = new Map<string, Entry>();
  const failed = new Set<string>();
  const waiting = [...orders.obligations];
  const lane = async (): Promise<void> => {
    await using solver = orders.makeSolver();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (failed.has(familyOf(next))) continue;
      const entry = await proveOne(next, solver, orders);
      entries.set(next.id, entry);
      if (entry.faults.length > 0 && orders.isAll !== true) failed.add(familyOf(next));
      orders.onEntry(entry);
    }
  };
  await Promise.all(Array.from({ length: orders.lanes }, lane));
  return withDependencies(orders.obligations.flatMap(({ id }) => entries.get(id) ?? []));
}

async function proveOne(obligation: Obligation, solver: Solver, orders: RunOrders): Promise<Entry> {
  const options = orders.timeout === undefined ? {} : { timeout: orders.timeout };
  const first = await prove(obligation, solver, { ...options, seed: 0 });
  const others: ProofRecord[] = [];
  for (let seed = 1; seed < orders.seeds; seed += 1)
    others.push(await prove(obligation, solver, { ...options, seed }));
  const { second } = orders;
  const replays =
    second === undefined || obligation.crash !== undefined
      ? []
      : await replay(first, second, orders.secondTimeout);
  const faults = [
    ...first.faults,
    ...others.flatMap((record, index) => faultsOfSeed(first, record, index + 1)),
    ...replays.flatMap((each) => faultsOfReplay(each, second?.name ?? "")),
  ];
  return { obligation, records: [first, ...others], replays, faults };
}

/** Lists where another seed's answers, or what follows from them, differ from the first's. */
function faultsOfSeed(first: ProofRecord, other: ProofRecord, seed: number): readonly Fault[] {
  const others = answersOf(other);
  const differing = answersOf(first).flatMap(({ script, reply }, index) => {
    const said = others[index]?.reply;
    if (said?.answer.kind === reply.answer.kind) return [];
    return [`${script.name} (${told(reply)}; ${said === undefined ? "not asked" : told(said)})`];
  });
  if (differing.length === 0 && isProved(first) === isProved(other)) return [];
  const reasons = [...first.faults, ...other.faults].map(({ message }) => message);
  const what = differing.length > 0 ? differing : reasons;
  return [{ code: "seed", message: `seed 0 and seed ${seed} differ: ${what.join("; ")}` }];
}

function told({ answer, spent }: Reply): string {
  return `${answer.kind} after ${spent ?? "?"} steps`;
}

/** Lists the questions that are stored, in the order of `scriptsOf`. */
function answersOf({ vacuity, goal, mutants }: ProofRecord): readonly Asked[] {
  return [vacuity, goal, ...mutants];
}

async function replay(
  record: ProofRecord,
  second: Solver,
  timeout = SECOND_TIMEOUT,
): Promise<readonly Replay[]> {
  const { obligation } = record;
  const limits = { rlimit: obligation.rlimit, timeout };
  const answers = answersOf(record).map(({ reply }) => reply.answer);
  const replays: Replay[] = [];
  for (const [index, script] of scriptsOf(obligation).entries()) {
    const reply = await second.ask({ script, limits, seed: 0 });
    replays.push({ script, reply, outcome: compare(answers[index], reply.answer) });
  }
  return replays;
}

/** Compares two answers; they contradict only if both decide, since a time-out accuses nobody. */
function compare(first: Answer | undefined, second: Answer): Replay["outcome"] {
  if (second.kind !== "proved" && second.kind !== "refuted") return "no answer";
  if (first?.kind !== "proved" && first?.kind !== "refuted") return "no answer";
  return first.kind === second.kind ? "agrees" : "disagrees";
}

function faultsOfReplay({ script, reply, outcome }: Replay, name: string): readonly Fault[] {
  if (outcome !== "disagrees") return [];
  const said = reply.answer.kind === "proved" ? "unsat" : "sat";
  return [{ code: "second", message: `${name} disagrees on ${script.name}: it says ${said}` }];
}

/** Adds a fault to every entry that rests on one that is not green, however far away. */
function withDependencies(entries: readonly Entry[]): readonly Entry[] {
  const byId = new Map(entries.map((entry) => [entry.obligation.id, entry]));
  const failed = new Map<string, string>(
    entries.filter(({ faults }) => faults.length > 0).map(({ obligation }) => [obligation.id, "itself"]),
  );
  for (let isStable = false; !isStable; ) {
    isStable = true;
    for (const { obligation } of entries) {
      const rotten = obligation.dependsOn.find((id) => byId.has(id) && failed.has(id));
      if (rotten === undefined || failed.has(obligation.id)) continue;
      failed.set(obligation.id, rotten);
      isStable = false;
    }
  }
  return entries.map((entry) => {
    const why = failed.get(entry.obligation.id);
    if (why === undefined || why === "itself") return entry;
    return { ...entry, faults: [{ code: "depends", message: `it rests on ${why}, which is not proved` }] };
  });
}
