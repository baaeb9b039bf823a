import { at, stridesOf } from "../../../spec/shapes/index.ts";
import { javascript } from "../javascript/index.ts";
import {
  type Access,
  type Application,
  accumulationInPlace,
  allows,
  apply,
  type Backend,
  type Expression,
  type Instruction,
  isLiteral,
  isZero,
  literal,
  type Pass,
  read,
  rewritten,
  type ScatterInstruction,
  simplified,
  units,
  type ValueId,
  withBodies,
  zeros,
} from "../plan/index.ts";
import { conv, identity, matmul, max } from "../plan/lower/index.ts";
import { type PlanMutant, planMutantTable } from "./plan_mutant.ts";

/** Makes a pass that also applies `rule` to every application, before all that `sound` does. */
function withRule(sound: Pass, rule: (application: Application) => Expression | undefined): Pass {
  return (program) => {
    let fired = 0;
    const instructions = program.instructions.map((instruction) =>
      withBodies(instruction, (body) => {
        const expression = simplified(body.expression, (application) => {
          const simpler = rule(application);
          if (simpler !== undefined) fired += 1;
          return simpler;
        });
        return { ...body, expression };
      }),
    );
    const after = sound(rewritten(program, instructions, fired).program);
    return { program: after.program, fired: fired + after.fired };
  };
}

/** Returns what a part is the negative of; `undefined` if it is not one. */
function negatedBy(part: Expression | undefined): Expression | undefined {
  return part?.kind === "apply" && part.function === "negative" ? part.operands[0] : undefined;
}

/** A backend keeps so many sums of a long fold. */
const parts = 16;

/** Cuts a sum along one axis to whole rounds of all parts. */
export function withoutLastRound(instruction: Instruction): Instruction {
  if (instruction.kind !== "fold" || instruction.over.length !== 1) return instruction;
  const [extent = 0] = instruction.over;
  return extent < parts ? instruction : { ...instruction, over: [extent - (extent % parts)] };
}

/** This backend sums whole rounds only. */
const backend: Backend = {
  name: "javascript, folds in parts",
  build(order) {
    const { program, regime } = order;
    if (!allows(regime, "reassociation")) return javascript.build(order);
    const instructions = program.instructions.map(withoutLastRound);
    return javascript.build({ ...order, program: { ...program, instructions } });
  },
};

/** A sum that has become an addition in place. */
interface Accumulation extends ScatterInstruction {
  readonly base: ValueId;
}

/** Makes a pass that replaces each addition in place; `part` is the other summand. */
function accumulating(wrong: (accumulation: Accumulation, part: ValueId) => Instruction): Pass {
  return (program) => {
    const step = accumulationInPlace(program);
    const instructions = step.program.instructions.map((instruction, n) => {
      const before = program.instructions[n];
      if (instruction === before || instruction.kind !== "scatter" || before?.kind !== "map")
        return instruction;
      const { base } = instruction;
      const part = before.reads.find(({ value }) => value !== base)?.value;
      return base === undefined || part === undefined ? instruction : wrong({ ...instruction, base }, part);
    });
    return rewritten(step.program, instructions, step.fired);
  };
}

