import type { Reply } from "../../spec/contract/index.ts";
import { at, type NodeId, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor, Mode } from "../../spec/wire/index.ts";
import { type Answered, type Component, judgedBy, type Part, type Truth, truthOf } from "../truth/index.ts";
import type { Hearing } from "./hearing.ts";

/**
 * Returns the truth about an engine's answer in a mode: behind a NaN or an infinity that it answered in this
 * mode, or as a value, it is held to what IEEE 754 makes of that. Where several answers are right, that of
 * the reference's formula is decided to be, so that who promises less has no worse verdict on the same
 * answers. Cost: none where every number has a bound, else one more truth where an answer is open.
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
  const own = { ...truth, ...truth.after(answered) };
  const { conventions } = hearing.standard;
  if (conventions.singularPoints === "reference") return own;
  const standard = {
    ...hearing.standard,
    conventions: { ...conventions, singularPoints: "reference" },
  } as const;
  let reference: Pick<Truth, Part> | undefined;
  const parted = (part: Part) => (id: NodeId) =>
    own[part](id).map((component, element) =>
      orAsReference(component, () => {
        reference ??= truthOf(question, standard).after(answered);
        return at(reference[part](id), element);
      }),
    );
  return { ...own, value: parted("value"), tangent: parted("tangent"), cotangent: parted("cotangent") };
}

/** Returns a component that has the answer of the reference's formula, too, where several are right. */
function orAsReference(component: Component, reference: () => Component): Component {
  if (Number.isFinite(component.near.bound)) return component;
  return judgedBy(component, (answer) => {
    const judged = component.judge(answer);
    if (judged !== "undecided" || !component.isOpen) return judged;
    return reference().judge(answer) === "within" ? "within" : judged;
  });
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
