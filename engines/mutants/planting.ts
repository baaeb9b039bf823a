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
 * Plants a mutant's fault around `engine`: where the mutant and its interpreter differ, so does this engine;
 * elsewhere it gives its own answer. A judge, or a user's own test, must tell it from `engine`. Faults after
 * an answer (in reused buffers), and cases that `engine` declines or the interpreter cannot compute, are not
 * planted.
 * Law: a mutant without a fault changes no answer. Cost: each question is put to interpreter and mutant too.
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
    // The mutant comes last, because some mutants write into what they are handed.
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

/** Returns the given tensors with the planted elements where those are not as expected. */
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
