import type { ProgramCase } from "../../spec/documents/index.ts";
import { statementsOf } from "../../spec/programs/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";
import { ranCase } from "./question.ts";

/** The world outside of a call: each channel has these tensors, in order. */
export type World = ProgramCase["received"];

/**
 * Returns the world of a call with as much as its run asks for and no more, so that whoever asks again gets
 * nothing [SEMANTICS §10.16]; `undefined` if the program receives nothing, or its run fails.
 */
export function worldAskedOnce(given: ProgramCase): World | undefined {
  if (!statementsOf(given.program).some(({ do: kind }) => kind === "receive")) return undefined;
  const ran = ranCase(given);
  if (!ran.ok) return undefined;
  const { asked } = ran.value;
  return new Map([...given.received].map(([name, all]) => [name, all.slice(0, asked.get(name) ?? 0)]));
}

/**
 * Returns the world with more on every channel behind what the run asks for: what the call was given besides,
 * and then other numbers than before, since a world need not say the same again.
 */
export function worldAskedAgain({ received }: ProgramCase, once: World): World {
  return new Map(
    [...once].map(([name, first]) => {
      const rest = received.get(name)?.slice(first.length) ?? [];
      const others = Array.from({ length: MOST_AGAIN }, () => first.map(another)).flat();
      return [name, [...first, ...rest, ...others]];
    }),
  );
}

/** Returns the call in another world, if there is one. */
export function withWorld(given: ProgramCase, world: World | undefined): ProgramCase {
  return world === undefined ? given : { ...given, received: world };
}

/** Each time that it is asked again, up to this often, a world has something to say. */
const MOST_AGAIN = 4;

function another({ shape, data }: FlatTensor): FlatTensor {
  return { shape, data: data.map((x) => -1 - x) };
}

/** A channel was received from so often, and the program asks so often. */
export interface AskedAgain {
  readonly channel: string;
  readonly consumed: number;
  readonly asked: number;
}

/**
 * Finds a channel from which a call takes more than its run asks for: it `answers` in a world with more, and
 * not in one with less than it takes. Cost: a call for each halving of the number of tensors.
 */
export async function channelAskedAgain(
  once: World,
  again: World,
  answers: (world: World) => Promise<boolean>,
): Promise<AskedAgain | undefined> {
  for (const [channel, more] of again) {
    const asked = once.get(channel)?.length ?? 0;
    const suffices = (count: number): Promise<boolean> =>
      answers(new Map(again).set(channel, more.slice(0, count)));
    if (await suffices(asked)) continue;
    let [less, enough] = [asked, more.length];
    while (enough - less > 1) {
      const middle = (less + enough) >> 1;
      if (await suffices(middle)) enough = middle;
      else less = middle;
    }
    return { channel, consumed: enough, asked };
  }
  return undefined;
}
