import {
  type EnvironmentValue,
  type Rational,
  rational,
  rationalFromNumber,
  tensor,
} from "../../../reference/index.ts";
import {
  propertiesOfFields,
  prunedTape,
  subjectOfData,
  type TapeSystem,
} from "../../../reference/tapes/index.ts";
import { graph } from "../../../spec/builder/index.ts";
import { isPrimitiveGraph, type PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, type NodeId, nodeId } from "../../../spec/shapes/index.ts";
import { meaningOf } from "../meaning.ts";
import type { Model, Obligation, ObligationMutant } from "../obligation.ts";
import { tabulated } from "../operators/index.ts";

/*
 * A pruned tape has a line for each node between an input and a seed, and no other. Which of its leaves are
 * inputs, and where seeds stand, is open here: the code runs for every choice, which makes a table of its
 * answers, and the table has to be what reachability says.
 */

const LEAVES = 3;

/** Leaf `n` is input `n` where it moves, else the constant node of that number. */
const moves = Array.from({ length: LEAVES }, (_, leaf) => `moves${leaf}`);

/** These nodes may be seeded. */
const seedable = [5, 7, 8];
const switches: readonly string[] = [...moves, ...seedable.map((index) => `seeded${index}`)];

/** Each node after the constants reads these, of nodes and leaves. */
type Parent = { readonly leaf: number } | { readonly node: number };
const reads: readonly (readonly Parent[])[] = [
  ...moves.map(() => []),
  [{ leaf: 0 }, { leaf: 1 }],
  [{ leaf: 2 }],
  [{ node: 3 }, { node: 4 }],
  [{ node: 5 }],
  [{ node: 4 }, { leaf: 0 }],
  [{ node: 6 }, { node: 7 }],
];

/** Which nodes have a line does not depend on numbers, so sines have no values. */
const withoutSines = tabulated(new Map());

type Choice = ReadonlySet<string>;

function programOf(choice: Choice): PrimitiveGraph {
  const program = graph(({ input, parameter }) => {
    const inputs = moves.map((_, leaf) => input(`x${leaf}`));
    const values = moves.map((_, leaf) => parameter(`k${leaf}`));
    for (const parents of reads.slice(LEAVES)) {
      const [one, other] = parents.map((parent) => {
        if ("node" in parent) return values[parent.node];
        return choice.has(`moves${parent.leaf}`) ? inputs[parent.leaf] : values[parent.leaf];
      });
      if (one === undefined) throw new InvariantError("a node reads what is there");
      values.push(other === undefined ? one.sin() : one.add(other));
    }
  });
  if (!isPrimitiveGraph(program)) throw new InvariantError("the graph is written with primitives");
  return program;
}

/** Records the graph of a choice, and says which nodes have a line. */
function linesOf(system: TapeSystem, choice: Choice): readonly boolean[] {
  const program = programOf(choice);
  const number = tensor([], () => rationalFromNumber(0));
  const environment = new Map(
    program.environment.map(({ name }): [string, EnvironmentValue<Rational>] => [
      name,
      { kind: "real", tensor: number },
    ]),
  );
  const of = seedable.flatMap((index): NodeId[] =>
    choice.has(`seeded${index}`) ? [nodeId(LEAVES + index)] : [],
  );
  const data = meaningOf(program, withoutSines);
  const subject = subjectOfData(rational.additive, data, {
    graph: program,
    semiring: rational.levels.semiring,
    meaningOf: (other) => ({ ok: true, value: meaningOf(other, withoutSines) }),
  });
  const recording = system.record(subject, { x: moves.map(() => number), environment }, of);
  if (!recording.ok) throw new InvariantError(recording.error.map(({ message }) => message).join(" "));
  const outputs = new Set(recording.value.entries.map(({ output }) => output));
  return reads.map((_, index) => outputs.has(nodeId(LEAVES + index)));
}

/** Says by a search for paths which nodes lie between an input and a seed. */
function wantedIn(choice: Choice): readonly boolean[] {
  const depends: boolean[] = [];
  for (const parents of reads)
    depends.push(
      parents.some((parent) =>
        "node" in parent ? depends[parent.node] === true : choice.has(`moves${parent.leaf}`),
      ),
    );
  const leads = reads.map((_, index) => choice.has(`seeded${index}`));
  for (const [index, parents] of [...reads.entries()].toReversed())
    for (const parent of parents) if ("node" in parent && leads[index] === true) leads[parent.node] = true;
  return reads.map((_, index) => depends[index] === true && leads[index] === true);
}

