import { type OperatorName, operators } from "../../../spec/composites/index.ts";
import { answerIn, type Engine } from "../../../spec/contract/index.ts";
import { checkGraph } from "../../../spec/documents/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import { isPrimitiveName, type PrimitiveName } from "../../../spec/operators/index.ts";
import { beyondLimits, type InPart, moved } from "../../../spec/promises/index.ts";
import type { DataType, FlatTensor, Mode } from "../../../spec/wire/index.ts";
import { referenceExample } from "./composite_examples.ts";
import { caseOf, type Example, type ExampleCase, examples } from "./examples.ts";
import { outcomeOf, type SmokeStep } from "./step.ts";
import { exampleGraph, type Variant, variants } from "./variants.ts";

/** Asks every promised operator in every promised precision and mode for a known answer. */
export async function* operatorSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  const description = engine.describe();
  for (const dtype of description.dtypes) {
    for (const op of description.operators) {
      const trials = trialsOf(op, description);
      if (trials.length === 0)
        yield {
          name: `${op} ${dtype}`,
          outcome: { kind: "skipped", reason: "no example is within its limits" },
        };
      for (const trial of trials) yield* stepsOf(engine, dtype, op, trial);
    }
  }
}

/** An operator's example, or that of one of its variants. */
interface Trial {
  readonly example: Answered;
  readonly variant?: Variant;
}

async function* stepsOf(
  engine: Engine,
  dtype: DataType,
  op: OperatorName,
  { example, variant }: Trial,
): AsyncGenerator<SmokeStep, void> {
  const loaded = await engine.load(example.graph, dtype);
  for (const mode of engine.describe().modes) {
    const name = `${op} ${dtype} ${mode}${variant === undefined ? "" : ` with ${variant.told}`}`;
    const subject = { op, dtype, mode, ...(variant === undefined ? {} : { variant: variant.told }) };
    const means = meaning(op, mode, variant);
    const reply = loaded.kind === "result" ? await answerIn(loaded.value, mode, example) : loaded;
    const outcome =
      variant !== undefined && reply.kind === "unsupported"
        ? ({ kind: "skipped", reason: `declined: ${reply.reason}${lackOf(op, variant)}` } as const)
        : outcomeOf(reply, expected(example, mode), means);
    yield { name, subject, outcome };
  }
  if (loaded.kind === "result") await loaded.value.unload();
}

/** An example with its answers. */
type Answered = ExampleCase & Pick<Example<object>, "value" | "tangent" | "cotangents" | "cotangent">;

/**
 * Returns the example of an operator, and those of its variants, as far as they are promised. If the example
 * is not, it is moved into the limits, unless its operands then do not fit.
 */
function trialsOf(op: OperatorName, promised: InPart): readonly Trial[] {
  const isPromised = (graph: Graph): boolean => beyondLimits(promised, graph) === undefined;
  const whole = exampleGraph(op);
  const within = isPromised(whole) ? whole : movedInto(promised, whole);
  const base =
    isPrimitiveName(op) && within === whole
      ? [{ example: byHand(op) }]
      : within !== undefined && isPromised(within)
        ? [{ example: referenceExample(within) }]
        : [];
  if (isPrimitiveName(op)) return base;
  const others = (variants[op] ?? []).map((variant) => ({ variant, graph: exampleGraph(op, variant) }));
  return [
    ...base,
    ...others
      .filter(({ graph }) => isPromised(graph))
      .map(({ variant, graph }) => ({ variant, example: referenceExample(graph) })),
  ];
}

/** Moves the node of an example into limits; `undefined` if its operands do not fit there. */
function movedInto(promised: InPart, graph: Graph): Graph | undefined {
  const operands = graph.inputs.map(({ shape }) => shape);
  const nodes = graph.nodes.map((node) => moved(promised, node, operands, ([first]) => first));
  const checked = checkGraph({ ...graph, nodes });
  return checked.ok ? checked.value : undefined;
}

/** Returns the example of a primitive, which is checked by hand. */
function byHand(op: PrimitiveName): Answered {
  const { value, tangent, cotangents, cotangent } = examples[op];
  return { ...caseOf(op), value, tangent, cotangents, cotangent };
}

function expected({ value, tangent, cotangents, cotangent }: Answered, mode: Mode): readonly FlatTensor[] {
  switch (mode) {
    case "evaluate":
      return [value];
    case "jvp":
      return [tangent];
    case "vjp":
      return cotangents;
    case "backward_dense":
      return [...cotangents, cotangent];
  }
}

function meaning(op: OperatorName, mode: Mode, variant: Variant | undefined): string {
  const { summary, source } = operators[op];

  const answers: { readonly [M in Mode]: string } = {
    evaluate: "the value of every node, in order",
    jvp: "the tangent of every node, in order",
    vjp: "the cotangent of every input, in order",
    backward_dense: "the cotangent of every id, inputs first, each with its own seed in it",
  };
  return `${op} is ${summary} (${source}); ${mode} answers ${answers[mode]}${lackOf(op, variant)}`;
}

/** Says how an adapter declares that it does not have a variant; nothing of the plain example. */
function lackOf(op: OperatorName, variant: Variant | undefined): string {
  if (variant === undefined) return "";
  return `; declare what the library lacks: ${JSON.stringify({ limits: { [op]: variant.limit } }).slice(1, -1)}`;
}
