import {
  entry,
  evaluate,
  interpret,
  type Rational,
  rational,
  rationalFromNumber,
  type Tensor,
} from "../../../reference/index.ts";
import { execute, Machine, record, type Start } from "../../../reference/state/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import { type Program, type View, wholeView } from "../../../spec/programs/index.ts";
import { at, InvariantError, present } from "../../../spec/shapes/index.ts";
import type { Execution, Model, Obligation } from "../obligation.ts";
import { modelInteger } from "../tape/index.ts";
import { LOCATION, numbered, ranged, slice } from "./locations.ts";

/*
 * One view writes what another sees of the same location, at any offsets and strides, three elements each.
 * Contents and places are unknown; overlapping views are kept apart since all is read before anything is
 * written.
 */

/** Elements of the written value are what the location holds where a view sees it. */
const value = (i: number): string => `(old (+ p (* ${i} t)))`;
const place = (i: number): string => `(+ o (* ${i} s))`;

const unknowns = `(declare-sort Val 0)
(declare-fun old (Int) Val)
${["o", "s", "p", "t", "q"].map((name) => `(declare-const ${name} Int)`).join("\n")}`;

/** Defines the location after each element in turn; `values` may read what was written so far. */
function inTurn(values: (i: number) => string): string {
  return [0, 1, 2]
    .map((i) => {
      const before = i === 0 ? "old" : `mem${i}`;
      return `(define-fun mem${i + 1} ((k Int)) Val (ite (= k ${place(i)}) ${values(i)} (${before} k)))`;
    })
    .join("\n");
}

/** Reads the numbers of a model. */
function viewsIn(model: Model): { readonly to: View; readonly from: View } {
  const [o, s, p, t] = ["o", "s", "p", "t"].map((name) => modelInteger(model, name));
  const view = (offset = 0, stride = 0): View => ({ offset, shape: [3], strides: [stride] });
  return { to: view(o, s), from: view(p, t) };
}

const machine = (): Machine<Rational, unknown> =>
  new Machine(rational, { declared: new Map(), values: new Map() });
const contents: Tensor<Rational> = {
  shape: [LOCATION],
  data: Array.from({ length: LOCATION }, (_, i) => rationalFromNumber(i + 1)),
};
const shown = ({ data }: Tensor<Rational>): string => data.map(rational.format).join(" ");

/** Tells whether a write left in the location all that it was to write, at the right places. */
function isWritten(after: Tensor<Rational>, { to, from }: ReturnType<typeof viewsIn>): boolean {
  const own = machine();
  const wanted = own.read(own.allocate(contents), from);
  return shown(own.read(own.allocate(after), to)) === shown(wanted);
}

/** Runs the machine's write, and a wrong one, of the same views. */
function bothWrites(
  model: Model,
  wrongly: (own: Machine<Rational, unknown>, memory: Rational[], views: ReturnType<typeof viewsIn>) => void,
): Execution {
  const views = viewsIn(model);
  const own = machine();
  const [right, wrong] = [own.allocate(contents), own.allocate(contents)];
  own.write(right, views.to, own.read(right, views.from));
  wrongly(own, wrong, views);
  const after = [right, wrong].map((memory) => own.read(memory, wholeView([LOCATION])));
  const [good, bad] = [at([...after], 0), at([...after], 1)];
  return {
    showsFault: isWritten(good, views) && !isWritten(bad, views),
    told: `of ${shown(contents)}, places ${views.from.offset} by ${views.from.strides} to ${views.to.offset} by ${views.to.strides}: ${shown(good)}; wrongly ${shown(bad)}`,
  };
}

const small = { name: "small", formula: ranged(["o", "s", 3], ["p", "t", 3]) };
const asked = ["o", "s", "p", "t"];