const choices: readonly Choice[] = Array.from(
  { length: 2 ** switches.length },
  (_, bits) => new Set(switches.filter((_name, place) => (bits >> place) % 2 === 1)),
);

/** Writes what the code answers for every choice. */
function tableOf(system: TapeSystem): readonly string[] {
  const answers = choices.map((choice) => linesOf(system, choice));
  return reads.map((_, index) => {
    const cases = choices.flatMap((choice, place) =>
      answers[place]?.[index] === true
        ? [`(and ${switches.map((name) => (choice.has(name) ? name : `(not ${name})`)).join(" ")})`]
        : [],
    );
    return `(define-fun line${index} () Bool (or false ${cases.join(" ")}))`;
  });
}

/** Writes what reachability says, node by node. */
function reachability(): readonly string[] {
  const told = (parent: Parent): string =>
    "node" in parent ? `depends${parent.node}` : `moves${parent.leaf}`;
  const depends = reads.map(
    (parents, index) => `(define-fun depends${index} () Bool (or false ${parents.map(told).join(" ")}))`,
  );
  const leads = reads.map((_, index) => {
    const readers = reads.flatMap((parents, other) =>
      parents.some((parent) => "node" in parent && parent.node === index) ? [`leads${other}`] : [],
    );
    const own = seedable.includes(index) ? [`seeded${index}`] : [];
    return `(define-fun leads${index} () Bool (or false ${[...own, ...readers].join(" ")}))`;
  });
  return [...depends, ...leads.toReversed()];
}

const goal = `(and ${reads.map((_, index) => `(= line${index} (and depends${index} leads${index}))`).join("\n  ")})`;

function written(system: TapeSystem): string {
  const declared = switches.map((name) => `(declare-const ${name} Bool)`);
  return [...declared, ...reachability(), ...tableOf(system)].join("\n");
}

const right = prunedTape(propertiesOfFields);

/** Says for each node whether inputs lead to it, as one who asks the same of every operand sees it. */
function whollyMoved(nodes: readonly { readonly reads: readonly NodeId[] }[], inputs: number): boolean[] {
  const depends = Array.from({ length: inputs }, () => true);
  for (const node of nodes) depends.push(node.reads.every((id) => depends[id] === true));
  return depends.slice(inputs);
}

const wrong: readonly (readonly [name: string, fault: string, system: TapeSystem])[] = [
  [
    "every-operand",
    "a node depends on an input if every operand does, so that constants do, of which each does",
    prunedTape(propertiesOfFields, {
      stays: ({ subject: { data }, of }) => {
        const leads = new Set<number>(of);
        for (const [index, node] of [...data.nodes.entries()].toReversed())
          if (leads.has(data.inputs.length + index)) for (const id of node.reads) leads.add(id);
        return whollyMoved(data.nodes, data.inputs.length).map(
          (depends, index) => depends && leads.has(data.inputs.length + index),
        );
      },
    }),
  ],
  [
    "every-node",
    "every node has a line",
    prunedTape(propertiesOfFields, { stays: ({ subject }) => subject.data.nodes.map(() => true) }),
  ],
];

function mutantOf([name, fault, system]: (typeof wrong)[number]): ObligationMutant {
  return {
    name,
    fault,
    declarations: written(system),
    ask: switches,
    execute: (model: Model) => {
      const choice = new Set(switches.filter((one) => model.get(one) === "true"));
      const wanted = wantedIn(choice).join(" ");
      const [good, bad] = [right, system].map((one) => linesOf(one, choice).join(" "));
      return {
        showsFault: good === wanted && bad !== wanted,
        told: `${[...choice].join(", ") || "nothing moves"}: lines are owed ${wanted}; the wrong tape has ${bad}`,
      };
    },
  };
}

/** States which nodes have a line on a pruned tape, whatever its leaves and seeds are. */
export function lineObligations(): readonly Obligation[] {
  return [
    {
      id: "tapes/lines/pruned",
      statement:
        "A pruned tape has a line for exactly the nodes between an input and a seed, whichever of the leaves are constants and wherever seeds stand.",
      clause: "SEMANTICS §3.8",
      logic: "QF_UF",
      scope: { kind: "graph", graph: "nine nodes over three leaves, each an input or a constant" },
      tier: "everyday",
      declarations: written(right),
      hypotheses: [],
      goal,
      rlimit: 500_000,
      requiredCore: [],
      mutants: wrong.map(mutantOf),
      dependsOn: [],
      metaArgument: `The table has the answers of the code that runs, for each of the ${choices.length} choices.`,
    },
  ];
}
