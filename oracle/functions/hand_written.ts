import type { Reply } from "../../spec/contract/index.ts";
import type { FunctionQuestion } from "../../spec/documents/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { at, counted, formatShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type FlatTensor, type FunctionMode, formatFloat64, formats } from "../../spec/wire/index.ts";
import type { AskedFunction } from "./question.ts";

/** Numbers of a tensor whose shape is known: of a scalar one, else its elements, row-major. */
export type Answered = number | ArrayLike<number> | FlatTensor;

type Environment = ReadonlyMap<string, FlatTensor>;
type Answer = readonly Answered[] | Promise<readonly Answered[]>;

/**
 * A function whose derivative is written by hand, in this process: a kernel, or a rule. It has `vjp` or
 * `jvp`, and `value` unless only the derivative is its own. Tensors are row-major, and so are the answers.
 */
export interface HandWritten {
  /** Returns the value of each output. */
  value?(inputs: readonly FlatTensor[], environment: Environment): Answer;
  /** Returns the cotangent of each input, from a cotangent of each output. */
  vjp?(inputs: readonly FlatTensor[], cotangents: readonly FlatTensor[], environment: Environment): Answer;
  /** Returns the tangent of each output along a tangent of each input. */
  jvp?(inputs: readonly FlatTensor[], tangents: readonly FlatTensor[], environment: Environment): Answer;
}

/** Lists what a function can be asked for. */
export function modesOf({ value, vjp, jvp }: HandWritten): FunctionMode[] {
  return [
    ...(value === undefined ? [] : ["evaluate" as const]),
    ...(vjp === undefined ? [] : ["vjp" as const]),
    ...(jvp === undefined ? [] : ["jvp" as const]),
  ];
}

/**
 * Returns a function of this process as one that is asked. What it throws is an error, and so are numbers
 * that are not of the precision, and arguments that it overwrites: it is handed copies.
 */
export function askedHere(
  { graph, outputs, dtype }: Pick<FunctionQuestion, "graph" | "outputs" | "dtype">,
  written: HandWritten,
): AskedFunction {
  const shapes = shapesOf(graph);
  const ofOutputs = outputs.map((id) => at(shapes, id));
  const ofInputs = graph.inputs.map(({ shape }) => shape);
  const call = async (
    due: readonly Shape[],
    given: readonly FlatTensor[],
    ask: (handed: readonly FlatTensor[]) => Answer | undefined,
  ): Promise<Reply<readonly FlatTensor[]>> => {
    const handed = given.map(copyOf);
    try {
      const answer = await ask(handed);
      if (answer === undefined) return { kind: "unsupported", reason: "the function has no such mode" };
      const written = handed.findIndex((tensor, i) => !isSame(tensor, at(given, i)));
      if (written >= 0) return { kind: "error", message: `argument ${written} was overwritten` };
      return tensorsOf(answer, due, dtype);
    } catch (thrown) {
      return { kind: "error", message: thrown instanceof Error ? String(thrown) : "something was thrown" };
    }
  };
  return {
    evaluate: ({ inputs, environment }) =>
      call(ofOutputs, inputs, (handed) => written.value?.(handed, environment)),
    vjp: ({ inputs, environment }, seeds) => {
      const cotangents = outputs.map((id, place) => {
        // An output that is returned twice has its cotangent once.
        const seed = outputs.indexOf(id) === place ? seeds.find((one) => one.id === id) : undefined;
        const shape = at(shapes, id);
        return seed?.cotangent ?? { shape, data: new Float64Array(sizeOf(shape)) };
      });
      const count = inputs.length;
      return call(ofInputs, [...inputs, ...cotangents], (handed) =>
        written.vjp?.(handed.slice(0, count), handed.slice(count), environment),
      );
    },
    jvp: ({ inputs, environment }, tangents) => {
      const count = inputs.length;
      return call(ofOutputs, [...inputs, ...tangents], (handed) =>
        written.jvp?.(handed.slice(0, count), handed.slice(count), environment),
      );
    },
  };
}

function copyOf({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: new Float64Array(data) };
}

function isSame(one: FlatTensor, other: FlatTensor): boolean {
  return one.data.every((x, i) => Object.is(x, other.data[i]));
}

function tensorsOf(
  answer: readonly Answered[],
  due: readonly Shape[],
  dtype: FunctionQuestion["dtype"],
): Reply<readonly FlatTensor[]> {
  const tensors: FlatTensor[] = [];
  for (const [place, answered] of answer.entries()) {
    const shape = due[place] ?? [];
    const tensor = tensorOf(answered, shape);
    if (tensor === undefined) {
      const size = counted(sizeOf(shape), "number");
      const message = `result ${place} has not the ${size} of shape ${formatShape(shape)}`;
      return { kind: "error", message };
    }
    const odd = tensor.data.find((x) => !Object.is(formats[dtype].round(x), x));
    if (odd !== undefined) {
      return { kind: "error", message: `result ${place} has ${formatFloat64(odd)}, which is no ${dtype}` };
    }
    tensors.push(tensor);
  }
  return { kind: "result", value: tensors };
}

function tensorOf(answered: Answered, shape: Shape): FlatTensor | undefined {
  if (typeof answered === "number")
    return shape.length === 0 ? { shape, data: Float64Array.of(answered) } : undefined;
  if ("shape" in answered) return answered;
  return answered.length === sizeOf(shape) ? { shape, data: Float64Array.from(answered) } : undefined;
}