/** These faults concern rewrites that exchange one formula for another. */
export const arithmeticMutants: readonly PlanMutant[] = planMutantTable({
  // These concern signs and zeros.
  difference_from_positive_zero: {
    fault: "The difference of +0 and a number is the negative of the number, also if that is +0.",
    rewrite: "units",
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) =>
        name === "subtract" && isLiteral(x, 0) && y !== undefined ? apply("negative", y) : undefined,
      ),
    },
    setting: { regime: "bit_exact" },
  },
  sign_into_wrong_operand: {
    fault: "The sum of a negative and a number is the difference of the two the wrong way round.",
    rewrite: "units",
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) => {
        const minuend = negatedBy(x);
        if (name !== "add" || minuend === undefined || y === undefined) return undefined;
        return negatedBy(y) === undefined ? apply("subtract", minuend, y) : undefined;
      }),
    },
  },
  positive_zero_is_neutral: {
    fault: "The sum of a number and +0 is the number, also if that is −0.",
    rewrite: "units",
    passes: {
      units: withRule(units, ({ function: name, operands: [x, y] }) => {
        if (name !== "add") return undefined;
        return isLiteral(y, 0) ? x : isLiteral(x, 0) ? y : undefined;
      }),
    },
    setting: { regime: "bit_exact" },
  },
  zero_minus_number: {
    fault: "The difference of 0 and a number is the number, as the sum is.",
    rewrite: "zeros",
    passes: {
      zeros: withRule(zeros, ({ function: name, operands: [x, y] }) =>
        name === "subtract" && isZero(x) ? y : undefined,
      ),
    },
  },

  // These concern the order of sums.
  last_round_lost: {
    fault: "A long fold in sixteen parts lacks the elements that do not fill a last round of all sixteen.",
    rewrite: "reassociation",
    backend,
  },
  part_added_to_itself: {
    fault: "A contribution to a part is added to the wrong one of the two summands, which is itself.",
    rewrite: "accumulation_in_place",
    passes: {
      accumulation_in_place: accumulating((accumulation, part) => ({ ...accumulation, base: part })),
    },
  },
  part_overwritten: {
    fault: "A contribution to a part is stored over what is there and not added to it.",
    rewrite: "accumulation_in_place",
    passes: {
      accumulation_in_place: accumulating((accumulation): Instruction => {
        const { shape, base, over, place, reads, expression } = accumulation;
        if (place.indirections.length > 0) return accumulation;
        const whole = {
          shape,
          place: identity(shape),
          reads: [{ value: base, ...identity(shape) }],
          expression: read(0),
        };
        const part = { shape: over, place, reads, expression };
        return { kind: "assemble", shape, isCovered: true, pieces: [whole, part] };
      }),
    },
  },

  // These concern derivatives.
  same_product_twice: {
    fault: "Both products of the tangent of a product of matrices are the one with the left tangent.",
    rewrite: "split_tangents",
    lowerings: {
      matmul: {
        ...matmul,
        tangent(draft, application, value, dots) {
          const [xDot, yDot] = dots.values;
          if (xDot === undefined || yDot === undefined)
            return matmul.tangent(draft, application, value, dots);
          const product = matmul.tangent(draft, application, value, { ...dots, values: [xDot, undefined] });
          return product && draft.add(product, product);
        },
      },
    },
  },
  second_product_lost: {
    fault:
      "The tangent of a product of matrices lacks the product with the right tangent, if the left matrix moves.",
    rewrite: "split_tangents",
    lowerings: {
      matmul: {
        ...matmul,
        tangent(draft, application, value, { count, values: [xDot, yDot] }) {
          const values = xDot === undefined ? [xDot, yDot] : [xDot, undefined];
          return matmul.tangent(draft, application, value, { count, values });
        },
      },
    },
  },
  conv_cotangents_undilated: {
    fault: "The cotangents of a convolution are those of one whose kernel has no gaps.",
    rewrite: "whole_composites",
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
  max_cotangent_to_all: {
    fault: "The cotangent of a maximum over axes goes to every element that is equal to it.",
    rewrite: "whole_composites",
    lowerings: {
      max: {
        ...max,
        cotangents(draft, { attributes: { axes }, operands, shapes }, value, c, isWanted) {
          if (!isWanted(0)) return [];
          const shape = at(shapes, 0);
          const kept = stridesOf(shape.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
          const strides = kept.map((stride, axis) => (axes.includes(axis) ? 0 : stride));
          const repeated: Access = { offset: 0, strides, indirections: [] };
          const reads = [
            { value: at(operands, 0), ...identity(shape) },
            { value, ...repeated },
            { value: c, ...repeated },
          ];
          const isLargest = apply("equal", read(0), read(1));
          return [draft.map(shape, reads, apply("select", isLargest, read(2), literal(0)))];
        },
      },
    },
  },
});
