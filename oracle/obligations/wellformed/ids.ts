import { backwardDenseFrom, compile, float64, interpret, tensor } from "../../../reference/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { PrimitiveGraph } from "../../../spec/graph/index.ts";
import { InvariantError, nodeId, present } from "../../../spec/shapes/index.ts";
import type { Execution } from "../obligation.ts";
import { between, judged, type Lemma, type Numbers, thrownBy, within } from "./lemma.ts";

const additive = present(float64.levels.additive, "addition of floats");
const scalar = (x: number) => tensor([], () => x);
const noEnvironment: ReadonlyMap<string, never> = new Map<string, never>();

/** Builds inputs and then nodes, each the negative of the first input, but the last of `parent`. */
function chain(inputs: number, nodes: number, parent: number): PrimitiveGraph {
  return {
    format: "adjudge.graph.v1",
    inputs: Array.from({ length: inputs }, (_, id) => ({ name: `x${id}`, shape: [] })),
    environment: [],
    nodes: Array.from({ length: nodes }, (_, index) => ({
      op: "negative",
      attributes: {},
      parents: [nodeId(index === nodes - 1 ? parent : 0)],
    })),
  };
}

/** Interprets, compiles and sweeps a graph whether or not `check` accepts it; returns what fails. */
function failureOfGraph(graph: PrimitiveGraph): string | undefined {
  return thrownBy(() => {
    const data = interpret(graph, float64);
    if (!data.ok) throw new InvariantError("floats have what every graph needs");
    const compiled = compile(
      additive,
      data.value,
      graph.inputs.map(() => scalar(1)),
      noEnvironment,
    );
    if (!compiled.ok) throw new InvariantError(compiled.error.message);
    const { tape } = compiled.value;
    const swept = backwardDenseFrom(
      additive,
      tape,
      tape.map(() => scalar(1)),
    );
    if (!swept.ok) throw new InvariantError(swept.error.message);
  });
}

/** Checks that `check` refuses a parent that a wrong check accepts, which then reads out of bounds. */
function checked(
  { inputs = 0, index = 0, parent = 0 }: Numbers,
  isAccepted: (parent: number, seen: number) => boolean,
): Execution {
  const graph = chain(inputs, index + 1, parent);
  const isRefused = !checkGraph(JSON.parse(JSON.stringify(graph))).ok;
  const earlier = checkGraph(JSON.parse(JSON.stringify(chain(inputs, index + 1, inputs + index - 1))));
  const isWronglyAccepted = isAccepted(parent, inputs + index);
  const right = isRefused && earlier.ok ? undefined : "check is wrong about it";
  return judged(
    right,
    isWronglyAccepted ? failureOfGraph(graph) : undefined,
    `the parent ${parent} of id ${inputs + index}`,
  );
}

const parentLemma: Lemma = {
  name: "ids/parents",
  statement: "What check accepts has the ids of its parents below its own",
  logic: "QF_LIA",
  subject: "check",
  symbols: ["parent", "seen", "inputs", "index", "id"],
  hypotheses: [
    { name: "schema", formula: "(>= parent 0)" },
    { name: "scope", formula: "(= seen (+ inputs index))" },
    { name: "position", formula: "(= id (+ inputs index))" },
    { name: "accepted", formula: "(not (>= parent seen))" },
  ],
  goal: within("parent", "id"),
  metaArgument:
    "`scope`: the shapes are those of the inputs, and `checkNode` adds one for each node, refused or not. `accepted`: no parent was found late.",
  mutants: [
    {
      name: "any-parent",
      fault: "forward references are accepted.",
      without: "accepted",
      small: `(and ${between(1, 5, "inputs")} ${between(0, 5, "index")} ${between(0, 20, "parent")})`,
      execute: (numbers) => checked(numbers, () => true),
    },
    {
      name: "truncated",
      fault: "the place from the end, by a subtraction that stops at 0, is below the length.",
      instead: [
        {
          name: "accepted",
          formula: "(let ((place (- seen 1 parent))) (< (ite (< place 0) 0 place) seen))",
        },
      ],
      small: `(and ${between(1, 5, "inputs")} ${between(0, 5, "index")} ${between(0, 20, "parent")})`,
      execute: (numbers) => checked(numbers, (parent, seen) => Math.max(0, seen - 1 - parent) < seen),
    },
    {
      name: "itself",
      fault: "a node may be its own parent.",
      instead: [{ name: "accepted", formula: "(not (> parent seen))" }],
      small: `(and ${between(1, 5, "inputs")} ${between(0, 5, "index")} ${between(0, 20, "parent")})`,
      execute: (numbers) => checked(numbers, (parent, seen) => parent <= seen),
    },
    {
      name: "negative",
      fault: "the schema allows ids below 0.",
      without: "schema",
      small: `(and ${between(1, 5, "inputs")} ${between(0, 5, "index")} ${between(-9, 9, "parent")})`,
      execute: (numbers) => checked(numbers, (parent, seen) => parent < seen),
    },
    {
      name: "scope-grows-twice",
      fault: "the scope grows by two for each node.",
      instead: [{ name: "scope", formula: "(= seen (+ inputs (* 2 index)))" }],
      small: `(and ${between(1, 5, "inputs")} ${between(0, 5, "index")} ${between(0, 20, "parent")})`,
      execute: (numbers) =>
        checked(numbers, (parent) => parent < (numbers.inputs ?? 0) + 2 * (numbers.index ?? 0)),
    },
  ],
};

