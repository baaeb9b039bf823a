import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawnAt, mix } from "../../oracle/generate/index.ts";
import { operatorNames } from "../composites/index.ts";
import { sampled } from "../sampled.test.kit.ts";
import { caseText, formatText, frameOf, readText } from "./index.ts";

const examples: readonly string[] = [
  ...Array.from({ length: 12 }, (_, i) =>
    caseText(drawnAt(mix, operatorNames, 3, i), `f${i}`, i % 2 === 0 ? "lines" : "nested"),
  ),
  `# two
graph first(x: [3] in 0..1 m/s, λ) given (c: [], i: index [2])
  y: [3] = -x ** 2 + 3 * c
  d = vjp (u: [3]) => { a = u * u; sum(a) } by u at y along 1
note "a \\"note\\""
at x = [1, 2, 0x1.8p+1], λ = -inf, c = 1, i = [0, 1]
seed y = [1, 2, nan]
expect value y = [0 | 1, 1/3, 0x1p+0..0x1p+1]
graph second(x)
  exp(x)
policy p a b
choice a
  x * x
`,
  `tapes layers
  graph g(w1, w2: [2]) given (x)
    b = x * w1 * w2
  record t of g once from b hooks b at w1 = 2, w2 = [3, -1], x = 1
  sweep t from b = [1, 0]
    expect cotangent w1 = 0..3
    expect hook b = [1, 0]
  sweep t from b = full([0, 3], 1) beside must refuse
  release t
faults refusal_releases
`,
  `graph ship(v in 0..30 knot, state: [2] in kg along 0 [m, m/s]) given (k in "1/(m)")
  y = v * 2 in m^(1/2)
base kg m s
unit knot = 0.514 m/s
`,
  `program session given (c, i: index [2])
  state w: [3]
  procedure main(x: [3], q)
    b = buffer(sin(x) * 2)
    if q > 0:
      b[0] <- q
    else:
      w += c * buffer(take(x, axis=0, indices=i))[0:1].broadcast([3])
    for k in 2:
      b[k:k + 2] max= draw(bernoulli, rate=0.5, shape=[2], key=[0, k])
    while sum(b) < 10, at most 5:
      no_grad:
        b *= 2
    p, r = call twice(x, b)
    d = vjp call scaled(r, 3) of 0 by s along receive("in", shape=[3])
    send("out", d)
    retain p
    release b
    return p: [3], w, call scaled(x, q)
  procedure twice(x: [3], &b: [3])
    return 2 * x, b
  procedure scaled(x: [3], s)
    return x * s
generator key 7, 11 drawn 2
at x = 1, q = 2, w = 0, c = 1, i = [0, 1]
receives "in" = [1, 2, 3], "in": [0, 2] = []
seed p = [1, 2, 3], 2 = 1
again
at x = 2, q = 0
`,
  `program two(x)
  return x, x
seed 1 = 1
at x = 3
expect result 0 = 3, 1 = 3
expect sent "out": [0, 2] = 1
expect cotangent x = 1
expect retained 0 = 4
again
at x = 4
expect refused "program/fuel"
`,
];

const pieces: readonly string[] = [
  ..."()[]{}:;,=*+-/@<>.|?&%#\"' \n\t\r0123456789eExXpPnia_λ\u0000\uFEFF\uD800\u202E",
  "**",
  "=>",
  "..",
  "<-",
  ":=",
  "graph ",
  "at ",
  "seed ",
  "expect ",
  "vjp (x) => ",
  "1e999",
  "0x",
  "[[[[",
  "%999999999999",
  "__proto__",
  '"\\u0000"',
  "\n    ",
  "constructor",
];

/** One damage to a text: at a place, some characters give way to a piece or to another part of the text. */
const edit = fc.record({
  where: fc.nat(),
  gone: fc.oneof(fc.constant(0), fc.nat({ max: 3 }), fc.nat({ max: 200 })),
  piece: fc.oneof(fc.constantFrom(...pieces), fc.constant("")),
  copied: fc.option(fc.record({ from: fc.nat(), length: fc.nat({ max: 80 }) }), { nil: undefined }),
});

