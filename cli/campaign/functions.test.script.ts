/** Brings functions to a judge: the words say by which factors their slopes are off. */
import process from "node:process";
import { serveFunctions } from "../../conformance/index.ts";
import { graph } from "../../spec/builder/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

const numbers = ([tensor]: readonly FlatTensor[]): Float64Array => tensor?.data ?? new Float64Array(0);

const square = graph(({ input }) => input("x").square());

await serveFunctions(
  { name: "squares", version: "1.0", links: [] },
  process.argv.slice(2).map((factor) => ({
    name: `square ${factor}`,
    graph: square,
    points: 10,
    written: {
      value: (inputs) => [numbers(inputs).map((x) => x * x)],
      vjp: (inputs, cotangents) => {
        const [bar = 0] = numbers(cotangents);
        return [numbers(inputs).map((x) => 2 * x * Number(factor) * bar)];
      },
    },
  })),
);
