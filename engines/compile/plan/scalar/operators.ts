import type { OperatorName } from "../../../../spec/composites/index.ts";
import type { Node } from "../../../../spec/graph/index.ts";
import { isPrimitiveName } from "../../../../spec/operators/index.ts";
import { apply, literal, read } from "../expression.ts";
import { isPointwiseName, type PointwiseName, type PointwiseRule, pointwiseRules } from "../rules/index.ts";

/** A node of a scalar graph computes a pointwise primitive, or what another one is on scalars. */
export type ScalarName = PointwiseName | "copy" | "sum" | "repeat";

/** Each operator is computed and differentiated by its rule. */
export const scalarRules: { readonly [K in ScalarName]: PointwiseRule } = {
  ...pointwiseRules,
  /** This is `reshape` or `permute_dims` from `[]` to `[]`. */
  copy: { arity: 1, forward: ({ x }) => x, push: (_, { xDot }) => xDot, pull: (_, c) => [c] },
  /** A sum over no axis begins with +0 all the same. */
  sum: {
    arity: 1,
    forward: ({ x }) => apply("add", x, literal(0)),
    push: (_, { xDot }) => apply("add", xDot, literal(0)),
    pull: (_, c) => [c],
  },
  /** This is `broadcast_to` from `[]` to `[]`: its cotangent is a sum, which begins with +0. */
  repeat: {
    arity: 1,
    forward: ({ x }) => x,
    push: (_, { xDot }) => xDot,
    pull: (_, c) => [apply("add", c, literal(0))],
  },
};

/** The codes of leaves, and that of the first operator. */
export const scalarCodes: {
  readonly input: 0;
  readonly constant: 1;
  readonly literal: 2;
  readonly firstOperator: 3;
} = { input: 0, constant: 1, literal: 2, firstOperator: 3 };

/** The operators by number, from `scalarCodes.firstOperator` on. */
export const scalarNames: readonly ScalarName[] = Object.keys(scalarRules).filter(isScalarName);

function isScalarName(name: string): name is ScalarName {
  return Object.hasOwn(scalarRules, name);
}

/** The code of each operator. */
export const codeOf: ReadonlyMap<ScalarName, number> = new Map(
  scalarNames.map((name, n) => [name, scalarCodes.firstOperator + n]),
);

/** The code of `copy`. */
export const copyCode: number = scalarCodes.firstOperator + scalarNames.indexOf("copy");

/** Makes a table of bytes by the codes of operators; 0 for a leaf. */
function byCode(byteOf: (name: ScalarName) => number): Uint8Array {
  return Uint8Array.from({ length: scalarCodes.firstOperator + scalarNames.length }, (_, code) => {
    const name = scalarNames[code - scalarCodes.firstOperator];
    return name === undefined ? 0 : byteOf(name);
  });
}

const found: { receivers?: Uint8Array } = {};

/**
 * Returns by an operator's code a bit for each operand that receives a contribution. All rules run for it,
 * once, when a graph is first compiled: whoever loads the compiler does not wait for them.
 */
export function receiversOf(): Uint8Array {
  found.receivers ??= byCode((name) => {
    const [x, y, z, value, c] = [read(0), read(1), read(2), read(3), read(4)];
    return scalarRules[name]
      .pull({ x, y, z, value }, c)
      .reduce((mask, contribution, position) => mask | (contribution === undefined ? 0 : 1 << position), 0);
  });
  return found.receivers;
}

/** An operator's code maps to the number of operands. */
export const arityOf: Uint8Array = byCode((name) => scalarRules[name].arity);

/** Returns the operator of a node with operands of shape `[]`; `undefined` if its value has another shape. */
export function scalarNameOf(node: Node): ScalarName | undefined {
  switch (node.op) {
    case "reshape":
      return node.attributes.shape.length === 0 ? "copy" : undefined;
    case "broadcast_to":
      return node.attributes.shape.length === 0 ? "repeat" : undefined;
    case "permute_dims":
      return "copy";
    case "sum":
      return "sum";
    default:
      return isPrimitiveName(node.op) && isPointwiseName(node.op) ? node.op : undefined;
  }
}

/** The codes of primitives whose name alone determines them. */
export const codeOfPrimitive: ReadonlyMap<OperatorName, number> = new Map(
  scalarNames.flatMap((name) => {
    const code = codeOf.get(name);
    return name === "copy" || name === "sum" || name === "repeat" || code === undefined ? [] : [[name, code]];
  }),
);
