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
import { randomAt } from "../../random/index.ts";
import { amountAt, type Envelope, envelopeOf, greatestAt, greatestFrom, lastGreatest } from "./amounts.ts";
import { coeffectsOf, type MemoryAsked } from "./coeffects.ts";
import { escapesOf, everyOperand, isBelow, type Use } from "./escape.ts";
import { Grown } from "./grown.ts";
import { growthAround, growthOf, showGrowth, valueOfGrowth } from "./growth.ts";
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

/** Returns an amount that depends on no length. */
const fixed = (size: number): readonly number[] => [size];
const only = (amounts: Envelope): number => greatestAt(amounts, 1);
const noIds: ReadonlySet<ReturnType<typeof nodeId>> = new Set();

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
      {
        graph: primitive,
        lifetimes: lifetimesOf(primitive, false),
        sizes: sizes.map(fixed),
        given: noIds,
        hasViews: false,
      },
      { kind: "checkpointed", slots },
    );
    const found = measured({ name: "checkpointed", system: binomialTape(slots) }, run);
    const given = sizes.slice(0, primitive.inputs.length).reduce((sum, size) => sum + size, 0);
    const { nodes } = primitive;
    expect(memory.computedAgain).toBe(binomialCost(nodes.length, slots) - (nodes.length - 1));
    expect(found).toMatchObject({
      measure: { livePeak: 8 * (only(memory.values) + given), savedElements: only(memory.kept) + given },
    });
  });
});

