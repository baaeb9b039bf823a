import { describe, expect, test } from "vitest";
import { families } from "../../../bench/tapes/families.ts";
import { measured, measuredSystems, prepared } from "../../../bench/tapes/growth.ts";
import { binomialCost, binomialTape, type Lifetimes, lifetimes } from "../../../reference/package.ts";
import {
  at,
  expand,
  type Graph,
  graph,
  idCount,
  nodeId,
  operatorNames,
  type PrimitiveGraph,
  present,
  shapesOf,
  sizeOf,
} from "../../../spec/index.ts";
import { drawnAt, mix } from "../../generate/index.ts";
import { coeffectsOf, type MemoryAsked } from "./coeffects.ts";
import { escapesOf, everyOperand, isBelow, type Use } from "./escape.ts";
import { growthOf, showGrowth, valueOfGrowth } from "./growth.ts";
import { layersOf, withLayers } from "./layers.ts";
import { type Mode, memoryOf } from "./memory.ts";

const last = (of: Graph): ReturnType<typeof nodeId> => nodeId(idCount(of) - 1);
const allIds = (of: PrimitiveGraph) => Array.from({ length: idCount(of) }, (_, id) => nodeId(id));

function lifetimesOf(of: PrimitiveGraph, readsOperands: boolean): Lifetimes {
  // Seeds lie on every id, since tapes keep what rules read whether or not a cotangent arrives there.
  const wanted = { of: allIds(of), wrt: allIds(of) };
  const options = readsOperands ? { needs: everyOperand(of) } : {};
  const found = lifetimes(of, wanted, { ...options, countsGiven: true });
  if (!found.ok) throw new Error(found.error[0]?.message);
  return found.value;
}

const sizesOf = (of: PrimitiveGraph): number[] => shapesOf(of).map(sizeOf);

/** Counts what is kept for reverse mode: the elements that pulls read, given or computed. */
const readBack = ({ values }: Lifetimes): number =>
  values.reduce(
    (sum, value) => (value.kind === "primal" && value.neededBy.length > 0 ? sum + value.elements : sum),
    0,
  );

const small = families.flatMap(({ name, sizes, at: build }) =>
  sizes.slice(0, 2).map((size) => ({ name: `${name} of ${size}`, problem: build(size) })),
);

describe("what is promoted, against tapes that ran", () => {
  test.each(small)("$name: is what the dynamic tape holds, where every operand is read", ({ problem }) => {
    const run = prepared(problem);
    const dynamic = present(
      measuredSystems.find(({ name }) => name === "dynamic"),
      "the dynamic tape",
    );
    const found = measured(dynamic, run);
    const primitive = expand(problem.graph).graph;
    expect(found).toMatchObject({ measure: { savedElements: readBack(lifetimesOf(primitive, true)) } });
  });

  test.each(
    small,
  )("$name: is what the output-saving tape holds, and no exact tape that keeps a run holds less but by computing again or leaving out", ({
    problem,
  }) => {
    const run = prepared(problem);
    const primitive = expand(problem.graph).graph;
    const own = readBack(lifetimesOf(primitive, false));
    const savedBy = (name: string): number => {
      const found = measured(
        present(
          measuredSystems.find((one) => one.name === name),
          name,
        ),
        run,
      );
      return found.kind === "measured" ? found.measure.savedElements : Number.NaN;
    };
    expect(savedBy("output-saving")).toBe(own);
    for (const name of ["dynamic", "static", "persistent", "ephemeral", "nested"])
      expect(savedBy(name)).toBeGreaterThanOrEqual(own);
  });

  test.each(
    small.flatMap((one) => [1, 2, 4, 7].map((slots) => ({ ...one, slots }))),
  )("$name with $slots snapshots: is held and computed again as by the tape that runs", ({
    problem,
    slots,
  }) => {
    const run = prepared(problem);
    const primitive = expand(problem.graph).graph;
    const sizes = sizesOf(primitive);
    const memory = memoryOf(
      { graph: primitive, lifetimes: lifetimesOf(primitive, false), sizes, hasViews: false },
      { kind: "checkpointed", slots },
    );
    const found = measured({ name: "checkpointed", system: binomialTape(slots) }, run);
    const given = sizes.slice(0, primitive.inputs.length).reduce((sum, size) => sum + size, 0);
    const { nodes } = primitive;
    expect(memory.computedAgain).toBe(binomialCost(nodes.length, slots) - (nodes.length - 1));
    expect(found).toMatchObject({
      measure: { livePeak: 8 * (memory.values + given), savedElements: memory.kept + given },
    });
  });
});

