import type { Engine, LoadedGraph, Reply } from "../engines/index.ts";
import type { DataType, FlatTensor } from "../spec/index.ts";
import type { Case } from "./case/case.ts";

type Answer = Reply<readonly FlatTensor[]>;

/** Asks an engine every question of a case. */
async function answersOf(engine: Engine, question: Case, dtype: DataType): Promise<Answer[]> {
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") return [loaded];
  return asked(loaded.value, question);
}

async function asked(program: LoadedGraph, { point, tangents, seeds }: Case): Promise<Answer[]> {
  return [
    await program.evaluate(point),
    await program.jvp(point, tangents),
    await program.vjp(point, seeds),
    await program.backwardDense(point, seeds),
  ];
}

/** Tells whether two engines answer a case with the same bits, where `-0` is not `0` and all NaNs are one. */
export async function agreeToTheBit(
  one: Engine,
  other: Engine,
  question: Case,
  dtype: DataType,
): Promise<boolean> {
  const [a, b] = [await answersOf(one, question, dtype), await answersOf(other, question, dtype)];
  return a.length === b.length && a.every((reply, n) => isSameReply(reply, b[n]));
}

function isSameReply(a: Answer, b: Answer | undefined): boolean {
  if (a.kind !== "result" || b?.kind !== "result" || a.value.length !== b.value.length) return false;
  return a.value.every(({ data }, n) => {
    const other = b.value[n]?.data;
    return other?.length === data.length && data.every((x, i) => Object.is(x, other[i]));
  });
}
