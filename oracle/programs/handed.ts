import type { ProgramCall } from "../../spec/contract/index.ts";
import { at } from "../../spec/shapes/index.ts";
import { type FlatTensor, formatFloat64 } from "../../spec/wire/index.ts";
import { copied, lentPoint, lentSeeds } from "../hearing/index.ts";
import type { Call, ProgramFinding } from "./answer.ts";

/** Returns a call with arrays of its own, so that an engine that writes into them changes nothing else. */
export function lentCall(call: ProgramCall): ProgramCall {
  const { parameters, environment, received, session, tangents, seeds } = call;
  const point = lentPoint({ inputs: parameters, environment });
  return {
    mode: call.mode,
    parameters: point.inputs,
    environment: point.environment,
    received: new Map([...received].map(([channel, tensors]) => [channel, tensors.map(copied)])),
    ...(session === undefined ? {} : { session: { ...session, state: session.state.map(copied) } }),
    tangents: tangents.map(copied),
    seeds: lentSeeds(seeds),
  };
}

/** Reports the first number of a call's arguments that is another one in what was `lent` for it. */
export function overwritten(about: Call, call: ProgramCall, lent: ProgramCall): ProgramFinding | undefined {
  const after = tensorsOf(lent);
  for (const [place, { data }] of tensorsOf(call).entries()) {
    const now = at(after, place).data;
    const element = data.findIndex((x, i) => !Object.is(x, now[i]));
    if (element < 0) continue;
    const [answer, expected] = [now, data].map((numbers) => formatFloat64(numbers[element] ?? Number.NaN));
    const found = { ...about, part: "argument", place, element, bound: "0x0p+0" } as const;
    return { ...found, answer: answer ?? "", expected: expected ?? "" };
  }
  return undefined;
}

/** Lists the tensors of a call, parameters and persistent locations first. */
function tensorsOf({
  parameters,
  environment,
  received,
  session,
  tangents,
  seeds,
}: ProgramCall): FlatTensor[] {
  return [
    ...parameters,
    ...(session?.state ?? []),
    ...environment.values(),
    ...[...received.values()].flat(),
    ...tangents,
    ...seeds.map(({ cotangent }) => cotangent),
  ];
}
