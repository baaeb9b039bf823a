import fc from "fast-check";
import { at } from "../../../spec/shapes/index.ts";
import type { Asked } from "../dialect.ts";
import { numbersBetween } from "../draws.ts";
import type { StorageFramework } from "../framework.ts";
import { answered, asDue, drawnLaw, type Held, held, type Law } from "../law.ts";

type Loss = Omit<Asked["loss"], "form">;

const losses: fc.Arbitrary<Loss> = fc
  .record({
    kind: fc.constantFrom("mse" as const, "cross_entropy" as const),
    samples: fc.integer({ min: 1, max: 4 }),
    features: fc.integer({ min: 1, max: 4 }),
    numbers: fc.array(numbersBetween(0, 1), {
      minLength: 32,
      maxLength: 32,
    }),
  })
  .map(({ kind, samples, features, numbers }) => ({
    kind,
    samples,
    features,
    outputs: numbers.slice(0, samples * features),
    targets: numbers.slice(16, 16 + samples * features),
  }));

/** Holds if the mean's divisor is applied in one rounding or two: (1 + 2⁻²⁴)⁴ covers both. */
function divided(framework: StorageFramework, loss: Loss): Promise<Held> {
  const { kind, samples, features, outputs, targets } = loss;
  const divisor = kind === "mse" ? samples * features : samples;
  return answered(framework, "loss", { ...loss, form: "mean" }, (gradient, breaks) => {
    const right = outputs.map((x, i) => ((kind === "mse" ? 2 : 1) * (x - at(targets, i))) / divisor);
    const place = right.findIndex(
      (x, i) =>
        gradient.length !== right.length ||
        !(Math.abs(x - at(gradient, i)) <= 2 ** -22 * Math.abs(x) + 2 ** -148),
    );
    return place < 0 ? held : breaks(`${at(right, place)} at element ${place}`);
  });
}

/** These laws state point 10: gradients of losses, which the backward pass starts from. */
export const lossLaws: readonly Law[] = [
  drawnLaw("the gradient of a loss is 2(o − l), or p − y, element by element and not divided", {
    over: () => losses,
    holds: (framework, loss) => asDue(framework, "loss", { ...loss, form: "raw" }),
  }),
  drawnLaw("that of the mean is divided by all elements, or by the samples of a cross entropy", {
    over: () => losses,
    holds: divided,
  }),
];
