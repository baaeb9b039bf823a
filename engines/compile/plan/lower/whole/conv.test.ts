import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { expect, test } from "vitest";
import { at, floatAt, graph, sizeOf } from "../../../../../spec/index.ts";
import { compile } from "../../../browser_wasm.ts";
import { choiceOf } from "../../../wasm/random.test.kit.ts";

/** A convolution along two axes, with integers for x, w and the cotangent of its output. */
function drawn(seed: number): {
  readonly asked: ReturnType<typeof graph>;
  readonly inputs: readonly Float64Array[];
  readonly c: Float64Array;
  /** The cotangent of x, term by term. */
  readonly wanted: Float64Array;
} {
  const { below, of } = choiceOf(seed);
  const [n, groups, kernels, channels] = [1 + below(2), 1 + below(2), 1 + below(3), 1 + below(3)];
  const axes = [0, 1].map(() => {
    const [taps, stride, low, high] = [1 + below(5), 1 + below(4), below(4), below(3)];
    const dilation = of([1, 1, 1, 2]);
    const reach = (taps - 1) * dilation + 1;
    const extent = Math.max(1, reach - low - high) + below(8);
    return {
      taps,
      stride,
      low,
      high,
      dilation,
      extent,
      count: Math.floor((extent + low + high - reach) / stride) + 1,
    };
  });
  const [a, b] = [at(axes, 0), at(axes, 1)];
  const xShape = [n, groups * channels, a.extent, b.extent];
  const wShape = [groups * kernels, channels, a.taps, b.taps];
  const shape = [n, groups * kernels, a.count, b.count];
  const random = xoroshiro128plus(seed);
  const [x, w, c] = [xShape, wShape, shape].map((some) =>
    Float64Array.from({ length: sizeOf(some) }, () => (random.next() & 7) - 3),
  );
  if (x === undefined || w === undefined || c === undefined) throw new Error("three arrays");
  const wanted = new Float64Array(x.length);
  for (let image = 0; image < n; image++)
    for (let o = 0; o < groups * kernels; o++)
      for (let ch = 0; ch < channels; ch++)
        for (let p = 0; p < a.count; p++)
          for (let q = 0; q < b.count; q++)
            for (let k = 0; k < a.taps; k++)
              for (let l = 0; l < b.taps; l++) {
                const i = p * a.stride + k * a.dilation - a.low;
                const j = q * b.stride + l * b.dilation - b.low;
                if (i < 0 || j < 0 || i >= a.extent || j >= b.extent) continue;
                const channel = Math.floor(o / kernels) * channels + ch;
                const place = ((image * groups * channels + channel) * a.extent + i) * b.extent + j;
                const weight = floatAt(w, ((o * channels + ch) * a.taps + k) * b.taps + l);
                const own = floatAt(c, ((image * groups * kernels + o) * a.count + p) * b.count + q);
                wanted[place] = floatAt(wanted, place) + own * weight;
              }
  const asked = graph(({ input }) =>
    input("x", xShape).conv(input("w", wShape), {
      strides: axes.map(({ stride }) => stride),
      padding: axes.map(({ low, high }) => [low, high]),
      dilations: axes.map(({ dilation }) => dilation),
      groups,
    }),
  );
  return { asked, inputs: [x, w], c, wanted };
}

test("the cotangent of x is the sum of its terms, whatever strides, padding, dilations and groups", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const { asked, inputs, c, wanted } = drawn(seed);
    const f = compile(asked, { engine: "javascript" });
    // What no tap reaches is zero in memory that was used before, too.
    f.vjp(inputs, c)[0]?.fill(Number.NaN);
    const [found] = f.vjp(inputs, c);
    expect(
      [...(found ?? [])].map((y) => y + 0),
      `seed ${seed}`,
    ).toEqual([...wanted].map((y) => y + 0));
  }
});