const overlapping: Obligation = {
  id: "programs/write/overlap",
  statement:
    "After a write of what one view sees through another view of the same location, all of the value is there, however the two overlap, and everything else is as it was, if the view sees no element twice.",
  clause: "SEMANTICS §10.3",
  logic: "QF_UFLIA",
  scope: { kind: "graph", graph: "views of three elements, at any offsets and strides" },
  tier: "everyday",
  declarations: `${unknowns}\n${inTurn(value)}`,
  hypotheses: [{ name: "once", formula: "(not (= s 0))" }],
  goal: `(and ${[0, 1, 2].map((i) => `(= (mem3 ${place(i)}) ${value(i)})`).join(" ")}
  (=> (and ${[0, 1, 2].map((i) => `(not (= q ${place(i)}))`).join(" ")}) (= (mem3 q) (old q))))`,
  rlimit: 50_000,
  requiredCore: ["once"],
  mutants: [
    {
      name: "seen-twice",
      fault: "something is written through a view that sees an element more than once",
      without: ["once"],
      instead: [small],
      ask: asked,
      execute: (model) => {
        const views = viewsIn(model);
        const own = machine();
        const memory = own.allocate(contents);
        own.write(memory, views.to, own.read(memory, views.from));
        const refused = execute(rational, broadcastWrite, startAt([contents, numbered(3)]));
        return {
          showsFault: !refused.ok && !isWritten(own.read(memory, wholeView([LOCATION])), views),
          told: `a stride of ${views.to.strides}: what was written is not read; the run is ${refused.ok ? "not refused" : `refused: ${refused.error[0]?.code}`}`,
        };
      },
    },
    {
      name: "reading-while-writing",
      fault: "an element is read after others were written",
      declarations: `${unknowns}\n${inTurn((i) => (i === 0 ? value(0) : `(mem${i} (+ p (* ${i} t)))`))}`,
      instead: [small],
      ask: asked,
      execute: (model) =>
        bothWrites(model, (own, memory, { to, from }) => {
          for (let i = 0; i < 3; i++) own.write(memory, oneOf(to, i), own.read(memory, oneOf(from, i)));
        }),
    },
    {
      name: "backwards",
      fault: "the value is written in the other order",
      declarations: `${unknowns}\n${inTurn((i) => value(2 - i))}`,
      instead: [small],
      ask: asked,
      execute: (model) =>
        bothWrites(model, (own, memory, { to, from }) => {
          const { shape, data } = own.read(memory, from);
          own.write(memory, to, { shape, data: data.toReversed() });
        }),
    },
  ],
  dependsOn: [],
  metaArgument:
    "The location is a function of places, and the write is what the machine does: element after element, of a value that was read before. More elements are more of the same.",
};

function oneOf({ offset, strides }: View, i: number): View {
  return { offset: offset + i * at(strides, 0), shape: [1], strides: [1] };
}

/** `x` is in a location, which is written through a broadcast of its first element. */
const broadcastWrite: Program = program([
  { do: "view", name: "first", of: "a", how: slice(0, 1, 1) },
  { do: "view", name: "wide", of: "first", how: { kind: "broadcast", shape: [3] } },
  { do: "write", to: "wide", from: "v" },
]);

function program(body: Program["procedures"][number]["body"]): Program {
  const parameters = [
    { name: "x", kind: "value", shape: [LOCATION] },
    { name: "v", kind: "value", shape: [3] },
  ] as const;
  const results = [{ name: "a", shape: [LOCATION] }];
  const whole: Program["procedures"][number] = {
    name: "main",
    parameters,
    body: [{ do: "buffer", name: "a", from: "x" }, ...body],
    results,
  };
  return { format: "adjudge.program.v1", state: [], environment: [], procedures: [whole] };
}

function startAt(parameters: readonly Tensor<Rational>[]): Start<Rational> {
  const generator = { key: [0, 0] as const, drawn: 0 };
  return { parameters, state: [], environment: new Map(), generator, world: new Map() };
}

/** Defines where a place finds its element in a row of `n` old elements and of what is written. */
function sources(count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const before = i === 0 ? "k" : `(src${i} k)`;
    return `(define-fun src${i + 1} ((k Int)) Int (ite (= k ${place(i)}) (+ n ${i}) ${before}))`;
  }).join("\n");
}

const rows = `(declare-sort Val 0)
(declare-fun old (Int) Val)
(declare-fun val (Int) Val)
${["o", "s", "n", "q"].map((name) => `(declare-const ${name} Int)`).join("\n")}
${inTurn((i) => `(val ${i})`)}`;