/** Applies the rules one by one until nothing changes. */
function byIteration(of: PrimitiveGraph, uses: readonly Use[]): string[] {
  const views = new Set(["reshape", "permute_dims", "broadcast_to", "slice", "stop_gradient"]);
  const classes = uses.map(({ isResult, later }, id) =>
    id < of.inputs.length || of.nodes[id - of.inputs.length]?.op === "constant"
      ? "static"
      : isResult
        ? "heap"
        : later === undefined
          ? "stack"
          : "arena",
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

const everyMode: readonly Mode[] = [
  { kind: "forward", tangents: 0 },
  { kind: "forward", tangents: 1 },
  { kind: "reverse" },
];

/** Builds a network of swishes over this many rows; a bias of its own is beside it. */
function swishNetwork(depth: number, rows: number): Graph {
  return graph(({ input, parameter }) => {
    const weights = Array.from({ length: depth }, (_, layer) => input(`w${layer}`, [6, 6]));
    let h = parameter("x", [rows, 6]);
    for (const w of weights) {
      const z = h.matmul(w);
      h = z.divide(z.negative().exp().add(1));
    }
    return h.add(parameter("bias", [6])).sum({ axes: [0, 1], keepdims: false });
  });
}

/** Counts the memory of that network itself, and its nodes. */
function swishMemory(depth: number, rows: number, mode: Mode) {
  const { graph: primitive } = expand(swishNetwork(depth, rows));
  const wanted = asked(primitive, []);
  const found = lifetimes(primitive, wanted);
  if (!found.ok) throw new Error(found.error[0]?.message);
  const growing = { layers: undefined, degrees: undefined, length: 1, hasViews: true };
  const memory = new Grown(primitive, wanted, found.value, growing).memory(mode);
  return { memory, nodes: primitive.nodes.length };
}

/** Says what memory that network asks for. */
function swishes(depth: number, rows: number, ...more: readonly Mode[]) {
  const one = swishNetwork(depth, rows);
  const axis = { given: one.inputs.length, axis: 0 };
  const found = coeffectsOf(one, { ...asked(one, [...everyMode, ...more]), axis });
  if (!found.ok) throw new Error(found.error[0]?.message);
  return found.value;
}

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
        expect(evaluatedAt(present(form, `a form for ${mode}`), 64, more)).toBe(now);
      }
    }
  });

  test("count a layer in which an entry of Δ is first named", () => {
    const masked = (depth: number) => {
      const one = graph(({ input, parameter }) => {
        const weights = Array.from({ length: depth }, (_, layer) => input(`w${layer}`, [3, 3]));
        let h = input("x", [2, 3]);
        const mask = parameter("mask", [2, 3]);
        for (const w of weights) h = h.matmul(w).tanh().multiply(mask);
        h.sum({ axes: [0, 1], keepdims: false });
      });
      // A text makes the node of an entry where it is first named.
      const [first, ...nodes] = one.nodes;
      const [product, ...rest] = nodes;
      const place = one.inputs.length;
      const turned = (id: number): number => (id === place ? place + 1 : id === place + 1 ? place : id);
      const reading = [present(product, "a product"), present(first, "an entry"), ...rest];
      const written: Graph = {
        ...one,
        nodes: reading.map((node) => ({ ...node, parents: node.parents.map((id) => nodeId(turned(id))) })),
      };
      const found = coeffectsOf(written, asked(written, [{ kind: "reverse" }]));
      if (!found.ok) throw new Error(found.error[0]?.message);
      return found.value;
    };
    for (const depth of [5, 6, 9]) {
      const { layers, modes: told } = masked(depth);
      expect(layers).toMatchObject({ count: depth, nodes: 3, alike: depth - 1 });
      const form = present(told[0]?.kept.grows, "a form");
      expect(evaluatedAt(form, 1, 12)).toBe(masked(12).modes[0]?.kept.now);
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

  test("are none where layers add now more, now less", () => {
    const layered = (...figures: readonly number[]) =>
      figures.map((figure, less) => ({ layers: 9 - less, figure: [[figure]] }));
    expect(growthOf(layered(7, 5, 4))).toBeUndefined();
    const growth = present(growthOf(layered(9, 7, 5)), "a line");
    expect(showGrowth(growth)).toBe("−9 + 2·L");
    expect(valueOfGrowth(growth, 10, 1)).toBe(11);
    expect(growth.fromLayers).toBe(7);
  });

  test.each([
    [
      [
        [2, 48],
        [0, -4],
      ],
      "2 + 48·B − 4·B·L",
    ],
    [[[-2], [-1]], "−2 − L"],
    [[[0], [0, -4]], "−4·B·L"],
    [[[7], [-3, 5]], "7 + (−3 + 5·B)·L"],
  ])("write what is taken away as a difference: %j", (terms, text) => {
    expect(showGrowth({ terms })).toBe(text);
  });

  test("say from which number of layers on they hold: behind the last that they miss", () => {
    const at = (layers: number, figure: number) => ({ layers, figure: [[figure]] });
    const last = [at(9, 19), at(8, 17), at(7, 15)];
    const few = (...figures: readonly number[]) => figures.map((figure, less) => at(less + 1, figure));
    expect(growthOf(last, few(3, 5, 7))?.fromLayers).toBe(1);
    expect(growthOf(last, few(3, 6, 7, 9))?.fromLayers).toBe(3);
    expect(growthOf(last, few(3, 5, 8))?.fromLayers).toBe(7);
  });

  test.each([
    1, 2, 3, 4, 5, 6, 7, 12,
  ])("hold of a network of swishes at B = %d, from the length and depth that they say", (rows) => {
    for (const depth of [2, 3, 5, 8]) {
      for (const mode of swishes(7, 5).modes) {
        const other = present(
          swishes(depth, rows).modes.find((one) => one.mode === mode.mode),
          mode.mode,
        );
        for (const [{ grows, fromLength = 1, fromLayers = 1 }, { now }] of [
          [mode.peak, other.peak],
          [mode.kept, other.kept],
        ] as const) {
          if (rows < fromLength || depth < fromLayers) continue;
          expect(evaluatedAt(present(grows, mode.mode), rows, depth)).toBe(now);
        }
      }
    }
  });

  // From how many layers on, and up to how many, the peak, what is kept and what is computed again are told.
  const depthsTold = {
    1: [
      [1, 23],
      [1, 23],
      [undefined, undefined],
    ],
    3: [
      [4, 7],
      [5, 7],
      [6, 8],
    ],
  } as const;

  test.each([1, 3])("with %d snapshots hold of networks of each depth and length that they say", (slots) => {
    const mode: Mode = { kind: "checkpointed", slots };
    const { peak, kept, computedAgain } = at(swishes(7, 5, mode).modes, everyMode.length);
    const grown = [peak, kept, computedAgain].map(({ fromLayers, toLayers }) => [fromLayers, toLayers]);
    expect(grown).toEqual(depthsTold[slots === 1 ? 1 : 3]);
    for (const layers of [2, 3, 5, 6, 7, 8, 9, 12, 23])
      for (const rows of [1, 2, 5, 8]) {
        const { memory, nodes } = swishMemory(layers, rows, mode);
        const found = [greatestAt(memory.peak, 1), greatestAt(memory.kept, 1), memory.computedAgain];
        for (const [place, { grows = "", ...told }] of [peak, kept, computedAgain].entries()) {
          const { fromLayers = 1, toLayers = 30, fromLength = 1 } = told;
          if (layers < fromLayers || layers > toLayers || rows < fromLength) continue;
          const own = grows.includes("n")
            ? ((nodes - 1) * (nodes - 2)) / 2
            : evaluatedAt(grows, rows, layers);
          expect([layers, rows, place, own]).toEqual([layers, rows, place, found[place]]);
        }
      }
  });

  test("around a depth go as far as all depths between lie on them, which are three at least", () => {
    const at = (layers: number, figure: number) => ({ layers, figure: [[figure]] });
    const fewer = [at(8, 17), at(7, 15), at(6, 99), at(5, 11)];
    expect(growthAround(at(9, 19), fewer, [at(10, 21), at(11, 24)])).toEqual({
      terms: [[1], [2]],
      fromLength: 1,
      fromLayers: 7,
      toLayers: 10,
    });
    expect(growthAround(at(9, 19), [at(8, 18)], [at(10, 21), at(11, 24)])).toBeUndefined();
  });

  test("say a length below which they do not hold", () => {
    const shorter = swishes(7, 5).modes.flatMap(({ mode, peak: { grows, fromLength = 1 } }) => {
      if (fromLength === 1) return [];
      const { now } = present(
        swishes(7, fromLength - 1).modes.find((one) => one.mode === mode),
        mode,
      ).peak;
      return [evaluatedAt(grows ?? "", fromLength - 1, 7) === now];
    });
    expect(shorter.length).toBeGreaterThan(0);
    expect(shorter).not.toContain(true);
  });

  test("count layers as people do, with the first, which reads something given, and a last one without activation", () => {
    expect(swishes(5, 4).layers).toMatchObject({ count: 5 });
    const dense = graph(({ input, parameter }) => {
      const weights = [9, 6, 6, 6, 6, 6].map((width, layer) => input(`w${layer}`, [width, 6]));
      const out = input("out", [6, 2]);
      return weights.reduce((h, w) => h.matmul(w).tanh(), parameter("x", [3, 9])).matmul(out);
    });
    const found = coeffectsOf(dense, asked(dense, modes));
    expect(found).toMatchObject({ value: { layers: { count: 7 } } });
  });

  test("have no place in the arena for what is given: Δ is the caller's", () => {
    const { modes: told } = swishes(5, 4, { kind: "checkpointed", slots: 3 });
    for (const { classes, promotions } of told) {
      expect(promotions.map(({ value }) => value).filter((value) => value.includes("constant"))).toEqual([]);
      expect(classes.find((one) => one.class === "static")).toMatchObject({
        values: 7,
        elements: 36 * 5 + 4 * 6 + 6,
      });
    }
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

/** Evaluates a closed form at a length and a number of layers. */
function evaluatedAt(form: string, length: number, layers: number): number {
  const script = form
    .replaceAll("·", "*")
    .replaceAll("−", "-")
    .replaceAll("B²", "(B*B)")
    .replaceAll("B", `${length}`)
    .replaceAll("L", `${layers}`);
  return evaluated(script);
}

/** Evaluates a script of sums of products of whole numbers, with brackets. */
function evaluated(script: string): number {
  const inner = /\(([^()]*)\)/.exec(script);
  if (inner !== null) return evaluated(script.replace(inner[0], String(evaluated(inner[1] ?? ""))));
  return script
    .replaceAll(" - ", " + -")
    .split(" + ")
    .reduce((sum, term) => sum + term.split("*").reduce((product, factor) => product * Number(factor), 1), 0);
}

describe("the greatest of some amounts", () => {
  const random = randomAt(23, 0);
  const amounts = Array.from({ length: 80 }, () =>
    Array.from({ length: random.nextInt(1, 6) }, () =>
      Array.from({ length: random.nextInt(1, 4) }, () => random.nextInt(0, 60)),
    ),
  );

  // Half of the sets are lines alone.
  amounts.push(...amounts.map((all) => all.map((amount) => amount.slice(0, 2))));

  test("is of a sum of two amounts at most, where as much is added as is freed for each unit of length", () => {
    const steps = Array.from({ length: 500 }, (_, step) => [4 * step, 2_000 - 4 * step]);
    expect(envelopeOf(steps)).toEqual([steps[0]]);
    const apart = steps.map(([constant = 0, slope = 0]) => [3 * constant, slope]);
    expect(envelopeOf(apart)).toEqual([apart.at(-1), apart[0]]);
  });

  test("is the same with those left out that others cover", () => {
    for (const all of amounts)
      for (let length = 1; length < 60; length++)
        expect(greatestAt(envelopeOf(all), length)).toBe(greatestAt(all, length));
  });

  test("is one amount from the length on that is said, and not one before", () => {
    for (const all of amounts) {
      const form = lastGreatest(envelopeOf(all));
      const from = greatestFrom(envelopeOf(all), form);
      for (let length = 1; length < 4_000; length += length < 80 ? 1 : 397)
        if (length >= from) expect(amountAt(form, length)).toBe(greatestAt(all, length));
      if (from > 1) expect(amountAt(form, from - 1)).toBeLessThan(greatestAt(all, from - 1));
    }
  });
});

describe("layers", () => {
  test("are found where they are, and left out one by one", () => {
    const primitive = expand(network(7, 3)).graph;
    const layers = present(layersOf(primitive), "layers");
    const { graph: fewer } = withLayers(primitive, layers, layers.count - 2);
    const built = expand(network(5, 3)).graph;
    expect(fewer.nodes.map(({ op }) => op)).toEqual(built.nodes.map(({ op }) => op));
    expect(shapesOf(fewer).slice(-built.nodes.length)).toEqual(shapesOf(built).slice(-built.nodes.length));
    const { graph: more, origins } = withLayers(primitive, layers, layers.count + 2);
    const longer = expand(network(9, 3)).graph;
    expect(more.nodes.map(({ op }) => op)).toEqual(longer.nodes.map(({ op }) => op));
    expect(shapesOf(more)).toEqual(shapesOf(longer));
    expect(origins.map((origin) => `${shapesOf(primitive)[origin]}`)).toEqual(shapesOf(more).map(String));
    // Inputs of copies are in order behind the others, so that even the operands are those that are built.
    expect(more.nodes.map(({ parents }) => parents)).toEqual(longer.nodes.map(({ parents }) => parents));
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
