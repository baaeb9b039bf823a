import { describe, expect, it } from "vitest";
import { awkwardCase, everyCase, type Json, tensor } from "../specimens.test.data.ts";
import { callChanges } from "../wire/index.ts";
import { checkCase, checkCaseText, encodeCase } from "./case.ts";

function faultsOf(json: unknown): string[] {
  const checked = checkCase(json);
  return checked.ok ? [] : checked.error.map(({ code, pointer }) => `${code} ${pointer}`);
}

/** Returns {@link everyCase} with some of its properties, or of its point's, replaced. */
function withParts(parts: { [name: string]: Json }, point: { [name: string]: Json } = {}): Json {
  const json = everyCase();
  return { ...json, ...parts, point: { ...Object(json.point), ...point } };
}

const environment = { c: tensor([2, 3]), rows: tensor([4]), cells: tensor([3, 2]), key: tensor([2]) };

/** Returns the environment with one entry left out. */
function without(name: string): Json {
  return Object.fromEntries(Object.entries(environment).filter(([other]) => other !== name));
}

describe("checkCase and encodeCase", () => {
  it.each([
    ["every operator", everyCase()],
    ["the names of Object.prototype", awkwardCase()],
    [
      "calls in a sequence",
      withParts({ calls: [{ mode: "jvp" }, ...callChanges.map((change) => ({ mode: "vjp", change }))] }),
    ],
  ])("are inverse on a case of %s", (_, json) => {
    const checked = checkCase(json);
    expect(checked.ok).toBe(true);
    if (!checked.ok) return;
    expect(encodeCase(checked.value)).toEqual(json);
    expect(checkCaseText(JSON.stringify(encodeCase(checked.value, "base64")))).toEqual(checked);
  });

  it("keep the signs of zeros, infinities and NaN", () => {
    const checked = checkCase(
      withParts({
        tangents: [{ shape: [2, 3], data: ["-0x0p+0", "inf", "-inf", "nan", 0, -1] }, tensor([2, 3])],
      }),
    );
    expect(checked.ok ? checked.value.tangents[0]?.data : []).toEqual(
      Float64Array.of(-0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 0, -1),
    );
  });

  it("list the environment in the graph's order, whatever the file's", () => {
    const checked = checkCase(
      withParts({}, { environment: Object.fromEntries(Object.entries(environment).toReversed()) }),
    );
    expect(checked.ok ? [...checked.value.point.environment.keys()] : []).toEqual(Object.keys(environment));
  });

  it.each<[string, Json, string[]]>([
    ["no calls", withParts({ calls: [] }), ["schema/minItems /calls"]],
    ["a call of no mode", withParts({ calls: [{ mode: "sweep" }] }), ["schema/enum /calls/0/mode"]],
    ["another format", withParts({ format: "adjudge.graph.v1" }), ["schema/const /format"]],
    ["no graph", { ...everyCase(), graph: null }, ["schema/type /graph"]],
    [
      "a bad graph",
      withParts({ graph: { ...Object(everyCase().graph), nodes: [5] } }),
      ["schema/type /graph/nodes/0"],
    ],
    ["an input too few", withParts({}, { inputs: [tensor([2, 3])] }), ["point/count /point/inputs"]],
    [
      "an input of another shape",
      withParts({}, { inputs: [tensor([2, 3]), tensor([3, 2])] }),
      ["point/shape /point/inputs/1/shape"],
    ],
    [
      "a missing entry",
      withParts({}, { environment: without("rows") }),
      ["point/environment /point/environment"],
    ],
    [
      "an undeclared entry",
      withParts({}, { environment: { ...environment, toString: tensor([]) } }),
      ["point/environment /point/environment/toString"],
    ],
    [
      "an index that is no integer",
      withParts({}, { environment: { ...environment, rows: { shape: [4], data: [0, 0, "0.5", 0] } } }),
      ["point/index /point/environment/rows"],
    ],
    [
      "an index below 0",
      withParts({}, { environment: { ...environment, rows: { shape: [4], data: [0, -1, 0, 0] } } }),
      ["point/index /point/environment/rows"],
    ],
    [
      "an index at the extent of the axis",
      withParts({}, { environment: { ...environment, rows: { shape: [4], data: [0, 5, 6, 0] } } }),
      ["point/index /point/environment/rows"],
    ],
    [
      "a tangent too many",
      withParts({ tangents: [tensor([]), tensor([]), tensor([])] }),
      ["point/count /tangents"],
    ],
    [
      "an id without a node",
      withParts({ seeds: [{ id: 99, cotangent: tensor([3, 3]) }] }),
      ["seed/id /seeds/0/id"],
    ],
    [
      "a negative id",
      withParts({ seeds: [{ id: -1, cotangent: tensor([]) }] }),
      ["schema/minimum /seeds/0/id"],
    ],
    [
      "two seeds for an id",
      withParts({
        seeds: [
          { id: 0, cotangent: tensor([2, 3]) },
          { id: 0, cotangent: tensor([2, 3]) },
        ],
      }),
      ["seed/twice /seeds/1/id"],
    ],
    [
      "a seed of another shape",
      withParts({ seeds: [{ id: 24, cotangent: tensor([2, 3]) }] }),
      ["point/shape /seeds/0/cotangent/shape"],
    ],
    [
      "faults in several parts at once",
      withParts({ tangents: [], seeds: [{ id: 99, cotangent: tensor([]) }] }, { inputs: [] }),
      ["point/count /point/inputs", "point/count /tangents", "seed/id /seeds/0/id"],
    ],
  ])("refuse %s, and say where", (_, json, faults) => expect(faultsOf(json)).toEqual(faults));

  it("allow the last of the 6 rows that `take` reads", () => {
    const rows = { shape: [4], data: [5, 0, 5, 5] };
    expect(faultsOf(withParts({}, { environment: { ...environment, rows } }))).toEqual([]);
  });
});
