import { type OperatorName, operators } from "../../../spec/composites/index.ts";
import { answerIn, type Engine } from "../../../spec/contract/index.ts";
import { isPrimitiveName } from "../../../spec/operators/index.ts";
import type { DataType, FlatTensor, Mode } from "../../../spec/wire/index.ts";
import { compositeExample } from "./composite_examples.ts";
import { caseOf, type Example, type ExampleCase, examples } from "./examples.ts";
import { outcomeOf, refusalOutcome, type SmokeStep } from "./step.ts";

/** Asks every promised operator in every promised precision and mode for a known answer. */
export async function* operatorSteps(engine: Engine): AsyncGenerator<SmokeStep, void> {
  const { dtypes, operators: promised, modes } = engine.describe();
  for (const dtype of dtypes) {
    for (const op of promised) yield* stepsOf(engine, dtype, op, modes);
  }
}

async function* stepsOf(
  engine: Engine,
  dtype: DataType,
  op: OperatorName,
  modes: readonly Mode[],
): AsyncGenerator<SmokeStep, void> {
  const example = exampleOf(op);
  const loaded = await engine.load(example.graph, dtype);
  for (const mode of modes) {
    const name = `${op} ${dtype} ${mode}`;
    const subject = { op, dtype, mode };
    const means = meaning(op, mode);
    if (loaded.kind !== "result") {
      yield { name, subject, outcome: refusalOutcome(loaded, means) };
    } else {
      const reply = await answerIn(loaded.value, mode, example);
      yield { name, subject, outcome: outcomeOf(reply, expected(example, mode), means) };
    }
  }
  if (loaded.kind === "result") await loaded.value.unload();
}

/** An example with its answers. */
type Answered = ExampleCase & Pick<Example<object>, "value" | "tangent" | "cotangents" | "cotangent">;

/** A primitive's is checked by hand, a composite's computed by its expansion. */
function exampleOf(op: OperatorName): Answered {
  if (!isPrimitiveName(op)) return compositeExample(op);
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

function meaning(op: OperatorName, mode: Mode): string {
  const { summary, source } = operators[op];
  const answers: { readonly [M in Mode]: string } = {
    evaluate: "the value of every node, in order",
    jvp: "the tangent of every node, in order",
    vjp: "the cotangent of every input, in order",
    backward_dense: "the cotangent of every id, inputs first, each with its own seed in it",
  };
  return `${op} is ${summary} (${source}); ${mode} answers ${answers[mode]}`;
}
