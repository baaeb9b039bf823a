import { expect, test } from "vitest";
import { inferDimensions } from "../oracle/index.ts";
import { workloads } from "./dimensions.ts";

test("the dimensions of each workload are decided as its name says", () => {
  const kinds = workloads(400).map(({ name, graph, declarations }) => [
    name,
    inferDimensions(graph, declarations).kind,
  ]);
  expect(kinds).toEqual([
    ["declared", "assigned"],
    ["nothing declared", "assigned"],
    ["a free input for each node", "assigned"],
    ["wrong at its end", "obstructed"],
    ["a derivative", "assigned"],
  ]);
});
