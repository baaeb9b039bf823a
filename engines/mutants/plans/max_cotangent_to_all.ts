import { stridesOf } from "../../../spec/index.ts";
import { apply, literal, read } from "../../plan/expression.ts";
import { identity } from "../../plan/lower/draft.ts";
import { max } from "../../plan/lower/whole/extremes.ts";
import type { Access } from "../../plan/program.ts";
import { type PlanMutant, plantPlan } from "./plan_mutant.ts";

export const maxCotangentToAll: PlanMutant = plantPlan(
  {
    name: "max_cotangent_to_all",
    fault: "The cotangent of a maximum over axes goes to every element that is equal to it.",
    rewrite: "whole_composites",
  },
  {
    lowerings: {
      max: {
        ...max,
        cotangents(
          draft,
          { attributes: { axes }, operands: [x = 0], shapes: [shape = []] },
          value,
          c,
          isWanted,
        ) {
          if (!isWanted(0)) return [];
          const kept = stridesOf(shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
          const strides = kept.map((stride, axis) => (axes.includes(axis) ? 0 : stride));
          const repeated: Access = { offset: 0, strides, indirections: [] };
          const reads = [
            { value: x, ...identity(shape) },
            { value, ...repeated },
            { value: c, ...repeated },
          ];
          const isLargest = apply("equal", read(0), read(1));
          return [draft.map(shape, reads, apply("select", isLargest, read(2), literal(0)))];
        },
      },
    },
  },
);
