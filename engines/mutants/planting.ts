import {
  type Asked,
  answerIn,
  type Engine,
  type LoadedGraph,
  type Reply,
} from "../../spec/contract/index.ts";
import { isSameShape } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import { interpreterEngine } from "../interpreter/index.ts";
import type { Mutant } from "./mutant.ts";

type Answer = Reply<readonly FlatTensor[]>;

/**
 * `engine` with a mutant's fault planted round it: wherever the mutant answers something else than the interpreter that it was made
 * of, so does this engine, and its own answer elsewhere. A judge, or a user's own test, must be able to tell it from `engine`.
 * Not planted are faults in what becomes of an answer after it was given (a buffer that is used again), and those of
 * cases that `engine` declines or the interpreter cannot compute.
 * Law: a mutant without a fault changes no answer. Cost: each question is put to the interpreter and the mutant too.
 */
export function plant(mutant: Pick<Mutant, "name" | "engine">, engine: Engine): Engine {
  const sound = interpreterEngine();
  const faulty = mutant.engine();
  const description = engine.describe();
  return {
    describe: () => ({ ...description, name: `${description.name}, mutant: ${mutant.name}` }),
    async load(graph, dtype) {
      const own = await engine.load(graph, dtype);
      const right = await sound.load(graph, dtype);
      if (own.kind !== "result" || right.kind !== "result") return own;
      const wrong = await faulty.load(graph, dtype);
      if (wrong.kind !== "result") return wrong;
      return { kind: "result", value: beside(own.value, right.value, wrong.value) };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

function beside(own: LoadedGraph, right: LoadedGraph, wrong: LoadedGraph): LoadedGraph {
  const ask = async (mode: Mode, asked: Partial<Asked> & Pick<Asked, "point">): Promise<Answer> => {
    const whole: Asked = { tangents: [], seeds: [], ...asked };
    const given = await answerIn(own, mode, whole);
    const expected = await answerIn(right, mode, whole);
    // Last, for some mutants write into what they are handed.
    const planted = await answerIn(wrong, mode, whole);
    if (given.kind !== "result" || expected.kind !== "result") return given;
    return planted.kind === "result"
      ? { kind: "result", value: moved(given.value, expected.value, planted.value) }
      : planted;
  };
  return {
    evaluate: (point) => ask("evaluate", { point }),
    jvp: (point, tangents) => ask("jvp", { point, tangents }),
    vjp: (point, seeds) => ask("vjp", { point, seeds }),
    backwardDense: (point, seeds) => ask("backward_dense", { point, seeds }),
    async unload() {
      for (const program of [own, right, wrong]) await program.unload();
    },
  };
}

/** The tensors given, with the elements that are planted where these are not as expected. */
function moved(
  given: readonly FlatTensor[],
  expected: readonly FlatTensor[],
  planted: readonly FlatTensor[],
): readonly FlatTensor[] {
  if (planted.length !== expected.length) return planted;
  return given.map((tensor, place) => {
    const [right, wrong] = [expected[place], planted[place]];
    if (right === undefined || wrong === undefined) return tensor;
    if (!isSameShape(right.shape, wrong.shape)) return wrong;
    const data = tensor.data.map((x, i) =>
      Object.is(right.data[i], wrong.data[i]) ? x : (wrong.data[i] ?? x),
    );
    return { shape: tensor.shape, data };
  });
}
