import type { Reply } from "../../spec/contract/index.ts";
import { type NodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import type { Answered, Truth } from "../truth/index.ts";
import type { Hearing } from "./hearing.ts";

/**
 * Returns the truth about an engine's answer in a mode: behind a NaN or an infinity that it answered in this
 * mode, or as a value, it is held to what IEEE 754 makes of that. Cost: none where every number has a bound.
 */
export async function truthAfter(hearing: Hearing, mode: Mode): Promise<Truth> {
  const { question, truth, modes } = hearing;
  const numbers = async (of: Mode): Promise<(id: NodeId) => ArrayLike<number> | undefined> => {
    const first = of === "backward_dense" ? 0 : question.graph.inputs.length;
    return numbersOf((await hearing.answer(of)).given, first, truth);
  };
  const answered: Answered = {
    ...(modes.includes("evaluate") ? { value: await numbers("evaluate") } : {}),
    ...(mode === "jvp" ? { tangent: await numbers("jvp") } : {}),
    ...(mode === "backward_dense" ? { cotangent: await numbers("backward_dense") } : {}),
  };
  return { ...truth, ...truth.after(answered) };
}

/** Returns the numbers of an answer at an id, of which the first tensor belongs to the id `first`. */
function numbersOf(
  reply: Reply<readonly FlatTensor[]>,
  first: number,
  { shapes }: Truth,
): (id: NodeId) => ArrayLike<number> | undefined {
  return (id) => {
    const data = reply.kind === "result" ? reply.value[id - first]?.data : undefined;
    return data?.length === sizeOf(shapes[id] ?? []) ? data : undefined;
  };
}
