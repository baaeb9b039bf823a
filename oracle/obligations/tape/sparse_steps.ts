import { backward, backwardDenseFrom, type Tape, type TapeNode } from "../../../reference/index.ts";
import { type Additive, InvariantError, ok, present } from "../../../spec/shapes/index.ts";
import { type OperationTable, tableOfAsked } from "../finite.ts";
import type { Execution, Model } from "../obligation.ts";

/** Before a node both loops hold a cotangent for it and its parent; the sparse one may hold none. */
interface Stand {
  readonly dense: string;
  readonly slotDense: string;
  readonly sparse: string | undefined;
  readonly slotSparse: string | undefined;
}

/** A model's operations are a sum with a zero, and what the node makes of a cotangent. */
interface Operations extends Additive<string> {
  pull(cotangent: string): string;
}

/** Takes operations from the law, else from the table. Throws {@link InvariantError} if neither has them. */
function operationsOf(table: OperationTable, law: Law = () => undefined): Operations {
  const zero = elementOf(table, "zero");
  const operation =
    (operator: string) =>
    (...operands: readonly string[]): string =>
      present(law(zero, operator, operands) ?? table.result(operator, operands), `${operator} ${operands}`);
  return { zero, add: operation("add"), pull: operation("pull"), detach: (x) => x };
}

/** A law fixes some results of operations. */
type Law = (zero: string, operator: string, operands: readonly string[]) => string | undefined;

function elementOf(table: OperationTable, name: string): string {
  return present(table.element(name), `what the model says of ${name}`);
}

/** Returns the parent's slot after the node, in both real loops, where a missing entry is zero. */
function slotsAfter(
  a: Operations,
  { dense, slotDense, sparse, slotSparse }: Stand,
): { readonly dense: string; readonly sparse: string } {
  const scalar = (x: string) => ({ shape: [], data: [x] });
  const gives = (name: string, parents: readonly number[], given: (c: string) => readonly string[]) =>
    ({
      name,
      value: scalar(a.zero),
      requiresGrad: true,
      parents,
      backward: ({ data }) =>
        ok(
          given(present(data[0], "a scalar")).map((x, place) => ({
            parent: present(parents[place], "a parent"),
            cotangent: scalar(x),
          })),
        ),
    }) satisfies TapeNode<string>;
  // The last node hands out what the sparse loop holds.
  const held = [slotSparse, sparse].flatMap((x, id) => (x === undefined ? [] : [[id, x] as const]));
  const tape: Tape<string> = [
    gives("parent", [], () => []),
    gives("node", [0], (c) => [a.pull(c)]),
    gives(
      "later",
      held.map(([id]) => id),
      () => held.map(([, x]) => x),
    ),
  ];
  const ofDense = backwardDenseFrom(a, tape.slice(0, 2), [slotDense, dense].map(scalar));
  const ofSparse = backward(a, tape, 2, scalar(a.zero));
  if (!ofDense.ok || !ofSparse.ok) throw new InvariantError("the loops run");
  return {
    dense: present(ofDense.value[0]?.data[0], "the parent's slot"),
    sparse: ofSparse.value.get(0)?.data[0] ?? a.zero,
  };
}

/** The obligation about contributions asks a model for these. */
export const askedOfContribution: readonly string[] = [
  "zero",
  "dense",
  "sparse",
  "slotDense",
  "slotSparse",
  "hasSlot",
  "(pull dense)",
  "(pull sparse)",
  "(add zero (pull sparse))",
  "(add slotDense (pull dense))",
  "(add slotSparse (pull sparse))",
];

/**
 * Runs both loops over a model's algebra, from the state it gives, both visiting the node: there they differ.
 * From a state that the hypotheses allow, under the law that they state, they agree.
 */
export function executeContribution(model: Model): Execution {
  const table = tableOfAsked(model, askedOfContribution);
  const [dense, sparse, slotDense, held] = ["dense", "sparse", "slotDense", "slotSparse"].map((name) =>
    elementOf(table, name),
  );
  const slotSparse = table.element("hasSlot") === "true" ? held : undefined;
  const stand = (of: { readonly dense: string; readonly slotDense: string }): Stand => ({
    ...of,
    sparse: present(sparse, "an upstream"),
    slotSparse,
  });
  const zero = elementOf(table, "zero");
  const leftUnit: Law = (unit, operator, [x, y]) => (operator === "add" && x === unit ? y : undefined);
  return told(
    slotsAfter(
      operationsOf(table, leftUnit),
      stand({ dense: present(sparse, "an upstream"), slotDense: slotSparse ?? zero }),
    ),
    slotsAfter(
      operationsOf(table),
      stand({ dense: present(dense, "an upstream"), slotDense: present(slotDense, "a slot") }),
    ),
  );
}

/** The obligation about skipped nodes asks a model for these. */
export const askedOfSkipped: readonly string[] = [
  "zero",
  "dense",
  "slot",
  "(pull dense)",
  "(add slot (pull dense))",
];

/** Runs the same where the sparse loop skips the node; with zero upstream and the laws nothing changes. */
export function executeSkipped(model: Model): Execution {
  const table = tableOfAsked(model, askedOfSkipped);
  const slot = elementOf(table, "slot");
  const stand = (dense: string): Stand => ({ dense, slotDense: slot, sparse: undefined, slotSparse: slot });
  const laws: Law = (zero, operator, [x, y]) => {
    if (operator === "pull" && x === zero) return zero;
    return operator === "add" && y === zero ? x : undefined;
  };
  return told(
    slotsAfter(operationsOf(table, laws), stand(elementOf(table, "zero"))),
    slotsAfter(operationsOf(table), stand(elementOf(table, "dense"))),
  );
}

function told(right: ReturnType<typeof slotsAfter>, wrong: ReturnType<typeof slotsAfter>): Execution {
  return {
    showsFault: right.dense === right.sparse && wrong.dense !== wrong.sparse,
    told: `over the model's algebra the slot is ${wrong.dense} in the dense loop and ${wrong.sparse} in the sparse one; as the hypotheses have it, ${right.dense} and ${right.sparse}`,
  };
}
