import { describe, expect, it } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { operatorNames } from "../../spec/composites/index.ts";
import { type Engine, expanding } from "../../spec/contract/index.ts";
import { primitiveNames } from "../../spec/operators/index.ts";
import { beyondLimits } from "../../spec/promises/index.ts";
import type { Limits } from "../../spec/wire/index.ts";
import { drawnAt, mix } from "../generate/index.ts";
import { campaignOn } from "./campaign.ts";

const limits: Limits = {
  every: { extents: { least: 1 }, ranks: { greatest: 4 } },
  conv: { padding: { form: "symmetric" }, groups: { among: [1] } },
  softmax: { axis: { form: "last" } },
  layer_norm: { axes: { form: "last" }, epsilon: { least: 1e-6 } },
  sum: { axes: { form: "trailing" } },
  var: { correction: { form: "integer" } },
  gelu: { approximate: { among: ["tanh"] } },
  pad: { interior: { among: [0] } },
  matmul: { ranks: { greatest: 2 } },
};

const limited = Object.keys(limits).filter((name) => name !== "every");

describe("questions for an engine that promises operators in part", () => {
  it("keep to what is promised, and have every operator", () => {
    const seen = new Set<string>();
    for (let index = 0; index < 600; index++) {
      const { graph } = drawnAt(mix, operatorNames, 7, index, { limits });
      expect(beyondLimits({ limits }, graph)).toBeUndefined();
      for (const { op } of graph.nodes) seen.add(op);
    }
    expect(limited.filter((op) => !seen.has(op))).toEqual([]);
  });

  it("lie outside of the limits of an engine that has not declared them", () => {
    const beyond = Array.from({ length: 100 }, (_, index) => drawnAt(mix, operatorNames, 7, index)).filter(
      ({ graph }) => beyondLimits({ limits }, graph) !== undefined,
    );
    expect(beyond.length).toBeGreaterThan(30);
  });

  it("are those of an engine that declares nothing, where nothing is limited", () => {
    for (let index = 0; index < 20; index++) {
      const drawn = drawnAt(mix, operatorNames, 7, index);
      expect(drawnAt(mix, operatorNames, 7, index, { limits: {} })).toEqual(drawn);
    }
  });
});

/** An engine without composites that takes what is within the limits, whatever it declares. */
function partial(declared: Limits | undefined, taken: Limits): Engine {
  const engine = interpreterEngine();
  const description = {
    ...engine.describe(),
    operators: primitiveNames,
    ...(declared === undefined ? {} : { limits: declared }),
  };
  return {
    ...engine,
    describe: () => description,
    load: async (graph, dtype) => {
      const beyond = beyondLimits({ limits: taken }, graph);
      return beyond === undefined ? engine.load(graph, dtype) : { kind: "unsupported", reason: beyond };
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

async function declinedBy(engine: Engine): Promise<number> {
  const options = { profile: mix, seed: 3, cases: 40, dtype: "float64", lawsEvery: 0 } as const;
  let declined = 0;
  for await (const { verdict } of campaignOn(engine, options))
    declined += verdict.kind === "unsupported" ? 1 : 0;
  return declined;
}

describe("an engine that takes its operators in part", () => {
  const own: Limits = { sum: { axes: { form: "trailing" } }, matmul: { ranks: { greatest: 2 } } };

  it("is asked nothing that it declines, its composites included, if it says so", async () => {
    expect(await declinedBy(expanding(partial(own, own)))).toBe(0);
  });

  it("declines much if it does not say so, or says less", async () => {
    expect(await declinedBy(expanding(partial(undefined, own)))).toBeGreaterThan(2);
    const lie: Limits = { sum: { axes: { form: "trailing" } }, matmul: { ranks: { greatest: 4 } } };
    expect(
      await declinedBy(expanding(partial(lie, { ...own, sum: { axes: { form: "last" } } }))),
    ).toBeGreaterThan(2);
  });
});
