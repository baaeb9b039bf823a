import { readFileSync } from "node:fs";
import { explain, recordedCase } from "../../oracle/index.ts";
import { posit } from "../../reference/numerics/index.ts";
import {
  bfloat16,
  float64,
  integer,
  modular,
  type RunTexts,
  rational,
  traceOf,
} from "../../reference/package.ts";
import {
  type Algebra,
  checkProgramVector,
  checkUnits,
  type Graph,
  graph,
  type MeasuredGraph,
  nodeId,
  present,
  type Result,
  standardPosit,
  type TraceJson,
} from "../../spec/index.ts";
import { physicsLaws } from "../../spec/text/example.test.kit.ts";
import { readText } from "../../spec/text/index.ts";
import type { Asked } from "../against.ts";
import { type CertifiedSystem, leanObstruction } from "../emit/obstruction.ts";
import { measuredHash, questionOfTrace } from "../emit/question.ts";
import { type EngineTrace, type FlatTrace, leanFile, readTraceJson } from "../index.ts";
import { textsOf } from "./random_traces.ts";

/** A right file that forgeries are made of, and what it is held against. */
export type Subject =
  | {
      readonly kind: "run";
      readonly name: string;
      readonly asked: Asked;
      readonly text: string;
      readonly flat: FlatTrace | EngineTrace;
      readonly trace: TraceJson;
      /** Runs a graph in the subject's algebra; `undefined` where it has no file. */
      readonly run: (program: Graph, texts: RunTexts) => TraceJson | undefined;
    }
  | {
      readonly kind: "system";
      readonly name: string;
      readonly asked: Asked;
      readonly text: string;
      readonly system: CertifiedSystem;
      readonly measured: MeasuredGraph;
    };

function certain<T>(result: Result<T, unknown>, what: string): T {
  if (!result.ok) throw new Error(`${what}: ${JSON.stringify(result.error)}`);
  return result.value;
}

function runSubject<S, B>(name: string, algebra: Algebra<S, B>, program: Graph, texts: RunTexts): Subject {
  const trace = certain(traceOf(program, algebra, texts, "dense"), name);
  const flat = certain(readTraceJson(trace), name);
  return {
    kind: "run",
    name,
    asked: { kind: "run", questions: [questionOfTrace(trace)] },
    text: leanFile(flat).text,
    flat,
    trace,
    run: (other, numbers) => {
      const ran = traceOf(other, algebra, numbers, "dense");
      return ran.ok && readTraceJson(ran.value).ok ? ran.value : undefined;
    },
  };
}

const seeded = (id: number, ...numbers: readonly string[]): RunTexts["seeds"] => new Map([[id, numbers]]);

const square = graph(({ input }) => {
  const x = input("x");
  x.multiply(x);
});

const quotient = graph(({ input }) => {
  const [x, y] = [input("x"), input("y")];
  x.divide(y).add(x);
});

const moved = graph(({ input, indices }) => {
  const rows = input("x", [4]).scatter_add(input("y", [2]), { indices: indices("i", [2, 1]) });
  rows.slice({ starts: [3], stops: [-9], steps: [-2] });
});

/** Two numbers are equal, so that a choice between them is at a tie, and one is zero. */
const chosen = graph(({ input }) => {
  const [x, y] = [input("x", [3]), input("y", [3])];
  x.less(y).where(x.relu(), x.maximum(y));
});

const volume = graph(({ input }) => {
  const [x, y] = [input("x", [2, 2]), input("y", [2, 1])];
  x.det().multiply(x.solve(y).sum({ axes: [0, 1], keepdims: false }));
});

const counted = graph(({ input, indices, iota, bernoulli_mask }) => {
  const x = input("x", [2, 3]);
  const kept = x.add(bernoulli_mask({ shape: [2, 3], key: indices("key", [2]), rate: 0.5 }));
  const summed = kept.cumulative_sum({ axis: 1 }).multiply(iota({ shape: [2, 3], axis: 1 }));
  const taken = summed.take_along_axis({ axis: 1, indices: indices("i", [2, 2]) });
  taken.gather({ indices: indices("rows", [3, 1]) }).pad({ low: [1, 0], high: [0, 0], interior: [0, 1] });
});

function quotientIn<S, B>(where: string, algebra: Algebra<S, B>, inputs: RunTexts["inputs"]): Subject {
  return runSubject(`a quotient ${where}`, algebra, quotient, {
    inputs,
    environment: none,
    seeds: seeded(3, "1"),
  });
}

