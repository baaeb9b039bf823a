import { rational } from "../reference/index.ts";
import { expand, shapesOf } from "../spec/expansion/index.ts";
import { type Issue, type Result, type Shape, sizeOf } from "../spec/shapes/index.ts";
import type { ExactTensorJson } from "../spec/wire/index.ts";
import { arithmeticOf } from "./emit/arithmetic.ts";
import type { FlatTrace, Numbers } from "./emit/flat.ts";
import { flatten, flattenOver } from "./emit/flatten.ts";
import { type CertifiedSystem, namesOf } from "./emit/obstruction.ts";
import { attributesOf } from "./emit/operator.ts";
import {
  type AskedQuestion,
  againstAny,
  canonical,
  indexIn,
  isSameList,
  MAXIMUM_SHOWN,
} from "./emit/question.ts";
import type { CheckedTrace } from "./emit/read.ts";
import { rationals } from "./emit/scalars.ts";
import type { SeenSubject } from "./exact.ts";
import type { SeenJudgement } from "./run/seen.ts";

/** An accepted file must be about this: a run of one of these questions, or this system of a case. */
export type Asked =
  | { readonly kind: "run"; readonly questions: readonly AskedQuestion[] }
  | { readonly kind: "system"; readonly system: CertifiedSystem; readonly hash: string };

/**
 * Finds where an accepted file is about something else than was asked, by what Lean has: another program,
 * other inputs, entries of Δ or seeds, in the file's algebra; other equations, or a certificate of another
 * case. Of a trace that asks, the algebra and what an engine computed are compared too. Fails:
 * `lean/against`, and as {@link flatten} does where the question has no file.
 */
export function seenAgainst(about: SeenSubject, asked: Asked): readonly Issue[] {
  if (about.kind === "run" && asked.kind === "run")
    return againstAny(about, asked.questions, runIssues).slice(0, MAXIMUM_SHOWN);
  if (about.kind === "system" && asked.kind === "system") return systemIssues(about, asked);
  if (about.kind === "verdict" && asked.kind === "run") {
    const { program, given } = about.judgement;
    const run = { algebra: "tabled", program, given };
    return againstAny(run, asked.questions, givenIssues).slice(0, MAXIMUM_SHOWN);
  }
  return [other("", about.kind === "system" ? "file's system of dimensions" : "file's run")];
}

/** What a run begins with, as Lean has it. */
interface BegunRun extends Pick<SeenJudgement, "program" | "given"> {
  readonly algebra: string;
}

type AboutRun = SeenSubject & { readonly kind: "run" };
type AboutSystem = SeenSubject & { readonly kind: "system" };

function systemIssues(
  { system, named }: AboutSystem,
  asked: Asked & { readonly kind: "system" },
): readonly Issue[] {
  const { bases, grounds } = asked.system;
  const equations = grounds.map(({ terms }) => terms.map(([id, times]) => ({ id, times })));
  return [
    ...(named?.hash === asked.hash ? [] : [other("/case", "case of the certificate")]),
    ...(isSame(named?.names, namesOf(asked.system)) ? [] : [other("/names", "list of names")]),
    ...(system.bases === bases.length ? [] : [other("/system/bases", "number of bases")]),
    ...(isSame(system.equations, equations) ? [] : [other("/system/equations", "system of equations")]),
  ];
}

function runIssues({ algebra, trace }: AboutRun, question: AskedQuestion): readonly Issue[] {
  const { program, run, engine } = trace;
  const { recorded } = question;
  return [
    ...givenIssues({ algebra, program, given: run }, question),
    ...(recorded === undefined ? [] : recordedIssues(algebra, engine, recorded)),
  ];
}

