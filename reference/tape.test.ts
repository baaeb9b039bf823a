import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { fail, type Issue, ok, present, type Result } from "../spec/index.ts";
import { float64 } from "./algebras/float.ts";
import { integer } from "./algebras/integer.ts";
import { scalar } from "./hand.test.kit.ts";
import {
  addGradAll,
  addNode,
  addOperation,
  backward,
  backwardDenseAll,
  backwardDenseFrom,
  backwardDenseFromStep,
  backwardDenseReached,
  type Contribution,
  inheritsGrad,
  leaf,
  type TapeNode,
} from "./tape.ts";
import type { Tensor } from "./tensor.ts";

const { additive } = integer;

/** Returns a node whose `backward` does what it is told, whatever its value. */
function telling<S>(
  value: Tensor<S>,
  parents: readonly number[],
  backwardOf: (upstream: Tensor<S>) => readonly Contribution<S>[],
): TapeNode<S> {
  return { name: "told", value, requiresGrad: true, parents, backward: (c) => ok(backwardOf(c)) };
}

/** x · y of the leaves 0 and 1, with values 2 and 3, under id 2; a pair under id 3 is never read. */
function productTape(): TapeNode<bigint>[] {
  const tape: TapeNode<bigint>[] = [];
  const [x, y] = [leaf(tape, scalar(2n)), leaf(tape, scalar(3n))];
  addNode(
    tape,
    telling(scalar(6n), [x, y], ({ data: [c = 0n] }) => [
      { parent: x, cotangent: scalar(c * 3n) },
      { parent: y, cotangent: scalar(c * 2n) },
    ]),
  );
  leaf(tape, { shape: [2], data: [0n, 0n] });
  return tape;
}

const pair = (x: bigint, y: bigint): Tensor<bigint> => ({ shape: [2], data: [x, y] });
const scalars = (...xs: bigint[]): Tensor<bigint>[] => xs.map(scalar);

/** Returns the code and the place of a failure; the value of a success, so that a test cannot mistake it. */
function failure<T>(result: Result<T, Issue>): unknown {
  return result.ok ? result.value : [result.error.code, result.error.pointer];
}

