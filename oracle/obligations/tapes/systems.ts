import { symbolic } from "../../../reference/algebras/symbolic/index.ts";
import {
  backpropAllCtx,
  type Context,
  type EnvironmentValue,
  type Tensor,
  tensor,
  zeros,
} from "../../../reference/index.ts";
import {
  binomialTape,
  onlineTape,
  optimalTape,
  segmentTape,
  subjectOfData,
  type TapeSystem,
  tapeMutants,
  tapeSystems,
} from "../../../reference/tapes/index.ts";
import { graph } from "../../../spec/builder/index.ts";
import { isPrimitiveGraph, type PrimitiveGraph } from "../../../spec/graph/index.ts";
import {
  type Algebra,
  at,
  InvariantError,
  type NodeId,
  nodeId,
  ok,
  present,
} from "../../../spec/shapes/index.ts";
import { type Compared, comparedMutant, equationsOf, type Pair } from "../derivatives/index.ts";
import { made } from "../made.ts";
import { meaningOf } from "../meaning.ts";
import type { Obligation, ObligationMutant } from "../obligation.ts";
import { anywhere, type Place, writeStatement } from "../operators/index.ts";

/*
 * Every tape system of the reference records a run of unknowns and sweeps back from unknown cotangents. What
 * comes out has to be what `backpropAllCtx` gives for the same unknowns.
 */

/** A graph is recorded, with seeds at some of its ids. */
interface Recorded {
  readonly says: string;
  readonly program: PrimitiveGraph;
  readonly of: readonly NodeId[];
}

/** Seeds stand at the last id, and at the one this many before it. */
function recorded(says: string, before: number, program: ReturnType<typeof graph>): Recorded {
  if (!isPrimitiveGraph(program)) throw new InvariantError(`${says} is written with primitives`);
  const last = program.inputs.length + program.nodes.length - 1;
  return { says, program, of: [nodeId(last - before), nodeId(last)] };
}

const programs = {
  constants: recorded(
    "products, quotients and differences with constants, some of which no input moves, and ones that come to nothing",
    3,
    graph(({ input, parameter, full }) => {
      const [x, y] = [input("x"), input("y")];
      const [three, one, k] = [full({ shape: [], value: 3 }), full({ shape: [], value: 1 }), parameter("k")];
      const fixed = three.multiply(k);
      const scaled = x.multiply(fixed);
      const other = k.multiply(y).multiply(three);
      scaled.multiply(y);
      const apart = scaled.subtract(other).add(scaled.subtract(scaled));
      apart.divide(k).multiply(one).multiply(fixed.add(y)).exp();
    }),
  ),
  chain: recorded(
    "a chain of eleven steps, each of which reads the one before",
    4,
    graph(({ input }) => {
      const [x, y] = [input("x"), input("y")];
      const steps = [x, y, x, y, x];
      steps.reduce((state, other) => state.multiply(other).subtract(y), x.sin());
    }),
  ),
  choices: recorded(
    "a condition, both of whose branches are read again, of vectors and of their sum",
    1,
    graph(({ input, where }) => {
      const [x, y] = [input("x", [2]), input("y", [2])];
      const chosen = where(x.less(y), x.multiply(y), y.exp());
      chosen
        .add(x)
        .sum({ axes: [0], keepdims: false })
        .broadcast_to({ shape: [2] })
        .multiply(chosen);
    }),
  ),
} as const;

type Named = readonly [name: string, system: TapeSystem];

/** Systems with fewer snapshots than the table's are run too, on a chain. */
const shortOfSlots: readonly Named[] = [
  ...[1, 2, 3].flatMap((slots): Named[] => [
    [`checkpointed-${slots}`, binomialTape(slots)],
    [`checkpointed-online-${slots}`, onlineTape(slots)],
    [`checkpointed-optimum-${slots}`, optimalTape(slots)],
  ]),
  ...[1, 2].map((segments): Named => [`checkpointed-segments-${segments}`, segmentTape(segments)]),
];

/** Pairs a system's cotangents with those of `backpropAllCtx`. */
function comparedOf(system: TapeSystem, { program, of }: Recorded): Compared {
  return {
    pairs: (algebra, scalar) => {
      const { data, x, environment, seed, additive } = settingOf(algebra, program, of, scalar);
      const subject = subjectOfData(additive, data, {
        graph: program,
        semiring: algebra.levels.semiring,
        meaningOf: (other) => ok(meaningOf(other, algebra)),
      });
      const recording = system.record(subject, { x, environment }, of);
      if (!recording.ok) throw new InvariantError(recording.error.map(({ message }) => message).join(" "));
      const swept = recording.value.backward(seed);
      if (!swept.ok) throw new InvariantError(swept.error.message);
      const seeds = subject.shapes.map((shape, id) => seed.get(nodeId(id)) ?? zeros(additive, shape));
      const all = backpropAllCtx(additive, data, x, environment, seeds);
      return paired(swept.value, system.reach === "all" ? all : all.slice(0, data.inputs.length));
    },
  };
}

