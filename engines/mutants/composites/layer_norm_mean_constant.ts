import { type Mutant, plant, withExpansion } from "../mutant.ts";

export const layerNormMeanConstant: Mutant = plant(
  {
    name: "layer_norm_mean_constant",
    fault: "The mean that layer_norm subtracts counts as a constant.",
    source: "D10",
  },
  withExpansion("layer_norm", (_scope, { axes, epsilon }, x, scale, offset) => {
    const wide = { shape: x.shape.map((extent, axis) => (axes.includes(axis) ? extent : 1)) };
    const centred = x.subtract(x.mean({ axes, keepdims: true }).stop_gradient());
    const deviation = centred.square().mean({ axes, keepdims: true }).add(epsilon).sqrt();
    return centred.divide(deviation).multiply(scale.reshape(wide)).add(offset.reshape(wide));
  }),
);