/** Applies the rules one by one until nothing changes. */
function byIteration(of: PrimitiveGraph, uses: readonly Use[]): string[] {
  const views = new Set(["reshape", "permute_dims", "broadcast_to", "slice", "stop_gradient"]);
  const classes = uses.map(({ isResult, later }, id) =>
    id < of.inputs.length ? "static" : isResult ? "heap" : later === undefined ? "stack" : "arena",
  );
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [index, { op, parents }] of of.nodes.entries()) {
      const [parent] = parents;
      const own = classes[of.inputs.length + index];
      if (!views.has(op) || parent === undefined || own === undefined) continue;
      if (!isBelow(at(classes, parent), own)) continue;
      classes[parent] = own;
      hasChanged = true;
    }
  }
  return classes;
}

const asked = (of: Graph, modes: readonly Mode[]): MemoryAsked => ({
  of: [last(of)],
  wrt: of.inputs.map((_, id) => nodeId(id)),
  modes,
  hasViews: true,
});

describe("escape classes of random graphs", () => {
  const cases = Array.from({ length: 150 }, (_, index) => drawnAt(mix, operatorNames, 5, index).graph).filter(
    (one) => idCount(one) > one.inputs.length,
  );

  test("are the least solution of the rules", () => {
    let promoted = 0;
    for (const one of cases) {
      const { graph: primitive } = expand(one);
      const found = lifetimes(primitive, {
        of: [last(primitive)],
        wrt: primitive.inputs.map((_, id) => nodeId(id)),
      });
      if (!found.ok) continue;
      const uses: Use[] = primitive.inputs.map(() => ({ isResult: false }));
      for (const value of found.value.values) {
        if (value.kind !== "primal") continue;
        const [reader] = value.neededBy;
        uses[value.id] = {
          isResult: value.isResult,
          ...(reader === undefined ? {} : { later: { kind: "pull", reader } }),
        };
      }
      const escapes = escapesOf(primitive, uses, true);
      const wanted = byIteration(primitive, uses);
      // A view of something given is stored wherever that is.
      escapes.forEach(({ class: own, cause }, id) => {
        if (id >= primitive.inputs.length) expect(own).toBe(wanted[id]);
        if (cause?.kind === "view") promoted += 1;
      });
    }
    expect(promoted).toBeGreaterThan(20);
  });

  test("leave everything but results on the stack in forward mode", () => {
    for (const one of cases) {
      const found = coeffectsOf(one, asked(one, [{ kind: "forward", tangents: 2 }]));
      if (!found.ok) throw new Error(found.error[0]?.message);
      for (const { class: own, because } of found.value.modes.flatMap(({ promotions }) => promotions)) {
        expect(own).toBe("heap");
        expect(because).toMatch(/is a result|looks at it/);
      }
    }
  });
});

/** Builds a network of this many layers over this many rows, with a loss. */
function network(depth: number, rows: number): Graph {
  return graph(({ input, parameter }) => {
    const weights = Array.from(
      { length: depth },
      (_, layer) => [input(`w${layer}`, [6, 6]), input(`b${layer}`, [6])] as const,
    );
    let h = parameter("x", [rows, 6]);
    for (const [w, b] of weights) h = h.matmul(w).add(b).tanh();
    return h.mean({ axes: [0, 1], keepdims: false });
  });
}

