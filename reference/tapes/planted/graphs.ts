import { derive, deriveByTransposition } from "../../../spec/expansion/index.ts";
import { at, type NodeId, ok } from "../../../spec/shapes/index.ts";
import type { NodeData } from "../../graph.ts";
import { zeros } from "../../tensor.ts";
import { withoutTape } from "../derived.ts";
import { leadsSomewhere, prunedTape } from "../pruned.ts";
import { keepInputs } from "../recomputing.ts";
import { rulesOnNeeds, rulesOnOperands } from "../reverse.ts";
import { asItIs, type Save, saving } from "../saving.ts";
import { propertiesOfFields, type Simplification } from "../simplifications.ts";
import { type Taking, type TapeSystem, tapeSystem } from "../system.ts";
import { planted, type TapeMutant } from "./mutant.ts";

/** Makes a simplification that is none: what it hands on is what it is given. */
function handingOn(op: string): Simplification {
  return {
    name: op,
    needs: "none",
    rule: ({ graph }, index) => {
      const node = at(graph.nodes, index);
      const [parent] = node.parents;
      if (node.op !== op || parent === undefined) return undefined;
      return { reads: [], pull: (_context, _environment, c) => new Map([[parent, c]]) };
    },
  };
}

function handingNothing(op: string): Simplification {
  return {
    name: op,
    needs: "none",
    rule: ({ graph }, index) =>
      at(graph.nodes, index).op === op ? { reads: [], pull: () => new Map() } : undefined,
  };
}

const simplifying = (simplification: Simplification): TapeSystem =>
  prunedTape(propertiesOfFields, { simplifications: [simplification] });

/** Says for each node whether at most one node reads it. */
function isReadOnce<S>({ subject }: Taking<S>): readonly boolean[] {
  const readers = subject.shapes.map(() => 0);
  for (const { reads } of subject.data.nodes)
    for (const id of new Set(reads)) readers[id] = at(readers, id) + 1;
  return readers.slice(subject.data.inputs.length).map((count) => count < 2);
}

/** Says for each node whether inputs lead to all that it reads. */
function dependsWholly<S>({ subject: { data } }: Taking<S>): readonly boolean[] {
  const depends = data.inputs.map(() => true);
  for (const { reads } of data.nodes)
    depends.push(reads.length > 0 && reads.every((id) => depends[id] === true));
  return depends.slice(data.inputs.length);
}

/** It does not save values that no cotangent reaches, such as conditions: it reads zeros there. */
const branchForgotten: TapeSystem = tapeSystem({
  name: "pruned",
  summary: "",
  claim: "exact",
  keep: (taking) => {
    const { data, additive } = taking.subject;
    const save: Save<typeof additive.zero> = (id, value) => {
      const op = data.nodes[id - data.inputs.length]?.name;
      const kept = op === "less" || op === "equal" ? zeros(additive, value.shape) : value;
      return { id, read: () => kept };
    };
    return ok(saving(taking, rulesOnOperands(taking.subject), save));
  },
});

/** A rule that reads a node's own value is given its first operand where the shapes allow it. */
const outputForInput: TapeSystem = tapeSystem({
  name: "output-saving",
  summary: "",
  claim: "exact",
  keep: (taking) => {
    const rules = rulesOnNeeds(taking.subject);
    if (!rules.ok) return rules;
    const { data } = taking.subject;
    const kept = new Map<NodeId, ReturnType<Save<typeof taking.subject.additive.zero>>>();
    const save = asItIs(taking);
    return ok(
      saving(taking, rules.value, (id, value) => {
        const first = data.nodes[id - data.inputs.length]?.reads[0];
        const before = first === undefined ? undefined : kept.get(first);
        const own = save(id, value);
        kept.set(id, own);
        return before?.read().shape.join() === value.shape.join()
          ? { id, read: () => before?.read() ?? value }
          : own;
      }),
    );
  },
});

/** The recomputing tape, masks being drawn anew whenever they are computed again. */
const drawingAgain: TapeSystem = tapeSystem({
  name: "recomputing",
  summary: "",
  keep: (taking) => {
    const { subject } = taking;
    const nodes = subject.data.nodes.map((node) => (node.name === "bernoulli_mask" ? redrawn(node) : node));
    return keepInputs({ ...taking, subject: { ...subject, data: { ...subject.data, nodes } } });
  },
});

function redrawn<S>(node: NodeData<S>): NodeData<S> {
  let times = 0;
  return {
    ...node,
    forward: (context, environment) => {
      const mask = node.forward(context, environment);
      times += 1;
      return times === 1 ? mask : { shape: mask.shape, data: mask.data.toReversed() };
    },
  };
}

/** Faults in what is left out, and in graphs that take the place of tapes. */
export const graphMutants: readonly TapeMutant[] = [
  planted(simplifying(handingOn("multiply")), "factor-forgotten", "takes every factor for 1"),
  planted(
    simplifying(handingNothing("subtract")),
    "difference-forgotten",
    "takes every difference for x − x",
  ),
  planted(simplifying(handingOn("negative")), "sign-forgotten", "takes a negation for a copy"),
  planted(simplifying(handingOn("sum")), "shape-forgotten", "takes a sum for a copy"),
  planted(simplifying(handingOn("add")), "addend-forgotten", "takes a sum of two for a copy of the first"),
  planted(
    prunedTape(propertiesOfFields, { stays: isReadOnce }),
    "shared-pruned",
    "prunes what is read more than once",
  ),
  planted(
    prunedTape(propertiesOfFields, {
      stays: (taking, rules) => leadsSomewhere({ ...taking, of: taking.of.slice(-1) }, rules),
    }),
    "one-seed",
    "prunes what leads to another seed than the last",
  ),
  planted(
    prunedTape(propertiesOfFields, {
      stays: (taking, rules) => leadsSomewhere(taking, rules).map((stays, index) => stays && index > 0),
    }),
    "first-pruned",
    "prunes the first node",
  ),
  planted(
    prunedTape(propertiesOfFields, {
      stays: (taking, rules) => {
        const wholly = dependsWholly(taking);
        return leadsSomewhere(taking, rules).map((stays, index) => stays && wholly[index] === true);
      },
    }),
    "constant-operand",
    "prunes what reads a constant",
  ),
  planted(branchForgotten, "branch-forgotten", "prunes the condition that a branch needs"),
  planted(outputForInput, "output-for-input", "keeps an operand where the rule reads the value"),
  planted(drawingAgain, "mask-redrawn", "draws a mask anew when it computes it again"),
  planted(
    withoutTape("derived", "", "all", (graph, of, wrt) =>
      derive(graph, { mode: "vjp", of: of.toReversed(), wrt }),
    ),
    "seeds-exchanged",
    "gives the derived graph its seeds last first",
  ),
  planted(
    withoutTape("derived", "", "all", (graph, of, wrt) =>
      derive(graph, { mode: "vjp", of, wrt: wrt.toReversed() }),
    ),
    "results-exchanged",
    "reads its results last first",
  ),
  planted(
    withoutTape("transposed", "", "inputs", (graph, of, wrt) =>
      deriveByTransposition(graph, { of, wrt: wrt.map((id, n) => wrt[n - 1] ?? id) }),
    ),
    "input-for-input",
    "turns round the linear part of the input before",
  ),
];
