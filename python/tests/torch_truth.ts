/**
 * Answers lines of JSON about graphs, for the tests of PyTorch's front.
 *
 * - `{"case": C, "dtype": D, "value": {ID: numbers}, "cotangent": {ID: numbers}}` is judged number by number:
 *   the reply counts those that are `within` their bounds, `outside` and `undecided`, and shows some outside.
 * - `{"draw": N, "seed": S, "from": I}` draws N cases of the search's mix.
 */
import { createInterface } from "node:readline";
import { searchedCase, standardOf, truthOf } from "../../oracle/index.ts";
import { referenceConventions } from "../../spec/contract/index.ts";
import { checkCase, encodeCase } from "../../spec/documents/index.ts";
import { nodeId } from "../../spec/shapes/index.ts";
import type { DataType } from "../../spec/wire/index.ts";

type Numbers = Readonly<Record<string, readonly (number | string)[]>>;

interface Asked {
  readonly case: unknown;
  readonly dtype: DataType;
  readonly value?: Numbers;
  readonly cotangent?: Numbers;
}

interface Drawing {
  readonly draw: number;
  readonly seed: number;
  readonly from: number;
}

/** PyTorch splits ties, and has kinks of its own. */
const description = {
  conventions: {
    ...referenceConventions,
    maximumAtTie: "split",
    compositeKinks: "own",
  },
  accuracy: {},
} as const;

function judged(asked: Asked): object {
  const read = checkCase(asked.case);
  if (!read.ok) return { error: JSON.stringify(read.error) };
  const truth = truthOf(read.value, standardOf(description, asked.dtype));
  const counts = { within: 0, outside: 0, undecided: 0 };
  const shown: string[] = [];
  for (const part of ["value", "cotangent"] as const)
    for (const [id, numbers] of Object.entries(asked[part] ?? {})) {
      const components = truth[part](nodeId(Number(id)));
      if (components.length !== numbers.length)
        shown.push(`${part} of ${id}: ${numbers.length} numbers for ${components.length}`);
      for (const [element, component] of components.entries()) {
        const answer = Number(numbers[element]);
        const judgement = component.judge(answer);
        counts[judgement]++;
        if (judgement === "outside" && shown.length < 5)
          shown.push(
            `${part} of ${id}[${element}]: ${answer}, not ${component.expected} ± ${component.bound}`,
          );
      }
    }
  return { ...counts, shown };
}

function drawn({ draw, seed, from }: Drawing): object {
  return Array.from({ length: draw }, (_, index) => encodeCase(searchedCase(seed, from + index)));
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked: Asked | Drawing = JSON.parse(line);
  console.log(JSON.stringify("draw" in asked ? drawn(asked) : judged(asked)));
}