describe("closed forms", () => {
  const modes: readonly Mode[] = [
    { kind: "forward", tangents: 0 },
    { kind: "forward", tangents: 3 },
    { kind: "reverse" },
  ];
  const explained = (depth: number, rows: number, own = modes) => {
    const one = network(depth, rows);
    const found = coeffectsOf(one, { ...asked(one, own), axis: { given: one.inputs.length, axis: 0 } });
    if (!found.ok) throw new Error(found.error[0]?.message);
    return found.value;
  };

  test("say of a network what one that is built longer and wider asks for", () => {
    const [few, many] = [explained(6, 4), explained(31, 64)];
    const layers = present(few.layers, "layers").count;
    const more = present(many.layers, "layers").count;
    expect(more - layers).toBe(25);
    for (const [place, { mode, kept, peak }] of few.modes.entries()) {
      const other = at(many.modes, place);
      for (const [form, now] of [
        [kept.grows, other.kept.now],
        [peak.grows, other.peak.now],
      ] as const) {
        const text = present(form, `a form for ${mode}`).replace(/ for B ≥ \d+$/, "");
        const script = text
          .replaceAll("·", "*")
          .replaceAll("−", "-")
          .replaceAll("B²", "(B*B)")
          .replaceAll("B", "64")
          .replaceAll("L", `${more}`);
        expect(evaluated(script)).toBe(now);
      }
    }
  });

  test("do not grow with depth forward, and do in reverse", () => {
    const forms = explained(6, 4).modes.map(({ mode, peak, kept }) => [mode, peak.grows, kept.grows]);
    expect(forms).toEqual([
      ["forward", "12·B", "0"],
      ["forward with 3 tangents", "48·B", "0"],
      ["reverse", expect.stringContaining("L"), expect.stringContaining("·B·L")],
    ]);
  });

  test("are none where the figure is not what is fitted", () => {
    expect(growthOf([[7], [5], [4]], 9, 1)).toBeUndefined();
    expect(growthOf([[1, 2, 4, 9]], 0, 1)).toBeUndefined();
    const growth = present(growthOf([[9], [7], [5]], 4, 1), "a line");
    expect(showGrowth(growth)).toBe("1 + 2·L");
    expect(valueOfGrowth(growth, 10, 1)).toBe(21);
  });

  test("follow no axis along which something is cut", () => {
    const one = graph(({ input }) => {
      input("x", [4, 2])
        .slice({ starts: [1, 0], stops: [4, 2], steps: [1, 1] })
        .sin();
    });
    const found = coeffectsOf(one, { ...asked(one, modes), axis: { given: 0, axis: 0 } });
    expect(found).toMatchObject({ value: { axis: { isFollowed: false } } });
    const other = coeffectsOf(one, { ...asked(one, modes), axis: { given: 0, axis: 1 } });
    expect(other).toMatchObject({ value: { axis: { isFollowed: true } } });
  });
});

/** Evaluates a script of sums of products of whole numbers, with brackets. */
function evaluated(script: string): number {
  const inner = /\(([^()]*)\)/.exec(script);
  if (inner !== null) return evaluated(script.replace(inner[0], String(evaluated(inner[1] ?? ""))));
  return script
    .replaceAll(" - ", " + -")
    .split(" + ")
    .reduce((sum, term) => sum + term.split("*").reduce((product, factor) => product * Number(factor), 1), 0);
}

describe("layers", () => {
  test("are found where they are, and left out one by one", () => {
    const primitive = expand(network(7, 3)).graph;
    const layers = present(layersOf(primitive), "layers");
    const fewer = withLayers(primitive, layers, layers.count - 2);
    const built = expand(network(5, 3)).graph;
    expect(fewer.nodes.map(({ op }) => op)).toEqual(built.nodes.map(({ op }) => op));
    expect(shapesOf(fewer).slice(-built.nodes.length)).toEqual(shapesOf(built).slice(-built.nodes.length));
  });

  test("are none where something behind them reads one in the middle", () => {
    const one = expand(
      graph(({ input }) => {
        const kept = [input("x", [2])];
        for (let i = 0; i < 8; i++) kept.push(at(kept, i).sin());
        return at(kept, 8).add(at(kept, 3));
      }),
    ).graph;
    expect(layersOf(one)).toBeUndefined();
  });
});
