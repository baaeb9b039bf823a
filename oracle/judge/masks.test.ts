import { describe, expect, test } from "vitest";
import { interpreterEngine } from "../../engines/index.ts";
import { answering, casesOf, declaring } from "./asked_text.test.kit.ts";
import { survey } from "./survey.ts";

/** Masks of −∞ as frameworks write them, and infinities as constants of choices. */
const masked = casesOf(`
graph least_of_a_reduction(x: [3]) given (least: [])
  m = maximum(least, max(x))
  e = exp(x - stop_gradient(m))
  y = e / sum(e)
at x = [1, -2, 1.5], least = -inf
tangent x = [1, 2, 3]
seed y = [1, 2, 3]

graph constant_of_a_maximum(x: [3]) given (c: [3])
  y = 2 * maximum(c, x)
  z = minimum(3 - c, y)
at x = [1, -2, 1.5], c = [-inf, -inf, 0]
tangent x = [1, 2, 3]
seed z = [1, 1, 1]

graph mask_that_is_added(x: [2, 3]) given (mask: [2, 3])
  y = softmax(x + mask, axis=1)
  w = y * y
at x = [[1, -2, 1.5], [3, 4, 5]], mask = [[-inf, 0, 0], [0, -inf, -inf]]
tangent x = [[1, 2, 3], [1, 2, 3]]
seed w = [[1, 2, 3], [2, 3, 4]]

graph mask_that_chooses(x: [2, 3]) given (mask: [2, 3], none: [])
  m = where(mask, x, none)
  y = softmax(m, axis=1)
  l = log_softmax(m, axis=1)
  s = logsumexp(m, axes=[1])
  w = y * y
at x = [[1, -2, 1.5], [3, 4, 5]], mask = [[0, 1, 1], [1, 0, 0]], none = -inf
tangent x = [[1, 2, 3], [1, 2, 3]]
seed w = [[1, 2, 3], [2, 3, 4]], l = [[0, 1, 1], [1, 0, 0]], s = [1, 2]

graph likelihood(x: [2, 3]) given (mask: [2, 3], i: index [2])
  n = nll(log_softmax(x + mask, axis=1), labels=i)
at x = [[1, -2, 1.5], [3, 4, 5]], mask = [[-inf, 0, 0], [0, -inf, -inf]], i = [1, 0]
tangent x = [[1, 2, 3], [1, 2, 3]]
seed n = 1

graph attention(q: [2, 3], k: [3, 3], v: [3, 2]) given (mask: [2, 3])
  y = scaled_dot_product_attention(q, k, v, mask, causal=false)
at q = [[1, -2, 1.5], [3, 4, 5]], k = [[1, 0, 1], [2, 1, 0], [0, 0.5, 0.5]]
at v = [[1, 2], [3, 4], [5, 6]], mask = [[-inf, 0, 0], [0, -inf, -inf]]
tangent q = [[1, 2, 3], [1, 2, 3]], k = 1, v = 1
seed y = [[1, 2], [3, 4]]

graph order(x: [4]) given (c: [4])
  y = sort(x + c, axis=0, descending=false)
  z = clip(y, -1, 1)
at x = [1, -2, 1.5, 0.5], c = [-inf, 0, 0, inf]
tangent x = [1, 2, 3, 4]
seed z = [1, 1, 1, 1]
`);

const honest = [
  ["the reference's conventions", declaring(interpreterEngine(), {})],
  ["ties that are split", declaring(interpreterEngine(), { maximumAtTie: "split", compositeKinks: "own" })],
  [
    "ties that go to both, flushed subnormals",
    declaring(interpreterEngine(), { maximumAtTie: "both", subnormals: "flushed" }),
  ],
] as const;

describe.each(masked)("an infinity as a constant: %s", (_, question) => {
  test.each(honest)("leaves nothing open for %s", async (__, engine) => {
    for (const dtype of ["float64", "float32"] as const) {
      const found = await survey(engine, question, dtype, []);
      if (found.kind !== "surveyed") throw new Error(found.kind);
      expect(found.outside).toEqual([]);
      expect(new Set(found.numbers.map(({ judgement }) => judgement))).toEqual(new Set(["within"]));
    }
  });

  test.each([
    ["a tangent", "jvp"],
    ["a cotangent", "vjp"],
    ["a cotangent of every id", "backward_dense"],
  ] as const)("excuses neither NaN nor another number in %s", async (__, mode) => {
    for (const wrong of [Number.NaN, 1e-3, -3]) {
      const engine = answering(interpreterEngine(), "planted", (x, place) =>
        place.mode === mode && (x === 0 || place.element === 0) ? wrong : x,
      );
      const found = await survey(engine, question, "float64", []);
      if (found.kind !== "surveyed") throw new Error(found.kind);
      expect(found.outside.length).toBeGreaterThan(0);
    }
  });
});
