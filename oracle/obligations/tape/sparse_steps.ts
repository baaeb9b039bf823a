import { backward, backwardDenseFrom, type Tape, type TapeNode } from "../../../reference/index.ts";
import { type Additive, InvariantError, ok, present } from "../../../spec/shapes/index.ts";
import { type OperationTable, tableOfAsked } from "../finite.ts";
import type { Execution, Model } from "../obligation.ts";

/** Where both loops stand before a node: what they hold for it, and in the slot of its parent. The sparse one may hold nothing. */
interface Stand {
  readonly dense: string;
  readonly slotDense: string;
  readonly sparse: string | undefined;
  readonly slotSparse: string | undefined;
}

/** Operations of a model: a sum with a zero, and what the node makes of a cotangent. */
interface Operations extends Additive<string> {
  pull(cotangent: string): string;
}

/** The operations as the table says them, where a law does not say otherwise. Throws {@link InvariantError} where neither says anything. */
function operationsOf(table: OperationTable, law: Law = () => undefined): Operations {
  const zero = elementOf(table, "zero");
  const operation =
    (operator: string) =>
    (...operands: readonly string[]): string =>
      present(law(zero, operator, operands) ?? table.result(operator, operands), `${operator} ${operands}`);
  return { zero, add: operation("add"), pull: operation("pull"), detach: (x) => x };
}

/** What an operation has to be, if the law says so. */
type Law = (zero: string, operator: string, operands: readonly string[]) => string | undefined;

function elementOf(table: OperationTable, name: string): string {
  return present(table.element(name), `what the model says of ${name}`);
}

/** The parent's slot after the node, in the dense loop and in the sparse one, where no entry is zero: both loops are those that run. */
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
  // The last node hands out what the sparse loop stands with.
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

/** What the obligation about contributions asks a model for. */
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
 * Runs both loops over the algebra that a model is, from where it says that they stand, both visiting the node: there they differ. From
 * where the hypotheses allow them to stand, with the law that they state, they agree.
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

/** What the obligation about nodes that are passed over asks a model for. */
export const askedOfSkipped: readonly string[] = [
  "zero",
  "dense",
  "slot",
  "(pull dense)",
  "(add slot (pull dense))",
];

/** The same where the sparse loop passes over the node: with zero upstream, and the laws, the dense one leaves the slot as it is too. */
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