function settingOf<S, B>(
  algebra: Algebra<S, B>,
  program: PrimitiveGraph,
  of: readonly NodeId[],
  scalar: (name: string) => S,
) {
  const data = meaningOf(program, algebra);
  const shapes = [...data.inputs, ...data.nodes.map(({ shape }) => shape)];
  const named = (name: string, shape: readonly number[]): Tensor<S> =>
    tensor(shape, (position) => scalar(`${name}.${position}`));
  const entries = program.environment.map(({ name, shape }): [string, EnvironmentValue<S>] => [
    name,
    { kind: "real", tensor: named(`e.${name}`, shape) },
  ]);
  return {
    additive: algebra.additive,
    data,
    x: data.inputs.map((shape, id) => named(`x${id}`, shape)),
    environment: new Map(entries),
    seed: new Map(of.map((id): [NodeId, Tensor<S>] => [id, named(`seed${id}`, at(shapes, id))])),
  };
}

function paired<S>(got: Context<S>, wanted: Context<S>): readonly Pair<S>[] {
  if (got.length !== wanted.length) throw new InvariantError("a tape has a cotangent for each id");
  return wanted.flatMap((tensor, id) =>
    tensor.data.map(
      (right, position): Pair<S> => [present(at(got, id).data[position], "an element of a cotangent"), right],
    ),
  );
}

/** Leaves the seeds alone to the solver, which are linear; or fixes them too, where values need not be. */
const places: readonly Place[] = [
  (name) => (name.startsWith("seed") ? undefined : fixedAt(name)),
  (name) => (name.startsWith("seed") ? fixedAt(name) : undefined),
  anywhere,
];

/** Gives each unknown another small number. */
function fixedAt(name: string): number {
  return 2 + ([...name].reduce((sum, letter) => 7 * sum + letter.charCodeAt(0), 0) % 11);
}

/** Makes a tape that drops the seed at the last id: every system can have this fault. */
function forgetful(system: TapeSystem): TapeSystem {
  return {
    ...system,
    record: (subject, point, of) => {
      const recording = system.record(subject, point, of);
      if (!recording.ok) return recording;
      const { value: tape } = recording;
      return ok({
        system: tape.system,
        entries: tape.entries,
        backward: (seed) => tape.backward(new Map([...seed].slice(0, -1))),
        begin: (seed) => tape.begin(new Map([...seed].slice(0, -1))),
        release: () => tape.release(),
        measure: () => tape.measure(),
      });
    },
  };
}

/** At most this many wrong tapes are planted in the other programs. */
const MOST_MUTANTS = 2;

function mutantsOf([name, system]: Named, run: Recorded): readonly ObligationMutant[] {
  const right = comparedOf(system, run);
  const where = `the ${name} tape of ${run.says}`;
  // The first program shows them all; on the others a few are enough.
  const most = run === programs.constants ? Number.POSITIVE_INFINITY : MOST_MUTANTS;
  const planted = tapeMutants.filter(
    ({ of, system: { reach } }) => of === system.name && reach === system.reach,
  );
  const wrong = [
    ...planted.map((mutant) => ({ name: mutant.name, says: mutant.says, system: mutant.system })),
    { name: "forgets-seed", says: "drops the seed at the last id", system: forgetful(system) },
  ];
  const mutants: ObligationMutant[] = [];
  for (const { name: fault, says, system: other } of wrong) {
    if (mutants.length === most) break;
    const variants = { right, wrong: comparedOf(other, run) };
    if (!runs(variants.wrong)) continue;
    const mutant = comparedMutant(variants, {
      name: fault,
      fault: `the tape ${says}`,
      where,
      places,
      hypotheses: [],
    });
    if (mutant !== undefined) mutants.push(mutant);
  }
  return mutants;
}

/** Tells whether a wrong tape comes to an end: some faults show as a refusal, which has no model. */
function runs(wrong: Compared): boolean {
  const algebra = symbolic();
  try {
    wrong.pairs(algebra, algebra.variable);
    return true;
  } catch {
    return false;
  }
}

function systemObligation(named: Named, label: string, run: Recorded): Obligation {
  const id = `tapes/systems/${named[0]}/${label}`;
  return made(id, () => madeOf(id, named, run));
}

function madeOf(id: string, [name, system]: Named, run: Recorded): Obligation {
  const algebra = symbolic();
  const { goals } = equationsOf(algebra, comparedOf(system, run).pairs(algebra, algebra.variable));
  const { declarations, goal } = writeStatement([], goals);
  const reach = system.reach === "all" ? "of every id" : "of every input";
  return {
    id,
    statement: `The ${name} tape that runs gives, from any cotangents at two ids, the cotangent ${reach} that backpropAllCtx gives, for ${run.says} and all real numbers, whatever the elementary functions are.`,
    clause: "SEMANTICS §4.13",
    logic: "QF_NRA",
    scope: { kind: "graph", graph: run.says },
    tier: "everyday",
    declarations,
    hypotheses: [],
    goal,
    rlimit: 900_000,
    requiredCore: [],
    mutants: mutantsOf([name, system], run),
    dependsOn: [],
    metaArgument:
      "The terms are what the system's own code computes over symbols when it records and sweeps, each case of what is selected apart. An unknown stands for each value of an elementary function and for each reciprocal.",
  };
}

/** States that each tape system, run on unknowns, gives the cotangents of `backpropAllCtx`. */
export function systemObligations(): readonly Obligation[] {
  return [
    ...tapeSystems.flatMap((system) =>
      Object.entries(programs).map(([label, run]) => systemObligation([system.name, system], label, run)),
    ),
    ...shortOfSlots.map((named) => systemObligation(named, "chain", programs.chain)),
  ];
}
