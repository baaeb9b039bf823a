import {
  type Context,
  entry,
  evaluate,
  execute,
  float64,
  interpret,
  type MachineOf,
  type Outcome,
  type Recording,
  record,
  type Start,
  type Tensor,
} from "../../reference/package.ts";
import { type Algebra, at, expand, InvariantError, type NodeId, type Program } from "../../spec/index.ts";
import { type DrawnProgram, floatPrograms, type Numbers, programAt } from "./draw.ts";

/** Makes the start of a drawn program's run, over any algebra that has the numbers. */
export function startOver<S>(drawn: DrawnProgram, element: (x: number) => S): Start<S> {
  const lift = ({ shape, data }: Numbers): Tensor<S> => ({ shape, data: data.map(element) });
  return {
    parameters: drawn.parameters.map(lift),
    state: drawn.state.map(lift),
    environment: new Map(),
    generator: drawn.generator,
    world: new Map([...drawn.received].map(([channel, tensors]) => [channel, tensors.map(lift)])),
  };
}

/** Returns all that a run leaves: results, contents, what was sent. */
export function leftBy<V>({ results, state, sent }: Outcome<V>): V[] {
  return [...results, ...state, ...sent.map(({ value }) => value)];
}

/** Returns the recorded graph of a run, evaluated at its start: what it has where the run left something. */
export function asRecorded<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  start: Start<S>,
): { readonly recording: Recording<S>; readonly context: Context<S>; readonly left: readonly NodeId[] } {
  const recording = record(algebra, program, start);
  if (!recording.ok) throw new InvariantError(`a drawn program ends: ${recording.error[0]?.message}`);
  const { graph, ids } = expand(recording.value.graph);
  const meaning = interpret(graph, algebra);
  if (!meaning.ok) throw new InvariantError(`${algebra.name} lacks what a drawn program needs`);
  const context = evaluate(meaning.value, [...start.parameters, ...start.state], recording.value.environment);
  const left = leftBy(recording.value.outcome).map((id) => at(ids, id));
  return { recording: recording.value, context, left };
}

/** Checks law F for a program: returns the first thing that execution and graph do not leave alike. */
export function breaksLawF<S, B>(
  algebra: Algebra<S, B>,
  program: Program,
  start: Start<S>,
  machine?: MachineOf<S, B>,
): string | undefined {
  const executed = execute(algebra, program, start, undefined, machine);
  if (!executed.ok) return `${executed.error[0]?.code} at ${executed.error[0]?.pointer}`;
  const { context, left } = asRecorded(algebra, program, start);
  const found = leftBy(executed.value);
  if (found.length !== left.length) return "not as much is left";
  const place = found.findIndex((tensor, i) => !isSameTensor(algebra, tensor, entry(context, at(left, i))));
  return place < 0 ? undefined : `what is left at ${place}`;
}

/** Returns the first of so many drawn programs on which a machine breaks law F. */
export function firstTold(
  machine: MachineOf<number, boolean>,
  seed: number,
  most: number,
): number | undefined {
  for (let index = 0; index < most; index++) {
    const drawn = programAt(floatPrograms, seed, index);
    const start = startOver(drawn, (x) => x);
    if (breaksLawF(float64, drawn.program, start, machine) !== undefined) return index;
  }
  return undefined;
}

function isSameTensor<S, B>(algebra: Algebra<S, B>, x: Tensor<S>, y: Tensor<S>): boolean {
  return (
    x.data.length === y.data.length &&
    x.data.every((element, i) => algebra.isSame(element, at([...y.data.map((one) => ({ one }))], i).one))
  );
}

/**
 * Draws so many programs over floats, less the few without a meaning [SEMANTICS §10.14]: a derivative that a
 * function of theirs says of itself overflows.
 */
export function* drawnWithMeaning(
  seed: number,
  most: number,
): Generator<{ readonly index: number; readonly program: Program; readonly start: Start<number> }> {
  let count = 0;
  for (let index = 0; index < most; index++) {
    const drawn = programAt(floatPrograms, seed, index);
    const start = startOver(drawn, Number);
    const run = execute(float64, drawn.program, start);
    if (!run.ok && run.error[0]?.code === "program/derivative") continue;
    count++;
    yield { index, program: drawn.program, start };
  }
  if (count < 0.98 * most) throw new InvariantError(`only ${count} of ${most} programs have a meaning`);
}