function givenIssues({ algebra, program, given }: BegunRun, question: AskedQuestion): readonly Issue[] {
  const flat = flatQuestion(algebra, question);
  if (!flat.ok) return flat.error;
  const nodes = flat.value.program.nodes.map(({ operator, parents, shape }) => ({
    operator: operator.kind,
    attributes: attributesOf(operator).map(asSeen),
    parents,
    shape,
  }));
  const seeds = new Map(given.seeds.map(({ id, numbers }) => [id, numbers]));
  const isZeroOr = (numbers: Numbers, id: number): readonly string[] =>
    seeds.get(id) ?? numbers.map(() => "0");
  const rows = (part: "inputs" | "environment"): Issue[] =>
    isSame(given[part].map(reduced), flat.value.run[part].map(written)) ? [] : [other(`/run/${part}`, part)];
  return [
    ...(isSame(program.inputs, flat.value.program.inputs)
      ? []
      : [other("/program/inputs", "list of inputs")]),
    ...(isSame(program.environment, flat.value.program.environment)
      ? []
      : [other("/program/environment", "list of entries of Δ")]),
    ...(isSame(program.nodes, nodes) ? [] : [other("/program/nodes", "list of nodes")]),
    ...rows("inputs"),
    ...rows("environment"),
    ...flat.value.run.seed.flatMap((numbers, id) =>
      isSame(reduced(isZeroOr(numbers, id)), written(numbers))
        ? []
        : [other(`/run/seed/${id}`, `seed of ${id}`)],
    ),
  ];
}

/** Compares what an engine computed; an exact run has the numbers that it has. */
function recordedIssues(
  algebra: string,
  engine: AboutRun["trace"]["engine"],
  recorded: NonNullable<AskedQuestion["recorded"]>,
): readonly Issue[] {
  if (algebra !== recorded.algebra) return [other("/engine/arithmetic", `arithmetic, ${algebra},`)];
  return (["values", "cotangents"] as const)
    .filter(
      (part) => engine?.[part].every((row, id) => isRecorded(algebra, row, recorded[part][id])) === false,
    )
    .map((part) => other(`/engine/${part}`, `list of ${part}`));
}

function isRecorded(algebra: string, row: readonly string[], recorded: ExactTensorJson | undefined): boolean {
  return isSameList(reduced(row), canonical(algebra, recorded?.data ?? []));
}

/** Returns what Lean would have of a question. Zeros stand for values and cotangents, which are not asked. */
function flatQuestion(
  algebra: string,
  { graph: original, texts }: AskedQuestion,
): Result<FlatTrace, Issue[]> {
  const { graph, ids } = expand(original);
  const shapes = shapesOf(graph);
  const zeros = shapes.map((shape) => ({ shape, data: new Array<string>(sizeOf(shape)).fill("0") }));
  const tensor = (shape: Shape = [], data: readonly string[] = []): ExactTensorJson => ({ shape, data });
  const asked: CheckedTrace = {
    format: "adjudge.trace.v1",
    algebra,
    graph,
    point: {
      inputs: graph.inputs.map(({ shape }, id) => tensor(shape, texts.inputs[id])),
      environment: Object.fromEntries(
        graph.environment.map(({ name, kind, shape }) => {
          const data = texts.environment.get(name) ?? [];
          return [name, tensor(shape, kind === "index" ? data.map((text) => String(indexIn(text))) : data)];
        }),
      ),
    },
    seeds: [...texts.seeds].map(([id, data]) => {
      const own = Number(ids[id] ?? id);
      return { id: own, cotangent: tensor(shapes[own], data) };
    }),
    form: "dense",
    values: zeros,
    cotangents: zeros,
  };
  const arithmetic = arithmeticOf(algebra);
  if (arithmetic === undefined) return flatten(asked);
  const { literal, nearest } = arithmetic;
  return flattenOver(asked, { ...rationals, literal, read: nearest });
}

/** Writes an attribute as the driver tells it. */
function asSeen(attribute: ReturnType<typeof attributesOf>[number]): unknown {
  if (typeof attribute === "boolean") return attribute;
  return typeof attribute === "object" ? attribute.map(String) : String(attribute);
}

function written(numbers: Numbers): readonly string[] {
  return numbers.map(rational.format);
}

/** Returns fractions in lowest terms; what is none stays. */
function reduced(texts: readonly string[]): readonly string[] {
  return texts.map((text) => {
    const x = rational.parse(text);
    return x === undefined ? text : rational.format(x);
  });
}

function isSame(found: unknown, wanted: unknown): boolean {
  return JSON.stringify(found) === JSON.stringify(wanted);
}

function other(pointer: string, what: string): Issue {
  return {
    code: "lean/against",
    pointer,
    message: `the ${what} is not what was asked.`,
    hint: "export what was asked: adjudge lean export, or adjudge explain --lean for dimensions",
  };
}
