import { describe, expect, test } from "vitest";
import { type DataType, interpreterEngine, type Mutant, mutants } from "../engines/index.ts";
import { compositeMutants } from "../engines/mutants/composites.ts";
import { nestingMutants } from "../engines/mutants/nesting.ts";
import {
  type Case,
  caseAt,
  chainProfile,
  exactProfile,
  runReference,
  scalar20Profile,
  tensorProfile,
} from "../oracle/index.ts";
import { floats as algebras, withAccurateSlopes } from "../reference/package.ts";
import { type FlatTensor, nodeId, shapesOf, sizeOf } from "../spec/index.ts";
import { sampled } from "../spec/sampled.test.kit.ts";

/** Rounds a case's numbers as an engine has them: some tangents and cotangents are none of float32. */
function inPrecision(question: Case, dtype: DataType): Case {
  if (dtype === "float64") return question;
  const rounded = ({ shape, data }: FlatTensor): FlatTensor => ({ shape, data: data.map(Math.fround) });
  const seeds = question.seeds.map(({ id, cotangent }) => ({ id, cotangent: rounded(cotangent) }));
  return { ...question, tangents: question.tangents.map(rounded), seeds };
}

/** Returns the reference's numbers in the sparse form: values and tangents of nodes, all cotangents. */
function expected(question: Case, dtype: DataType): number[][] {
  const { values, tangents, cotangents } = runReference(question, algebras[dtype], (expanded, meaning) =>
    withAccurateSlopes(expanded.graph, meaning, algebras[dtype]),
  );
  const first = question.graph.inputs.length;
  const zeros = shapesOf(question.graph).map((shape) => new Float64Array(sizeOf(shape)));
  return [
    ...values.slice(first).map(({ data }) => data),
    ...tangents.slice(first).map(({ data }) => data),
    ...zeros.map((zero, id) => cotangents.get(nodeId(id))?.data ?? zero),
  ].map((data) => [...data]);
}

async function answered(
  engine: ReturnType<Mutant["engine"]>,
  question: Case,
  dtype: DataType,
): Promise<number[][]> {
  const loaded = await engine.load(question.graph, dtype);
  if (loaded.kind !== "result") throw new Error(loaded.kind);
  const program = loaded.value;
  const replies = [
    await program.evaluate(question.point),
    await program.jvp(question.point, question.tangents),
    await program.backwardDense(question.point, question.seeds),
  ];
  return replies.flatMap((reply) =>
    reply.kind === "result" ? reply.value.map(({ data }) => [...data]) : [],
  );
}

/** Says whether all numbers are the same to the bit; all NaNs are one. */
function areSame(a: readonly number[][], b: readonly number[][]): boolean {
  return (
    a.length === b.length &&
    a.every((row, i) => row.length === b[i]?.length && row.every((x, j) => Object.is(x, b[i]?.[j])))
  );
}

describe("the interpreter", () => {
  const profiles = [tensorProfile, scalar20Profile, exactProfile, chainProfile];

  test.each([
    "float64",
    "float32",
  ] as const)("is the reference's sparse form to the bit in %s", async (dtype) => {
    for (const profile of profiles) {
      const count = profile === chainProfile ? 60 : 1000;
      for (const index of sampled(`${profile.name} ${dtype}`, [...Array(count).keys()], count / 5)) {
        const question = inPrecision(caseAt(profile, 17, index), dtype);
        const same = areSame(await answered(interpreterEngine(), question, dtype), expected(question, dtype));
        if (!same) expect.fail(`${profile.name} ${index} ${dtype}`);
      }
    }
  });

  test("differs from it in the mutants, but for those that show in a rare case only", async () => {
    const alike: string[] = [];
    // All mutants are asked the same cases, each of which is drawn and answered by the reference once.
    const drawn: { readonly question: Case; readonly right: number[][] }[] = [];
    const drawnAt = (index: number): (typeof drawn)[number] => {
      const known = drawn[index];
      if (known !== undefined) return known;
      const question = caseAt(tensorProfile, 17, index);
      const entry = { question, right: expected(question, "float64") };
      drawn[index] = entry;
      return entry;
    };
    const elsewhere = [...compositeMutants, ...nestingMutants];
    const primitive = mutants.filter((mutant) => !elsewhere.includes(mutant));
    for (const mutant of primitive) {
      const engine = mutant.engine();
      let found = false;
      for (let index = 0; index < 1000 && !found; index++) {
        const { question, right } = drawnAt(index);
        found = await differsOnce(engine, question, right);
      }
      if (!found) alike.push(mutant.name);
    }
    expect(alike.length, `${alike}`).toBeLessThan(primitive.length / 10);
  });
});

/** Loads once and sweeps twice, as a training loop does. */
async function differsOnce(
  engine: ReturnType<Mutant["engine"]>,
  question: Case,
  right: readonly number[][],
): Promise<boolean> {
  const loaded = await engine.load(question.graph, "float64");
  if (loaded.kind !== "result") return false;
  await loaded.value.backwardDense(question.point, question.seeds);
  const replies = [
    await loaded.value.evaluate(question.point),
    await loaded.value.jvp(question.point, question.tangents),
    await loaded.value.backwardDense(question.point, question.seeds),
  ];
  const numbers = replies.flatMap((reply) =>
    reply.kind === "result" ? reply.value.map(({ data }) => [...data]) : [],
  );
  return !areSame(numbers, right);
}
