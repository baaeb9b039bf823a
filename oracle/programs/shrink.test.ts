import { describe, expect, test } from "vitest";
import {
  execute,
  float64,
  Machine,
  type MachineOf,
  type Memory,
  type Tensor,
} from "../../reference/package.ts";
import { checkProgram, type Program, program, statementsIn, type View } from "../../spec/index.ts";
import { type DrawnProgram, floatPrograms, programAt } from "./draw.ts";
import { breaksLawF, startOver } from "./laws.test.kit.ts";
import { shrinkProgram } from "./shrink.ts";

/** A write forgets where its view begins. */
class Displaced extends Machine<number, boolean> {
  override write(memory: Memory<number>, view: View, value: Tensor<number>): void {
    super.write(memory, { ...view, offset: 0 }, value);
  }
}

/** A condition holds at 0. */
class Contrary extends Machine<number, boolean> {
  override condition({ shape, data }: Tensor<number>): Tensor<number> {
    return { shape, data: data.map((x) => (x === 0 ? 1 : 0)) };
  }
}

function failsOn(drawn: DrawnProgram, machine: MachineOf<number, boolean>): (program: Program) => boolean {
  const start = startOver(drawn, Number);
  return (program) => {
    // What an honest machine does not run to its end shows nothing.
    if (!execute(float64, program, start).ok) return false;
    const told = breaksLawF(float64, program, start, machine);
    return told?.startsWith("what is left") === true;
  };
}

/** Returns the first programs on which a machine is told, shrunk. */
async function shrunk(
  machine: MachineOf<number, boolean>,
  wanted: number,
): Promise<{ readonly before: number; readonly after: number }[]> {
  const sizes: { before: number; after: number }[] = [];
  for (let index = 0; sizes.length < wanted; index++) {
    const drawn = programAt(floatPrograms, 11, index);
    const fails = failsOn(drawn, machine);
    if (!fails(drawn.program)) continue;
    const smaller = await shrinkProgram(drawn.program, fails);
    expect(fails(smaller)).toBe(true);
    expect(checkProgram(smaller).ok).toBe(true);
    sizes.push({ before: sizeOf(drawn.program), after: sizeOf(smaller) });
  }
  return sizes;
}

/** Returns the statements of a program. */
function sizeOf({ procedures }: Program): number {
  return procedures.flatMap(({ body }) => statementsIn(body)).length;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

describe("shrinkProgram", () => {
  test.each([
    ["a write that forgets where its view begins", Displaced],
    ["a condition that holds at 0", Contrary],
  ])("leaves eight statements at the median: %s", async (_, machine) => {
    const sizes = await shrunk(machine, 11);
    expect(median(sizes.map(({ after }) => after))).toBeLessThanOrEqual(8);
    expect(median(sizes.map(({ before }) => before))).toBeGreaterThan(25);
  });

  test("drops a result of the entry in its early returns too", async () => {
    const leaving = program(({ input, if_, return_ }) => {
      const [x, y] = [input("x"), input("y")];
      if_(x, () => return_(y, x));
      return [x, y];
    });
    const start = { ...startOver(programAt(floatPrograms, 11, 0), Number), state: [] };
    const scalars = [2, 3].map((x) => ({ shape: [], data: [x] }));
    const fails = (candidate: Program): boolean => {
      const left = execute(float64, candidate, { ...start, parameters: scalars });
      return left.ok && left.value.results.some(({ data }) => data[0] === 3);
    };
    const smaller = await shrinkProgram(leaving, fails);
    expect(smaller.procedures[0]?.results.map(({ name }) => name)).toEqual(["y"]);
    expect(smaller.procedures[0]?.body).toEqual([]);
    const early = (candidate: Program): boolean =>
      fails(candidate) &&
      statementsIn(candidate.procedures[0]?.body ?? []).some(({ do: kind }) => kind === "return");
    const [entry] = (await shrinkProgram(leaving, early)).procedures;
    expect(entry?.results.length).toBe(1);
  });

  test("gives back what does not fail when it is smaller", async () => {
    const { program } = programAt(floatPrograms, 11, 0);
    expect(await shrinkProgram(program, (smaller) => smaller === program)).toBe(program);
  });
});
