import { type Environment, type EnvironmentValue, integer } from "../../reference/index.ts";
import { fail, type Issue, ok, pointerTo, present, type Result } from "../../spec/shapes/index.ts";
import type { ExactTensorJson } from "../../spec/wire/index.ts";
import type { Numbers } from "./flat.ts";
import type { CheckedTrace } from "./read.ts";
import type { Scalars } from "./scalars.ts";

/** All numbers of a trace, read. */
export interface TraceNumbers {
  readonly inputs: readonly Numbers[];
  /** These are the real entries of Δ alone. */
  readonly environment: ReadonlyMap<string, Numbers>;
  readonly seeds: ReadonlyMap<number, Numbers>;
  readonly values: readonly Numbers[];
  readonly cotangents: readonly Numbers[];
}

/** Returns every number of a trace. Fails: `lean/number`. */
export function readNumbers(trace: CheckedTrace, scalars: Scalars): Result<TraceNumbers, Issue[]> {
  const issues: Issue[] = [];
  const read = (tensor: ExactTensorJson, pointer: string): Numbers =>
    tensor.data.flatMap((text, position) => {
      const x = text.length <= MAXIMUM_DIGITS ? scalars.read(text) : undefined;
      if (x === undefined) issues.push(unreadable(scalars, text, `${pointer}/data/${position}`));
      return x ?? [];
    });
  const { graph, point, seeds, values, cotangents } = trace;
  const numbers = {
    inputs: point.inputs.map((tensor, id) => read(tensor, `/point/inputs/${id}`)),
    environment: new Map(
      graph.environment
        .filter(({ kind }) => kind === "real")
        .map(({ name }) => [
          name,
          read(present(point.environment[name], "an entry"), pointerTo("/point/environment", name)),
        ]),
    ),
    seeds: new Map(seeds.map(({ id, cotangent }, i) => [id, read(cotangent, `/seeds/${i}/cotangent`)])),
    values: values.map((tensor, id) => read(tensor, `/values/${id}`)),
    cotangents: cotangents.map((tensor, id) => read(tensor, `/cotangents/${id}`)),
  };
  return issues.length === 0 ? ok(numbers) : fail(issues.slice(0, MAXIMUM_SHOWN));
}

/** Enough issues to see what is wrong. */
const MAXIMUM_SHOWN = 20;

/** More digits than any number that a kernel would multiply. */
const MAXIMUM_DIGITS = 100_000;

function unreadable(scalars: Scalars, text: string, pointer: string): Issue {
  return {
    code: "lean/number",
    pointer,
    message: `${JSON.stringify(text.slice(0, 40))} is no number of the ${scalars.name} algebra.`,
    hint: `write one, in ${MAXIMUM_DIGITS} characters at most; what has no value (1/0) cannot be exported`,
  };
}

/** Returns the indices of Δ, which operators have written out; no real numbers. Fails: `lean/number`. */
export function readIndices({ graph, point }: CheckedTrace): Result<Environment<bigint>, Issue[]> {
  const issues: Issue[] = [];
  const entries = graph.environment.map(({ name, kind, shape }): [string, EnvironmentValue<bigint>] => {
    if (kind === "real") return [name, { kind, tensor: { shape, data: [] } }];
    const indices = present(point.environment[name], "an entry").data.map((text, position) => {
      const index = integer.parse(text);
      const pointer = `${pointerTo("/point/environment", name)}/data/${position}`;
      if (index === undefined) issues.push(noIndex(text, pointer));
      return Number(index);
    });
    return [name, { kind, shape, indices }];
  });
  return issues.length === 0 ? ok(new Map(entries)) : fail(issues.slice(0, MAXIMUM_SHOWN));
}

function noIndex(text: string, pointer: string): Issue {
  return {
    code: "lean/number",
    pointer,
    message: `${JSON.stringify(text.slice(0, 40))} is no index.`,
    hint: "indices are whole numbers from 0 on",
  };
}