describe("a tape", () => {
  it("gives each node the size before as its id", () => {
    const tape: TapeNode<bigint>[] = [];
    expect([
      leaf(tape, scalar(1n)),
      leaf(tape, scalar(2n)),
      addNode(
        tape,
        telling(scalar(3n), [], () => []),
      ),
    ]).toEqual([0, 1, 2]);
  });

  it("has leaves that require a gradient, have no parents and hand nothing on", () => {
    const tape: TapeNode<bigint>[] = [];
    leaf(tape, scalar(7n));
    const node = present(tape[0], "the leaf");
    expect([node.requiresGrad, node.parents, node.value]).toEqual([true, [], scalar(7n)]);
    expect(node.backward(scalar(5n))).toEqual(ok([]));
  });

  test("an operation requires a gradient if any of its parents does", () => {
    const tape: TapeNode<bigint>[] = [];
    leaf(tape, scalar(1n));
    addNode(tape, { ...present(tape[0], "the leaf"), requiresGrad: false });
    expect([[0], [1], [1, 0], [1, 1], []].map((parents) => inheritsGrad(tape, parents))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("an operation that is appended", () => {
  test("requires a gradient if one of its parents does, down to leaves that do not", () => {
    const tape: TapeNode<bigint>[] = [];
    const [x, held] = [leaf(tape, scalar(2n)), leaf(tape, scalar(3n), false)];
    const appended = (parents: readonly number[]): number =>
      addOperation(tape, { ...telling(scalar(0n), parents, () => []) });
    const [of, ofHeld] = [appended([x, held]), appended([held])];
    const [ofOf, ofNothing, ofOfHeld] = [appended([ofHeld, of]), appended([]), appended([ofHeld, held])];
    expect([x, held, of, ofHeld, ofOf, ofNothing, ofOfHeld].map((id) => tape[id]?.requiresGrad)).toEqual([
      true,
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("addGradAll", () => {
  it("adds onto what stands in the slot", () => {
    const grads = [...scalars(1n, 10n, 100n), pair(0n, 0n)];
    expect(addGradAll(additive, productTape(), grads, 1, scalar(5n))).toEqual(ok(undefined));
    expect(grads).toEqual([...scalars(1n, 15n, 100n), pair(0n, 0n)]);
  });

  it("leaves the slot of a node that requires no gradient alone, whatever the shape", () => {
    const tape = productTape().map((node) => ({ ...node, requiresGrad: false }));
    const grads = [...scalars(1n, 10n, 100n), pair(0n, 0n)];
    expect(addGradAll(additive, tape, grads, 0, pair(5n, 5n))).toEqual(ok(undefined));
    expect(grads[0]).toEqual(scalar(1n));
  });

  test.each([
    ["the id is not on the tape", 4, scalar(1n), ["tape/id", "/4"]],
    ["the id is negative", -1, scalar(1n), ["tape/id", "/-1"]],
    ["the id has no slot", 3, pair(1n, 1n), ["tape/id", "/3"]],
    [
      "the contribution has another shape than the parent",
      0,
      pair(1n, 1n),
      ["tape/contribution-shape", "/0"],
    ],
    ["the slot has another shape than the node", 2, scalar(1n), ["tape/gradient-shape", "/2"]],
  ])("fails where %s", (_what, id, g, expected) => {
    const grads = [...scalars(1n, 10n), pair(0n, 0n)];
    expect(failure(addGradAll(additive, productTape(), grads, id, g))).toEqual(expected);
    expect(grads).toEqual([...scalars(1n, 10n), pair(0n, 0n)]);
  });
});

describe("backwardDenseFromStep", () => {
  const seed = (): Tensor<bigint>[] => [...scalars(1n, 10n, 100n), pair(0n, 0n)];

  it("hands the gradient at the id to the node, and adds what comes back", () => {
    const grads = seed();
    expect(backwardDenseFromStep(additive, productTape(), grads, 2)).toEqual(ok(undefined));
    expect(grads).toEqual([...scalars(301n, 210n, 100n), pair(0n, 0n)]);
  });

  it("does not ask a node that requires no gradient", () => {
    const asked: Tensor<bigint>[] = [];
    const noting = telling(scalar(1n), [], (c) => {
      asked.push(c);
      return [];
    });
    const tape = [{ ...noting, requiresGrad: false }];
    const grads = [pair(1n, 1n)];
    expect(backwardDenseFromStep(additive, tape, grads, 0)).toEqual(ok(undefined));
    expect(asked).toEqual([]);
  });

  it("adds contributions in the order given, which a float's bits remember", () => {
    const swept = (...cotangents: number[]): unknown => {
      const tape: TapeNode<number>[] = [];
      leaf(tape, scalar(0));
      addNode(
        tape,
        telling(scalar(0), [0], () => cotangents.map((x) => ({ parent: 0, cotangent: scalar(x) }))),
      );
      const grads = [scalar(0), scalar(1)];
      backwardDenseFromStep(float64.additive, tape, grads, 1);
      return grads[0]?.data[0];
    };
    expect(swept(1e16, 1, -1e16)).toBe(0);
    expect(swept(1e16, -1e16, 1)).toBe(1);
  });

  it("fails where the id is not on the tape, has no gradient, or one of another shape", () => {
    expect(failure(backwardDenseFromStep(additive, productTape(), seed(), 4))).toEqual(["tape/id", "/4"]);
    expect(failure(backwardDenseFromStep(additive, productTape(), scalars(1n), 2))).toEqual([
      "tape/id",
      "/2",
    ]);
    const misshapen = [...scalars(1n, 1n), pair(1n, 1n)];
    expect(failure(backwardDenseFromStep(additive, productTape(), misshapen, 2))).toEqual([
      "tape/gradient-shape",
      "/2",
    ]);
  });

  it("fails as the node's own backward does, and as adding what it gives does", () => {
    const own: Issue = { code: "test/own", pointer: "/x", message: "no.", hint: "none" };
    const refusing: TapeNode<bigint> = { ...telling(scalar(0n), [], () => []), backward: () => fail(own) };
    expect(backwardDenseFromStep(additive, [refusing], scalars(1n), 0)).toEqual(fail(own));
    const tape = [telling(scalar(0n), [], () => [{ parent: 9, cotangent: scalar(1n) }])];
    expect(failure(backwardDenseFromStep(additive, tape, scalars(1n), 0))).toEqual(["tape/id", "/9"]);
  });
});

describe("backwardDenseFrom", () => {
  it("steps from the last id to the first, so that each gradient is final when it is handed on", () => {
    // x² · x at 2: id 1 is x², id 2 the product of 1 and 0.
    const tape: TapeNode<bigint>[] = [];
    leaf(tape, scalar(2n));
    addNode(
      tape,
      telling(scalar(4n), [0], ({ data: [c = 0n] }) => [{ parent: 0, cotangent: scalar(4n * c) }]),
    );
    addNode(
      tape,
      telling(scalar(8n), [1, 0], ({ data: [c = 0n] }) => [
        { parent: 1, cotangent: scalar(2n * c) },
        { parent: 0, cotangent: scalar(4n * c) },
      ]),
    );
    expect(backwardDenseFrom(additive, tape, scalars(0n, 0n, 1n))).toEqual(ok(scalars(12n, 2n, 1n)));
    expect(backwardDenseAll(additive, tape, 2, scalar(1n))).toEqual(ok(scalars(12n, 2n, 1n)));
    expect(backwardDenseFrom(additive, tape, scalars(100n, 10n, 1n))).toEqual(ok(scalars(152n, 12n, 1n)));
  });

  it("leaves the seed it was given as it was", () => {
    const seed = [...scalars(0n, 0n, 1n), pair(0n, 0n)];
    backwardDenseFrom(additive, productTape(), seed);
    expect(seed).toEqual([...scalars(0n, 0n, 1n), pair(0n, 0n)]);
  });

  it("returns the empty list for the empty tape", () => {
    expect(backwardDenseFrom(additive, [], [])).toEqual(ok([]));
  });

  it("fails where the seed has not one entry per node, or one of another shape", () => {
    const tape = productTape();
    expect(failure(backwardDenseFrom(additive, tape, scalars(1n, 1n, 1n)))).toEqual(["tape/seed-length", ""]);
    expect(failure(backwardDenseFrom(additive, tape, scalars(0n, 0n, 1n, 0n, 0n)))).toEqual([
      "tape/seed-length",
      "",
    ]);
    expect(failure(backwardDenseFrom(additive, tape, scalars(0n, 0n, 1n, 0n)))).toEqual([
      "tape/gradient-shape",
      "/3",
    ]);
  });
});

describe("the sweeps from one id", () => {
  it("fail where there is no such id", () => {
    for (const id of [4, -1, 0.5]) {
      const expected = ["tape/id", `/${id}`];
      expect(failure(backwardDenseReached(additive, productTape(), id, scalar(1n)))).toEqual(expected);
      expect(failure(backwardDenseAll(additive, productTape(), id, scalar(1n)))).toEqual(expected);
      expect(failure(backward(additive, productTape(), id, scalar(1n)))).toEqual(expected);
    }
  });

  it("fail where the seed has another shape than the node", () => {
    const expected = ["tape/gradient-shape", "/2"];
    const stopped = productTape().map((node) => ({ ...node, requiresGrad: false }));
    for (const sweep of [backwardDenseAll, backwardDenseReached, backward])
      for (const tape of [productTape(), stopped])
        expect(failure<unknown>(sweep(additive, tape, 2, pair(1n, 1n)))).toEqual(expected);
  });

  it("fail where a node contributes to no id, or in another shape, or refuses", () => {
    const own: Issue = { code: "test/own", pointer: "/x", message: "no.", hint: "none" };
    const faults: readonly (readonly [TapeNode<bigint>, string])[] = [
      [telling(scalar(0n), [], () => [{ parent: 7, cotangent: scalar(1n) }]), "tape/id"],
      [telling(scalar(0n), [0], () => [{ parent: 0, cotangent: pair(1n, 1n) }]), "tape/contribution-shape"],
      [{ ...telling(scalar(0n), [], () => []), backward: () => fail(own) }, "test/own"],
    ];
    for (const [node, code] of faults) {
      const tape: TapeNode<bigint>[] = [];
      leaf(tape, scalar(0n));
      const id = addNode(tape, node);
      for (const sweep of [backwardDenseAll, backwardDenseReached, backward]) {
        const swept = sweep(additive, tape, id, scalar(1n));
        expect(swept.ok ? "no failure" : swept.error.code).toBe(code);
      }
    }
  });

  it("ask the first node of the tape too", () => {
    const own: Issue = { code: "test/own", pointer: "/0", message: "no.", hint: "none" };
    const refusing = { ...telling(scalar(0n), [], () => []), backward: () => fail(own) };
    for (const sweep of [backwardDenseAll, backwardDenseReached, backward]) {
      expect(sweep(additive, [refusing], 0, scalar(1n))).toEqual(fail(own));
    }
  });

  test("the sparse one visits the ids that received a gradient, and returns those alone", () => {
    const swept = backward(additive, productTape(), 2, scalar(1n));
    const arrived = [
      [2, scalar(1n)],
      [0, scalar(3n)],
      [1, scalar(2n)],
    ] as const;
    expect(swept).toEqual(ok(new Map(arrived)));
    expect(backward(additive, productTape(), 0, scalar(5n))).toEqual(ok(new Map([[0, scalar(5n)]])));
  });

  test("neither hands on through a node that requires no gradient, nor adds to one", () => {
    const tape = productTape();
    const product = present(tape[2], "the product");
    const leafless = tape.with(1, { ...present(tape[1], "a leaf"), requiresGrad: false });
    const stopped = tape.with(2, { ...product, requiresGrad: false });
    const zeros = pair(0n, 0n);
    expect(backwardDenseAll(additive, leafless, 2, scalar(1n))).toEqual(ok([...scalars(3n, 0n, 1n), zeros]));
    expect(backwardDenseAll(additive, stopped, 2, scalar(1n))).toEqual(ok([...scalars(0n, 0n, 1n), zeros]));
    expect(backward(additive, leafless, 2, scalar(1n))).toEqual(
      ok(
        new Map([
          [2, scalar(1n)],
          [0, scalar(3n)],
        ]),
      ),
    );
    expect(backward(additive, stopped, 2, scalar(1n))).toEqual(ok(new Map([[2, scalar(1n)]])));
  });
});

describe("dense and sparse differ over floats", () => {
  /** Id 1 is ∞ · x, which nobody reads; id 2 is −x. */
  function tapeAt(x: number): TapeNode<number>[] {
    const tape: TapeNode<number>[] = [];
    leaf(tape, scalar(x));
    const times = (factor: number) =>
      telling(scalar(x * factor), [0], ({ data: [c = 0] }: Tensor<number>) => [
        { parent: 0, cotangent: scalar(c * factor) },
      ]);
    addNode(tape, times(Number.POSITIVE_INFINITY));
    addNode(tape, times(-1));
    return tape;
  }

  function cotangents(seed: number): readonly [dense: unknown, sparse: unknown] {
    const dense = backwardDenseAll(float64.additive, tapeAt(1), 2, scalar(seed));
    const sparse = backward(float64.additive, tapeAt(1), 2, scalar(seed));
    return [dense.ok && dense.value[0]?.data[0], sparse.ok && sparse.value.get(0)?.data[0]];
  }

  test("where 0 · ∞ is visited by the one alone", () => {
    expect(cotangents(5)).toEqual([Number.NaN, -5]);
  });

  test("in the sign of a zero, since +0 stands in the slots of the one alone", () => {
    const tape = tapeAt(1).toSpliced(1, 1);
    const dense = backwardDenseAll(float64.additive, tape, 1, scalar(0));
    const sparse = backward(float64.additive, tape, 1, scalar(0));
    expect([dense.ok && dense.value[0], sparse.ok && sparse.value.get(0)]).toEqual([scalar(0), scalar(-0)]);
  });
});

describe("the dense sweep that visits only what was reached", () => {
  /** x = 0 under id 0; 1 / x, which nobody reads, under id 1; −x under id 2. */
  function besideInfinity(): TapeNode<number>[] {
    const tape: TapeNode<number>[] = [];
    const x = leaf(tape, scalar(0));
    addNode(
      tape,
      telling(scalar(Number.POSITIVE_INFINITY), [x], ({ data: [c = 0] }) => [
        { parent: x, cotangent: scalar(-c * Number.POSITIVE_INFINITY) },
      ]),
    );
    addNode(
      tape,
      telling(scalar(-0), [x], ({ data: [c = 0] }) => [{ parent: x, cotangent: scalar(-c) }]),
    );
    return tape;
  }

  const cotangents = (swept: Result<readonly Tensor<number>[], Issue>): unknown =>
    swept.ok && swept.value.map(({ data }) => data[0]);

  test("is not made NaN by a 1 / x at 0 beside the output, as the other is", () => {
    const { additive: floats } = float64;
    expect(cotangents(backwardDenseAll(floats, besideInfinity(), 2, scalar(1)))).toEqual([Number.NaN, 0, 1]);
    expect(cotangents(backwardDenseReached(floats, besideInfinity(), 2, scalar(1)))).toEqual([-1, 0, 1]);
  });

  /** Nodes that hand `factors` times their cotangents to earlier ids, `added` more if zero is not kept. */
  const recipes = fc.array(
    fc.record({
      parents: fc.array(fc.nat(20), { maxLength: 3 }),
      factor: fc.integer({ min: -3, max: 3 }),
      requiresGrad: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  );

  function tapeOf(
    recipe: typeof recipes extends fc.Arbitrary<infer T> ? T : never,
    added: bigint,
  ): TapeNode<bigint>[] {
    return recipe.map(({ parents, factor, requiresGrad }, id) => ({
      ...telling(
        scalar(0n),
        parents.map((parent) => parent % Math.max(id, 1)),
        ({ data: [c = 0n] }) =>
          id === 0
            ? []
            : parents.map((parent) => ({
                parent: parent % id,
                cotangent: scalar(c * BigInt(factor) + added),
              })),
      ),
      requiresGrad,
    }));
  }

  const agree = (added: bigint): fc.IProperty<unknown> =>
    fc.property(recipes, fc.nat(20), fc.integer({ min: -5, max: 5 }), (recipe, out, seed) => {
      const tape = tapeOf(recipe, added);
      const given = [additive, tape, out % tape.length, scalar(BigInt(seed))] as const;
      const [all, reached] = [backwardDenseAll(...given), backwardDenseReached(...given)];
      return JSON.stringify(shown(all)) === JSON.stringify(shown(reached));
    });

  const shown = (swept: Result<readonly Tensor<bigint>[], Issue>): unknown =>
    swept.ok && swept.value.map(({ data }) => data.map(String));

  test("agrees with the other where every backward on the tape hands zero on as zero", () => {
    fc.assert(agree(0n), { seed: 21, numRuns: 500 });
  });

  test("does not where one makes something of nothing", () => {
    expect(fc.check(agree(1n), { seed: 22, numRuns: 200 }).failed).toBe(true);
  });
});
