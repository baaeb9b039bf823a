import type { Derived } from "../../spec/derivatives/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { isSameShape, type NodeId, nodeId } from "../../spec/shapes/index.ts";
import type { Parts } from "../interpretation/index.ts";
import {
  type Applied,
  bottom,
  type Evaluation,
  type Level,
  type Leveled,
  lowered,
  type Nesting,
  nestedRows,
  plain,
  ruleOf,
  shapeOf,
  soundNesting,
  type Turn,
  without,
} from "../nested/index.ts";
import { type Mutant, mutantTable } from "./mutant.ts";

/** Makes the nested engine with some steps changed. */
function nested(change: Partial<Nesting>): Partial<Parts> {
  return { composites: nestedRows({ ...soundNesting, ...change }) };
}

/** Makes the value a constant, for all levels and for the sweep around them. */
function constant(value: Leveled, { scope }: Evaluation): Leveled {
  return plain(scope.apply("stop_gradient", {}, [bottom(value)]));
}

/** Makes the value a constant for all levels, but not for the sweep around them. */
function withoutLevels(value: Leveled): Leveled {
  return without(value, () => true);
}

function times(value: Leveled, factor: number, engine: Evaluation): Leveled {
  const node = { op: "multiply", attributes: {}, parents: [] } as const;
  return engine.apply(node, [value, engine.full(shapeOf(value), factor)]);
}

/** Makes a rule that hands on what it gets. */
function identityRule({ shapes, environment }: Applied, mode: "vjp" | "jvp"): Derived {
  const [shape = []] = shapes;
  const node = { op: "broadcast_to", attributes: { shape }, parents: [] } as const;
  return ruleOf({ node, shapes: [shape], environment }, mode, [0]);
}

/** Makes a rule that hands on nothing. */
function zeroRule({ shapes, environment }: Applied, mode: "vjp" | "jvp"): Derived {
  const node = { op: "stop_gradient", attributes: {}, parents: [] } as const;
  return ruleOf({ node, shapes: shapes.slice(0, 1), environment }, mode, [0]);
}

/** Says whether an operand is an input other than the one that is differentiated by. */
function isCaptured(place: number, { attributes }: Turn): boolean {
  return place !== attributes.wrt;
}

/** Returns the last input of the shape of the one asked for, or the first. */
function alike({ attributes: { graph, wrt } }: Turn, last: boolean): NodeId {
  const shape = graph.inputs[wrt]?.shape ?? [];
  const places = graph.inputs.flatMap((input, place) =>
    isSameShape(input.shape, shape) ? [nodeId(place)] : [],
  );
  return (last ? places.at(-1) : places[0]) ?? wrt;
}

const isForward = ({ kind }: Level): boolean => kind === "forward";
const isTape = ({ kind }: Level): boolean => kind === "tape";

