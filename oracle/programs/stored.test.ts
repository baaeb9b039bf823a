import { describe, expect, test } from "vitest";
import type { StorageType } from "../../reference/numerics/index.ts";
import { type Carried, carriedOver, keptDescent } from "../../reference/package.ts";
import {
  at,
  type FlatTensor,
  type Program,
  type ProgramCase,
  pointerOfStatement,
  present,
  program,
} from "../../spec/index.ts";
import { exactPrograms, taskAt } from "./draw.ts";
import { questionOf, sessionCases } from "./question.ts";
import { storedLocations } from "./stored.ts";

const flat = (...data: number[]): FlatTensor => ({ shape: [data.length], data: Float64Array.from(data) });
const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

function caseOf(
  written: Program,
  parameters: readonly FlatTensor[],
  state: readonly FlatTensor[],
): ProgramCase {
  return {
    program: written,
    point: { inputs: [...parameters, ...state], environment: new Map() },
    generator: { key: [0, 0], drawn: 0 },
    received: new Map(),
    seeds: [],
  };
}

const parametersOf = ({ program: { state }, point }: ProgramCase): readonly FlatTensor[] =>
  point.inputs.slice(0, point.inputs.length - state.length);

/** Returns the second call of a case that gets the same, and what it carries over. */
function second(question: ProgramCase): readonly [ProgramCase, readonly Carried[]] | undefined {
  const { received, seeds } = question;
  const calls = sessionCases(question, [{ parameters: parametersOf(question), received, seeds }]);
  const [first, next] = calls.map((call) => questionOf(call));
  if (first?.ok !== true || next?.ok !== true) return undefined;
  const carried = carriedOver(question.program, first.value.recording, next.value.recording);
  return [at(calls, 1), carried];
}

/** Returns what a call leaves in the locations, and computes with at all. */
function left(question: ProgramCase): unknown {
  const { received, seeds } = question;
  const calls = sessionCases(question, [{ parameters: [], received, seeds }]);
  const asked = questionOf(question);
  const state = at(calls, 1).point.inputs.map(({ data }) => [...data]);
  return [state, asked.ok && asked.value.recording.decisions];
}

/** The case with other contents of the locations that are not among these. */
function elsewhere(question: ProgramCase, names: readonly string[]): ProgramCase {
  const { state } = question.program;
  const before = question.point.inputs.length - state.length;
  const inputs = question.point.inputs.map((input, place) => {
    const location = state[place - before];
    if (location === undefined || names.includes(location.name)) return input;
    return { ...input, data: input.data.map((x) => x + 1) };
  });
  return { ...question, point: { ...question.point, inputs } };
}

/**
 * Returns the random programs of which the second call does otherwise when what is not carried over is
 * changed.
 */
function differing(
  forgetting: (carried: readonly Carried[]) => readonly Carried[],
): [wrong: number, of: number] {
  let [wrong, of] = [0, 0];
  for (let index = 0; index < 300; index++) {
    const question = taskAt(exactPrograms, 221, index).case;
    if (question.program.state.length === 0) continue;
    const found = second(question);
    if (found === undefined) continue;
    const [next, carried] = found;
    const names = forgetting(carried).map(({ location }) => location);
    of += 1;
    if (JSON.stringify(left(elsewhere(next, names))) !== JSON.stringify(left(next))) wrong += 1;
  }
  return [wrong, of];
}

describe("what is carried over", () => {
  test("is all that a next call depends on, in random programs", () => {
    const [wrong, of] = differing((carried) => carried);
    expect(wrong).toBe(0);
    expect(of).toBeGreaterThan(50);
  });

  test("is told where one of it is forgotten", () => {
    const [wrong, of] = differing((carried) => carried.slice(1));
    expect(wrong).toBeGreaterThan(of / 4);
  });
});

/** Two micro-batches add up their gradients, each by way of a buffer, and a step follows. */
const accumulating = program(({ input, state }) => {
  const [first, other, rate] = [input("first", [2]), input("other", [2]), input("rate")];
  const [x, g, dx] = [state("x", [2]), state("g", [2]), state("dx", [2])];
  for (const batch of [first, other]) {
    dx.write(batch);
    g.update("add", dx);
  }
  x.update("subtract", rate.multiply(g));
  return [];
});

const words: StorageType = { kind: "sym_int32", bits: 12 };
const numbers: StorageType = { kind: "float32" };

describe("the storage rule", () => {
  const steps = caseOf(
    accumulating,
    [flat(1, 2), flat(3, 4), scalar(0.5)],
    [flat(5, 6), flat(0, 0), flat(0, 0)],
  );
  const broken = (question: ProgramCase, types: Readonly<Record<string, StorageType>>): readonly string[] => {
    const found = storedLocations(question, new Map(Object.entries(types)));
    return found.ok ? found.value.flatMap(({ name, isBroken }) => (isBroken ? [name] : [])) : ["no run"];
  };

  test("is broken by a gradient that is added up in a type to compute with, and says where", () => {
    expect(broken(steps, { x: numbers, g: words, dx: words })).toEqual(["g"]);
    const found = storedLocations(steps, new Map([["g", words]]));
    const { carried } = at(found.ok ? found.value : [], 1);
    const place = (statement: Carried["read"]): string =>
      pointerOfStatement(accumulating, present(statement, "a statement"));
    expect([place(carried?.written), place(carried?.read)]).toEqual([
      "/procedures/0/body/3",
      "/procedures/0/body/1",
    ]);
  });

  test("is kept by what each call overwrites before it reads it, and by what nothing is said of", () => {
    expect(broken(steps, { x: numbers, g: numbers, dx: words })).toEqual([]);
    expect(broken(steps, {})).toEqual([]);
  });

  test("is broken by a parameter that is only read, and by one that is handed out as it is", () => {
    const frozen = program(({ input, state }) => {
      const [x, w, y] = [input("x", [2]), state("w", [2]), state("y", [2])];
      y.write(x.multiply(w));
      return [y];
    });
    const handing = program(({ state }) => [state("w", [2])]);
    expect(broken(caseOf(frozen, [flat(1, 2)], [flat(3, 4), flat(0, 0)]), { w: words, y: words })).toEqual([
      "w",
    ]);
    expect(broken(caseOf(handing, [], [flat(3, 4)]), { w: words })).toEqual(["w"]);
  });

  test("is broken by an element that is left when the others are overwritten, and by what moves to another location", () => {
    const partly = program(({ input, state }) => {
      const [x, w, y] = [input("x", [1]), state("w", [2]), state("y", [2])];
      w.view({ kind: "slice", starts: [0], sizes: [1], steps: [1] }).write(x);
      y.write(w);
      return [];
    });
    const shifting = program(({ input, state }) => {
      const [x, w, y] = [input("x", [2]), state("w", [2]), state("y", [2])];
      y.write(w);
      w.write(x);
      return [];
    });
    const state = [flat(3, 4), flat(0, 0)];
    expect(broken(caseOf(partly, [flat(1)], state), { w: words, y: words })).toEqual(["w"]);
    expect(broken(caseOf(shifting, [flat(1, 2)], state), { w: words, y: words })).toEqual(["w"]);
  });

  test("is broken by the gradient that a step reads in whichever discipline", () => {
    for (const what of ["parameter", "parameterAndGradient"] as const) {
      const written = keptDescent([2], { bits: 8, what });
      const question = caseOf(written, [scalar(0.5)], [flat(3, 4), flat(1, 2)]);
      expect(broken(question, { x: numbers, g: words })).toEqual(["g"]);
    }
  });
});