function damaged(
  text: string,
  edits: readonly (typeof edit extends fc.Arbitrary<infer E> ? E : never)[],
): string {
  return edits.reduce((all, { where, gone, piece, copied }) => {
    const at = where % (all.length + 1);
    const from = (copied?.from ?? 0) % (all.length + 1);
    const part = copied === undefined ? "" : all.slice(from, from + copied.length);
    return all.slice(0, at) + piece + part + all.slice(at + gone);
  }, text);
}

/** Formats a text twice, and returns what is wrong with the answers. */
function complaintOfLayout(text: string): string | undefined {
  const once = formatText(text);
  if (!once.ok) return once.error.length > 0 ? undefined : "it is not formatted, and nothing is said";
  const twice = formatText(once.value);
  if (!twice.ok || twice.value !== once.value) return "it is formatted otherwise when it was formatted";
  const [before, behind] = [readText(text), readText(once.value)];
  const documents = (read: typeof before): unknown => read.ok && read.value.map(({ json }) => json);
  if (!isDeepStrictEqual(documents(before), documents(behind)))
    return "it denotes something else when it was formatted";
  return undefined;
}

/** Reads a text, and returns what is wrong with the answer, whatever the text is. */
function complaint(text: string): string | undefined {
  const layout = complaintOfLayout(text);
  if (layout !== undefined) return layout;
  const read = readText(text);
  if (read.ok) return read.value.length > 0 ? undefined : "nothing was read, and nothing said";
  if (read.error.length === 0) return "it fails without a fault";
  for (const fault of read.error) {
    const { place, code, message, hint } = fault;
    if (!(place.start >= 0 && place.end >= place.start && place.end <= text.length))
      return `${code} is nowhere`;
    if (message === "" || hint === "" || /undefined|\[object/.test(message + hint))
      return `${code} says nothing`;
    if (frameOf("f.adj", text, fault).some((line) => line.length > 2500 || /\p{Cc}/u.test(line)))
      return `${code} cannot be shown`;
  }
  return undefined;
}

describe("a text that is damaged", () => {
  const seeds = sampled(
    "damaged texts",
    Array.from({ length: 10 }, (_, i) => 33 + i),
    1,
  );

  test.each(seeds)("is read, or has faults that can be shown, a thousand times from seed %i", (seed) => {
    const random = fc.record({
      example: fc.constantFrom(...examples),
      edits: fc.array(edit, { maxLength: 5 }),
    });
    fc.assert(
      fc.property(random, ({ example, edits }) => {
        expect(complaint(damaged(example, edits))).toBeUndefined();
      }),
      { seed, numRuns: 1000 },
    );
  });

  test("would be seen to throw", () => {
    expect(() => complaint(Reflect.get({}, "text"))).toThrow();
  });

  test.each([
    ["brackets in each other", "(".repeat(100_000)],
    ["brackets of numbers", `graph f(x)\n  exp(x)\nat x = ${"[".repeat(20_000)}`],
    ["a long sum", `graph f(x)\n  y = ${"x + ".repeat(50_000)}x\n`],
    ["many signs", `graph f(x)\n  y = ${"-(".repeat(5_000)}x${")".repeat(5_000)}\n`],
    ["blocks in each other", Array.from({ length: 3_000 }, (_, i) => `${" ".repeat(i)}if x:`).join("\n")],
    ["powers", `graph f(x)\n  y = ${"x ** ".repeat(900)}x\n`],
    ["no line", "\u0000\u0001\u0002".repeat(10_000)],
    ["carriage returns", "graph f(x)\r\n  y = x * x\r\nat x = 3\r\n"],
    ["a mark of byte order, and tabs", "\uFEFFgraph f(x)\n\ty = x * x\nat x = 3\n"],
    ["a shape that nobody can hold", "graph f(x: [99999999999999999999])\n  exp(x)\nat x = 1\n"],
    ["a number for very many elements", "graph f(x: [100000, 100000])\n  exp(x)\nat x = 1\n"],
    [
      "names of prototypes",
      "graph __proto__(constructor)\n  toString = constructor * constructor\nat constructor = 1\n",
    ],
  ])("of %s is read, or has faults", (_, text) => {
    expect(complaint(text)).toBeUndefined();
  });
});