const cube = graph(({ input }) => {
  const x = input("x");
  x.multiply(x).multiply(x);
});

const bend = graph(({ input, differentiate }) => {
  const [x, c, v] = [input("x"), input("c"), input("v")];
  const first = graph((own) => {
    own.differentiate(own.input("x"), own.input("c"), {
      graph: cube,
      mode: "vjp",
      of: nodeId(2),
      wrt: nodeId(0),
    });
  });
  differentiate(x, c, v, { graph: first, mode: "jvp", of: nodeId(2), wrt: nodeId(0) });
});

/** The recorded runs of programs: writes through views, in place, in a loop; derivatives in one. */
const programs: readonly (readonly [file: string, name: string])[] = [
  ["views", "slice_sees_a_write"],
  ["views", "diagonal_sees_a_write"],
  ["aliases", "square_in_place"],
  ["loops", "write_of_each_element"],
  ["derivatives", "derivative_in_a_loop"],
];

function programSubject(file: string, name: string): Subject {
  const path = new URL(`../../conformance/suites/state/${file}.adj`, import.meta.url);
  const documents = readText(readFileSync(path, "utf8"));
  if (!documents.ok) throw new Error(file);
  const { json } = present(
    documents.value.find((one) => one.name === name),
    name,
  );
  const recorded = certain(recordedCase(certain(checkProgramVector(json), name).case), name);
  return runSubject(`the program ${name}`, rational, recorded.graph, textsOf(recorded));
}

function systemSubject(name: string): Subject {
  const law = present(
    physicsLaws().find((one) => one.name === name),
    name,
  );
  const measured = certain(checkUnits(law.units), name);
  const explained = certain(explain(measured.graph, measured.declarations, { of: [], wrt: [] }), name);
  if (explained.dimensions.kind !== "obstructed") throw new Error(`${name} is accepted`);
  const system = explained.dimensions.obstruction;
  const asked: Asked = { kind: "system", system, hash: measuredHash(measured) };
  const { text } = leanObstruction(system, measured);
  return { kind: "system", name: `the law ${name}`, asked, text, system, measured };
}

const posit16 = certain(posit(standardPosit(16), "quire"), "posits");
const none: RunTexts["environment"] = new Map();

/** The right files: of every carrier, format and origin that files are exported of. */
export const subjects: readonly Subject[] = [
  runSubject("a square over the rationals", rational, square, {
    inputs: [["1/3"]],
    environment: none,
    seeds: seeded(1, "1"),
  }),
  runSubject("moves over the integers", integer, moved, {
    inputs: [
      ["1", "-2", "3", "4"],
      ["5", "-7"],
    ],
    environment: new Map([["i", ["3", "1"]]]),
    seeds: seeded(3, "2", "-1"),
  }),
  runSubject("choices at ties over the rationals", rational, chosen, {
    inputs: [
      ["2", "0", "-1/2"],
      ["2", "1/3", "-3/2"],
    ],
    environment: none,
    seeds: seeded(5, "1", "5", "7"),
  }),
  runSubject("a determinant and a system", rational, volume, {
    inputs: [
      ["1", "2", "3", "4"],
      ["5", "11"],
    ],
    environment: none,
    seeds: seeded(5, "1"),
  }),
  runSubject("counts and random words over the rationals", rational, counted, {
    inputs: [["1/3", "-2", "5", "7", "11/2", "-3"]],
    environment: new Map([
      ["key", ["7", "11"]],
      ["i", ["2", "1", "1", "2"]],
      ["rows", ["1", "0", "1"]],
    ]),
    seeds: seeded(8, ...Array.from({ length: 12 }, (_, place) => String(place + 1))),
  }),
  quotientIn("over residues", modular, [["2"], ["5"]]),
  quotientIn("in float64", float64, [["0.1"], ["0.7"]]),
  quotientIn("in bfloat16", bfloat16, [["0.5"], ["0.75"]]),
  quotientIn("in posits", posit16, [["0.5"], ["0.75"]]),
  ...programs.map(([file, name]) => programSubject(file, name)),
  runSubject("a second derivative, expanded", rational, bend, {
    inputs: [["2/3"], ["1"], ["1"]],
    environment: none,
    seeds: seeded(3, "1"),
  }),
  systemSubject("newton/missing_factor"),
  systemSubject("heat/missing_factor"),
];