/** Compares a write's recorded graph, and that graph changed, with the machine's write. */
function graphs(model: Model, change: (graph: Recorded) => Recorded): Execution {
  const [o = 0, s = 0] = ["o", "s"].map((name) => modelInteger(model, name));
  const written = program([
    { do: "view", name: "w", of: "a", how: slice(o, 3, s) },
    { do: "write", to: "w", from: "v" },
  ]);
  const start = startAt([contents, numbered(3)]);
  const [ran, recorded] = [execute(rational, written, start), record(rational, written, start)];
  if (!ran.ok || !recorded.ok) throw new InvariantError("the program runs");
  const { graph, environment, outcome } = recorded.value;
  const left = (own: Recorded): string => {
    const expanded = expand(own.graph);
    const meaning = interpret(expanded.graph, rational);
    if (!meaning.ok) throw new InvariantError("the graph has a meaning");
    const context = evaluate(meaning.value, start.parameters, own.environment);
    return shown(entry(context, at(expanded.ids, at(outcome.results, 0))));
  };
  const wanted = shown(present(ran.value.results[0], "a result"));
  const [good, bad] = [left({ graph, environment }), left(change({ graph, environment }))];
  return {
    showsFault: good === wanted && bad !== wanted,
    told: `places ${o} by ${s}: executed ${wanted}, recorded ${good}, wrongly ${bad}`,
  };
}

type Recorded = Pick<
  Extract<ReturnType<typeof record<Rational, unknown>>, { ok: true }>["value"],
  "graph" | "environment"
>;

const selecting: Obligation = {
  id: "programs/write/recorded",
  statement:
    "A write in place leaves what a take from the old contents and the new elements in one row has, at every place of the location.",
  clause: "SEMANTICS §10.4",
  logic: "QF_UFLIA",
  scope: {
    kind: "graph",
    graph: "a view of three elements, at any offset and stride, of a location of any size",
  },
  tier: "everyday",
  declarations: `${rows}
${sources(3)}
(define-fun row ((k Int)) Val (ite (< k n) (old k) (val (- k n))))`,
  hypotheses: [{ name: "inside", formula: "(and (<= 0 q) (< q n))" }],
  goal: "(= (mem3 q) (row (src3 q)))",
  rlimit: 50_000,
  requiredCore: ["inside"],
  mutants: [
    {
      name: "beyond",
      fault: "a place beyond the location is claimed to stay as it is",
      without: ["inside"],
      instead: [
        {
          name: "small",
          formula: `(and (= n ${LOCATION}) (<= n q ${LOCATION + 2}) (< 0 s) ${ranged(["o", "s", 3])})`,
        },
      ],
      ask: ["o", "s", "q"],
      execute: (model) => {
        const q = modelInteger(model, "q");
        return graphs(model, ({ graph, environment }) => ({
          graph,
          // A place that no view saw looks in the row for one beyond the location.
          environment: withIndices(environment, (indices) => {
            const place = indices.findIndex((source, own) => source === own);
            return indices.with(place, q);
          }),
        }));
      },
    },
    {
      name: "rows-swapped",
      fault: "the new elements come first in the row, and the sources do not know",
      declarations: `${rows}
${sources(3)}
(define-fun row ((k Int)) Val (ite (< k 3) (val k) (old (- k 3))))`,
      instead: [{ name: "small", formula: `(and (= n ${LOCATION}) (< 0 s) ${ranged(["o", "s", 3])})` }],
      ask: ["o", "s"],
      execute: (model) =>
        graphs(model, ({ graph, environment }) => ({
          graph: {
            ...graph,
            nodes: graph.nodes.map((node) =>
              node.op === "concat" ? { ...node, parents: node.parents.toReversed() } : node,
            ),
          },
          environment,
        })),
    },
    {
      name: "last-left-out",
      fault: "the last element of the value has no place",
      declarations: `${rows}
${sources(2)}
(define-fun src3 ((k Int)) Int (src2 k))
(define-fun row ((k Int)) Val (ite (< k n) (old k) (val (- k n))))`,
      instead: [{ name: "small", formula: `(and (= n ${LOCATION}) (< 0 s) ${ranged(["o", "s", 3])})` }],
      ask: ["o", "s"],
      execute: (model) =>
        graphs(model, ({ graph, environment }) => ({
          graph,
          environment: withIndices(environment, (indices) => {
            const last = indices.indexOf(LOCATION + 2);
            return indices.with(last, last);
          }),
        })),
    },
  ],
  dependsOn: [],
  metaArgument: "Lean has it for all sizes and all positions (`collect_sources`).",
};

/** Changes the sources of the one write. */
function withIndices(
  environment: Recorded["environment"],
  change: (indices: readonly number[]) => readonly number[],
): Recorded["environment"] {
  return new Map(
    [...environment].map(([name, value]) => [
      name,
      value.kind === "index" && value.indices.length === LOCATION
        ? { ...value, indices: change(value.indices) }
        : value,
    ]),
  );
}

/** States what holds of writes. */
export const writeObligations: readonly Obligation[] = [overlapping, selecting];
