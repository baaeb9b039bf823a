import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const batchNormTrainMeanConstant: Mutant = plant(
  {
    name: "batch_norm_train_mean_constant",
    fault: "batch_norm_train takes its variance for a constant.",
    source: "D10",
  },
  withExpansion("batch_norm_train", (_scope, attributes, x, scale, offset) => {
    const axes = x.shape.flatMap((_, axis) => (axis === attributes.axis ? [] : [axis]));
    const wide = { shape: x.shape.map((extent, axis) => (axis === attributes.axis ? extent : 1)) };
    const centred = x.subtract(x.mean({ axes, keepdims: true }));
    const deviation = centred.square().mean({ axes, keepdims: true }).add(attributes.epsilon).sqrt();
    const standard = centred.divide(deviation.stop_gradient());
    return standard.multiply(scale.reshape(wide)).add(offset.reshape(wide));
  }),
);
