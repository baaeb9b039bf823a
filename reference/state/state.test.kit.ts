import { expect } from "vitest";
import { at, checkProgram, expand, type Issue, type Program, type Shape } from "../../spec/index.ts";
import { type Rational, rational } from "../algebras/rational.ts";
import { entry } from "../context.ts";
import { interpret } from "../interpret.ts";
import { evaluate } from "../sweep.ts";
import type { Tensor } from "../tensor.ts";
import { execute, record, type Start } from "./execute.ts";

/** Returns a rational tensor. */
export function exactly(shape: Shape, ...numbers: readonly number[]): Tensor<Rational> {
  return {
    shape,
    data: numbers.map((x) => rational.levels.field?.literal(x) ?? expect.unreachable("no field")),
  };
}

/** Makes the start of a program's run: at these parameters and contents. */
export function startAt(
  parameters: readonly Tensor<Rational>[],
  rest: Partial<Start<Rational>> = {},
): Start<Rational> {
  const generator = { key: [1, 2] as const, drawn: 0 };
  return { parameters, state: [], environment: new Map(), generator, world: new Map(), ...rest };
}

/** Returns the program, which must be well-formed. */
export function wellFormed(program: Program): Program {
  const checked = checkProgram(JSON.parse(JSON.stringify(program)));
  if (!checked.ok) throw new Error(JSON.stringify(checked.error));
  return checked.value;
}

/** Returns what an execution left, as text: results, then state. It checks law F on the way. */
export function left(program: Program, start: Start<Rational>): string[] {
  const [executed, recording] = [execute(rational, program, start), record(rational, program, start)];
  if (!executed.ok || !recording.ok) throw new Error(JSON.stringify([executed, recording]));
  const { graph, environment, outcome } = recording.value;
  const { graph: expanded, ids } = expand(graph);
  const meaning = interpret(expanded, rational);
  if (!meaning.ok) throw new Error(JSON.stringify(meaning.error));
  const context = evaluate(meaning.value, [...start.parameters, ...start.state], environment);
  const asRecorded = [...outcome.results, ...outcome.state].map((id) => shown(entry(context, at(ids, id))));
  const asExecuted = [...executed.value.results, ...executed.value.state].map(shown);
  expect(asRecorded).toEqual(asExecuted);
  expect(outcome.generator).toEqual(executed.value.generator);
  return asExecuted;
}

/** Returns the issue with which a run ends. */
export function issueOfRun(program: Program, start: Start<Rational>): Issue | undefined {
  const executed = execute(rational, program, start);
  const recording = record(rational, program, start);
  expect(recording.ok ? [] : recording.error).toEqual(executed.ok ? [] : executed.error);
  return executed.ok ? undefined : executed.error[0];
}

/** Returns the elements as text. */
export function shown({ data }: Tensor<Rational>): string {
  return data.map(rational.format).join(" ");
}