/** These faults of nested derivatives are planted in the nested engine. */
export const nestingMutants: readonly Mutant[] = mutantTable({
  // These concern levels.
  duals_share_a_level: {
    fault: "Nested dual numbers have one perturbation for all levels.",
    source: "F01",
    change: nested({ number: (depth, mode) => (mode === "jvp" ? 1000 : depth) }),
  },
  tapes_share_a_level: {
    fault: "A tape within a tape takes the cells of the outer one for its own.",
    source: "F01",
    change: nested({ number: (depth, mode) => (mode === "vjp" ? 1000 : depth) }),
  },
  levels_swapped: {
    fault: "The outer perturbation is taken for the innermost.",
    source: "F01",
    change: nested({ number: (depth) => 1000 - depth }),
  },
  captured_perturbed_too: {
    fault: "The tangent of an inner derivative is given to the captured values of its shape too.",
    source: "F01",
    change: nested({
      entering(operand, place, turn) {
        const { level, attributes, operands } = turn;
        const tangent = operands.at(-1);
        const isAlike =
          tangent !== undefined && isSameShape(shapeOf(tangent), attributes.graph.inputs[place]?.shape ?? []);
        if (level.kind === "tape" || !isAlike || !isCaptured(place, turn)) return operand;
        return { kind: "dual", level, primal: operand, tangent };
      },
    }),
  },
  outer_tangent_leaks: {
    fault: "The tangent that the outer level has of a captured value is added to the inner tangent.",
    source: "F01",
    change: nested({
      given(tangent, { level, operands, engine }) {
        if (level.kind === "tape") return tangent;
        const found = operands
          .slice(0, -1)
          .find((operand) => operand.kind === "dual" && isSameShape(shapeOf(operand), shapeOf(tangent)));
        return found?.kind === "dual" ? engine.add(tangent, found.tangent) : tangent;
      },
    }),
  },

  // These concern what an inner derivative depends on.
  captured_constant_forward: {
    fault: "What an inner forward derivative captures is a constant for the outer one.",
    source: "F03",
    change: nested({
      entering: (operand, place, turn) =>
        isForward(turn.level) && isCaptured(place, turn) ? constant(operand, turn.engine) : operand,
    }),
  },
  captured_constant_reverse: {
    fault: "What an inner reverse derivative captures is a constant for the outer one.",
    change: nested({
      entering: (operand, place, turn) =>
        isTape(turn.level) && isCaptured(place, turn) ? constant(operand, turn.engine) : operand,
    }),
  },
  point_constant: {
    fault: "The point at which an inner derivative is taken is a constant for the outer one.",
    change: nested({
      entering: (operand, place, turn) =>
        isCaptured(place, turn) ? operand : constant(operand, turn.engine),
    }),
  },
  point_constant_within: {
    fault: "The point of a derivative within a derivative is a constant for the outer one.",
    change: nested({
      entering: (operand, place, turn) =>
        isCaptured(place, turn) || turn.depth < 2 ? operand : constant(operand, turn.engine),
    }),
  },
  cotangent_constant: {
    fault: "The cotangent that an inner reverse derivative is given is a constant for the outer one.",
    change: nested({
      given: (given, { level, engine }) => (isTape(level) ? constant(given, engine) : given),
    }),
  },
  tangent_constant: {
    fault: "The tangent that an inner forward derivative is given is a constant for the outer one.",
    change: nested({
      given: (given, { level, engine }) => (isForward(level) ? constant(given, engine) : given),
    }),
  },
  derivative_constant: {
    fault: "A derivative is a constant for the derivative around it.",
    change: nested({
      leaving: (found, { engine }) => (found === undefined ? found : constant(found, engine)),
    }),
  },
  third_level_constant: {
    fault: "The third derivative within each other is a constant for those around it.",
    change: nested({
      leaving: (found, { depth, engine }) =>
        found === undefined || depth < 3 ? found : constant(found, engine),
    }),
  },
  no_slot_for_the_outer: {
    fault: "A derivative within a derivative depends on no level around it.",
    change: nested({
      leaving: (found, { depth }) => (found === undefined || depth < 2 ? found : withoutLevels(found)),
    }),
  },

  // These concern what a rule reads.
  saved_value_constant: {
    fault: "The value that an inner derivative saved of a node is a constant for the outer one.",
    source: "F06",
    change: nested({ saved: (value, { engine }) => constant(value, engine) }),
  },
  saved_operand_constant: {
    fault: "The operand that an inner reverse derivative saved of a node is a constant for the outer one.",
    source: "F06",
    change: nested({
      operand: (value, { level, engine }) => (isTape(level) ? constant(value, engine) : value),
    }),
  },
  forward_operand_constant: {
    fault: "The operand that an inner forward rule reads is a constant for the outer derivative.",
    change: nested({
      operand: (value, { level, engine }) => (isForward(level) ? constant(value, engine) : value),
    }),
  },
  product_saves_constants: {
    fault: "The factors that an inner product saved are constants for the outer derivative.",
    source: "F06",
    change: nested({
      operand: (value, { op, engine }) => (op === "multiply" ? constant(value, engine) : value),
    }),
  },
  quotient_saves_constants: {
    fault: "The divisor that an inner quotient saved is a constant for the outer derivative.",
    source: "F06",
    change: nested({
      operand: (value, { op, engine }) => (op === "divide" ? constant(value, engine) : value),
    }),
  },
  freed_for_the_second: {
    fault: "The first derivative frees the values and operands that the second one needs, which reads zeros.",
    source: "A22",
    change: nested({
      saved: (value, { engine, level }) => (level.number < 2 ? value : engine.full(shapeOf(value), 0)),
      operand: (value, { engine, level }) => (level.number < 2 ? value : engine.full(shapeOf(value), 0)),
    }),
  },
  tape_stale_primal: {
    fault: "A tape within a forward derivative reads primals without their tangents.",
    change: nested({
      operand: (value, { level }) => (isTape(level) ? without(value, isForward) : value),
    }),
  },
  dual_stale_primal: {
    fault: "A dual number within a reverse derivative reads primals that are not on the tape.",
    change: nested({
      operand: (value, { level }) => (isForward(level) ? without(value, isTape) : value),
    }),
  },

  // These concern sums.
  readers_doubled_within: {
    fault: "In a derivative within a derivative the last reader's cotangent counts twice.",
    source: "F11",
    change: nested({
      sum: (before, next, { level, engine }) =>
        level.number < 2 ? engine.add(before, next) : engine.add(engine.add(before, next), next),
    }),
  },
  readers_overwritten: {
    fault: "In an inner reverse derivative the last reader's cotangent replaces the others.",
    source: "A01",
    change: nested({ sum: (_before, next) => next }),
  },
  readers_summed_as_constants: {
    fault: "In an inner reverse derivative a sum of cotangents keeps what the last one depends on alone.",
    change: nested({
      sum: (before, next, { engine }) => engine.add(constant(before, engine), next),
    }),
  },
  second_sweep_on_stale: {
    fault: "The sweep of a derivative within a derivative is seeded on top of the one around it.",
    source: "A06",
    change: nested({
      given: (given, { level, depth, engine }) =>
        isTape(level) && depth >= 2 ? times(given, 2, engine) : given,
    }),
  },
  second_tangent_dropped: {
    fault: "In an inner forward derivative an operation with two tangents keeps the first.",
    source: "F03",
    change: nested({
      rule: (applied, mode, wrt) => ruleOf(applied, mode, mode === "jvp" ? wrt.slice(0, 1) : wrt),
    }),
  },
  symmetric_part_dropped: {
    fault: "In an inner reverse derivative the second factor of a product receives nothing.",
    change: nested({
      rule: (applied, mode, wrt) =>
        mode === "vjp" && applied.node.op === "multiply" && wrt[0] === 1
          ? zeroRule(applied, mode)
          : ruleOf(applied, mode, wrt),
    }),
  },

  // These concern rules.
  stop_gradient_lost_forward: {
    fault: "An inner forward derivative takes stop_gradient for the identity.",
    source: "F05",
    change: nested({
      rule: (applied, mode, wrt) =>
        mode === "jvp" && applied.node.op === "stop_gradient"
          ? identityRule(applied, mode)
          : ruleOf(applied, mode, wrt),
    }),
  },
  stop_gradient_lost_reverse: {
    fault: "An inner reverse derivative takes stop_gradient for the identity.",
    source: "F05",
    change: nested({
      rule: (applied, mode, wrt) =>
        mode === "vjp" && applied.node.op === "stop_gradient"
          ? identityRule(applied, mode)
          : ruleOf(applied, mode, wrt),
    }),
  },
  stop_gradient_at_one_level: {
    fault: "stop_gradient stops the innermost derivative alone.",
    source: "F05",
    change: nested({
      primal: (node, operands, { engine }) =>
        (node.op === "stop_gradient" ? operands[0] : undefined) ?? engine.apply(node, operands),
    }),
  },
  relu_unmasked_within: {
    fault: "An inner derivative takes relu for the identity.",
    change: nested({
      rule: (applied, mode, wrt) =>
        applied.node.op === "relu" ? identityRule(applied, mode) : ruleOf(applied, mode, wrt),
    }),
  },
  where_tangent_dropped: {
    fault: "An inner forward derivative gives where no tangent.",
    change: nested({
      rule: (applied, mode, wrt) =>
        mode === "jvp" && applied.node.op === "where" ? zeroRule(applied, mode) : ruleOf(applied, mode, wrt),
    }),
  },
  exponent_constant: {
    fault: "An inner derivative gives the exponent of a power nothing.",
    source: "C08",
    change: nested({
      rule: (applied, mode, wrt) =>
        applied.node.op === "pow" && wrt.length === 1 && wrt[0] === 1
          ? zeroRule(applied, mode)
          : ruleOf(applied, mode, wrt),
    }),
  },

  // These concern what is asked.
  first_input_for_wrt: {
    fault: "An inner derivative is taken with respect to the first input of the shape asked for.",
    change: nested({ asked: (attributes, turn) => ({ ...attributes, wrt: alike(turn, false) }) }),
  },
  last_input_for_wrt: {
    fault: "An inner derivative is taken with respect to the last input of the shape asked for.",
    change: nested({ asked: (attributes, turn) => ({ ...attributes, wrt: alike(turn, true) }) }),
  },
  last_value_for_of: {
    fault: "An inner forward derivative is taken of the last value that has its shape.",
    change: nested({
      asked: (attributes) => {
        const { graph, of, mode } = attributes;
        const shapes = shapesOf(graph);
        const last = shapes.findLastIndex((shape) => isSameShape(shape, shapes[of] ?? []));
        return mode === "jvp" ? { ...attributes, of: nodeId(last) } : attributes;
      },
    }),
  },
  seed_of_ones_within: {
    fault: "An inner reverse derivative pulls back ones, whatever it is given.",
    source: "A17",
    change: nested({
      given: (given, { level, engine }) => (isTape(level) ? engine.full(shapeOf(given), 1) : given),
    }),
  },
  unread_gives_the_seed: {
    fault: "Where the value does not depend on the input, an inner derivative is what it was given.",
    source: "A15",
    change: nested({
      leaving(found, { attributes, operands, level }) {
        const given = operands.at(-1);
        const point = operands[attributes.wrt];
        if (found !== undefined || given === undefined || point === undefined) return found;
        return isSameShape(shapeOf(given), shapeOf(point)) ? lowered(given, level) : found;
      },
    }),
  },
});