/** Checks that the compiled tape, or the model's part of it, has one node for each id. */
function sized({ inputs = 0, nodes = 0, tape = 0, index = 0 }: Numbers): Execution {
  const graph = chain(inputs, nodes, 0);
  const data = interpret(graph, float64);
  if (!data.ok) throw new InvariantError("floats have what every graph needs");
  const compiled = compile(
    additive,
    data.value,
    graph.inputs.map(() => scalar(1)),
    noEnvironment,
  );
  const real = compiled.ok ? compiled.value.tape : [];
  const right = real.length === inputs + nodes ? undefined : `its tape has ${real.length} nodes`;
  // The model's tape is made of the real one's nodes.
  const wrong = Array.from({ length: tape }, (_, id) => present(real[id % real.length], "a node"));
  const seed = Array.from({ length: inputs + index }, () => scalar(1));
  const swept = backwardDenseFrom(additive, wrong, seed);
  const said = swept.ok ? undefined : swept.error.message;
  return judged(right, said, `${inputs} inputs and ${index} of ${nodes} nodes, on a tape of ${tape}`);
}

const tapeSizeLemmas: readonly Lemma[] = [
  {
    name: "ids/tape_step",
    statement:
      "A node of the graph adds one node to the tape and one value to the context, whose sizes stay equal to the ids so far",
    clause: "SEMANTICS §5",
    logic: "QF_LIA",
    subject: "compile",
    symbols: ["inputs", "nodes", "index", "before", "tape"],
    hypotheses: [
      { name: "induction", formula: "(= before (+ inputs (- index 1)))" },
      { name: "push", formula: "(= tape (+ before 1))" },
      { name: "counted", formula: "(and (>= inputs 1) (<= 1 index nodes))" },
    ],
    goal: `(and (= tape (+ inputs index)) ${within("before", "(+ inputs nodes)")} ${within("(- index 1)", "nodes")})`,
    metaArgument:
      "Induction over the nodes, with `index` of them compiled: before the first the tape has a leaf for each input; after the last it has Γ + ss nodes. `before` is the id that the node is given.",
    mutants: [
      {
        name: "no-push",
        fault: "a node is compiled and not put on the tape.",
        instead: [{ name: "push", formula: "(= tape before)" }],
        small: between(1, 5, "inputs", "nodes", "index"),
        execute: sized,
      },
      {
        name: "pushed-twice",
        fault: "a node is put on the tape twice.",
        instead: [{ name: "push", formula: "(= tape (+ before 2))" }],
        small: between(1, 5, "inputs", "nodes", "index"),
        execute: sized,
      },
      {
        name: "no-leaves",
        fault: "the inputs have no leaves.",
        instead: [{ name: "induction", formula: "(= before (- index 1))" }],
        small: between(1, 5, "inputs", "nodes", "index"),
        execute: sized,
      },
    ],
  },
];

/** These state that ids are in bounds where `check` accepts, one for each node of the compiled tape. */
export const idLemmas: readonly Lemma[] = [parentLemma, ...tapeSizeLemmas];
