import { type Nest, walksOf } from "./nest.ts";
import { type Node, nodesOf } from "./nodes.ts";
import type { Scheduled } from "./pack.ts";

/** Returns a text that is equal for nests that differ only in the bases of their walks. Cost: linear. */
export function likenessOf({ nest, schedule }: Scheduled): string {
  const { list, root } = nodesOf(nest);
  const walks = walksOf(nest).map(({ strides }) => strides.join());
  const scales = [nest.target, ...nest.reads].map(({ lookups }) => lookups.map(({ scale }) => scale).join());
  const parts = [nest.combination, nest.over, nest.extents.join(), walks.join(";"), scales.join(";"), root];
  const walked = [schedule.order.join(), schedule.vector, schedule.copies.join(), schedule.isOrdered];
  return [...parts, ...walked, ...list.map((node) => textOf(node, nest))].join("|");
}

function textOf({ operation }: Node, nest: Nest): string {
  switch (operation.kind) {
    case "literal":
      return Object.is(operation.value, -0) ? "-0" : String(operation.value);
    case "read":
      return `r${operation.read}:${operation.lookups.join()}`;
    case "lookup":
      return `l${nest.reads.indexOf(operation.place)}:${operation.lookup}`;
    case "mask":
      return `${operation.relation}:${operation.operands.join()}`;
    case "indicator":
      return `i${operation.mask}`;
    case "select":
      return `s${operation.mask}:${operation.operands.join()}`;
    case "apply":
      return `${operation.function}:${operation.operands.join()}`;
  }
}
