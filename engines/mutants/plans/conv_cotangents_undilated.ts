import { conv } from "../../plan/lower/whole/conv.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const convCotangentsUndilated: PlanMutant = plantPlan(
  {
    name: "conv_cotangents_undilated",
    fault: "The cotangents of a convolution are those of one whose kernel has no gaps.",
    rewrite: "whole_composites",
  },
  {
    lowerings: {
      conv: {
        ...conv,
        cotangents(draft, application, value, c, isWanted) {
          const { attributes } = application;
          const dilations = attributes.dilations.map(() => 1);
          const undilated = { ...application, attributes: { ...attributes, dilations } };
          return conv.cotangents(draft, undilated, value, c, isWanted);
        },
      },
    },
  },
);
