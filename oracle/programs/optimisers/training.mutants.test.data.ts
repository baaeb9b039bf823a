import { byGradientDescent, training } from "../../../reference/package.ts";
import type { Statement } from "../../../spec/index.ts";
import {
  applied,
  copy,
  isLet,
  isUpdate,
  number,
  type OptimiserMutant,
  operandOf,
  renamed,
  replaced,
  rewritten,
} from "./edits.test.kit.ts";

function dropping(isDropped: (statement: Statement) => boolean): OptimiserMutant["edit"] {
  return (program) => replaced(program, (statement) => (isDropped(statement) ? [] : [statement]));
}

/** Wrong ways of groups, tied and absent parameters, micro-batches, clipping and loss scales. */
export const trainingMutants: readonly OptimiserMutant[] = [
  {
    name: "groups-share-a-count",
    fault: "Two groups advance one count of steps.",
    of: "groups",
    edit: (program) => {
      const shared = new Map([
        ["b.p1", "w.p1"],
        ["b.p2", "w.p2"],
      ]);
      return replaced(program, (statement) => [renamed(statement, shared)]);
    },
  },
  {
    name: "absent-is-stepped",
    fault: "A parameter without a gradient is stepped with what lies there.",
    of: "groups, and gradients that are absent",
    edit: (program) =>
      replaced(program, (statement) => (statement.do === "if" ? statement.body : [statement])),
  },
  {
    name: "tied-twice",
    fault: "A tied parameter is updated for each of its uses.",
    of: "a tied parameter",
    edit: (program) =>
      rewritten(program, ([sum, ...body]) => {
        if (sum?.do !== "let") return body;
        const end = body.findIndex((statement) => statement.do === "update" && statement.to === "w") + 1;
        const own = body.slice(0, end);
        const first = own.map((statement) => renamed(statement, new Map([[sum.name, "w.gradient1"]])));
        const names = own.flatMap((statement) => (statement.do === "let" ? [statement.name] : []));
        const again = new Map([
          ...names.map((name) => [name, `${name} again`] as const),
          [sum.name, "w.gradient2"],
        ]);
        return [...first, ...own.map((statement) => renamed(statement, again, true)), ...body.slice(end)];
      }),
  },
  {
    name: "mean-of-means",
    fault: "Micro-batches of unequal sizes are averaged as if they were equal.",
    of: "micro-batches of unequal sizes",
    edit: (program) => {
      const sizes = new Set<string>();
      return replaced(program, (statement) => {
        if (isUpdate(statement, "seen", "add"))
          return [number("planted one", 1), { do: "update", to: "seen", op: "add", from: "planted one" }];
        if (!isLet(statement, "broadcast_to", "size")) return [statement];
        sizes.add(statement.name);
        return [number(statement.name, 1, statement.attributes.shape)];
      });
    },
  },
  {
    name: "sum-for-mean",
    fault: "The sum over micro-batches is taken for their mean.",
    of: "micro-batches that are averaged",
    edit: (program) =>
      replaced(program, (statement) =>
        isLet(statement, "broadcast_to", "seen")
          ? [number(statement.name, 1, statement.attributes.shape)]
          : [statement],
      ),
  },
  {
    name: "sums-not-zeroed",
    fault: "What was gathered stays after the step.",
    of: "micro-batches that are summed",
    edit: dropping((statement) => statement.do === "write" && statement.to.endsWith(".sum")),
  },
  {
    name: "count-not-zeroed",
    fault: "The count of micro-batches goes on after the step.",
    of: "micro-batches that are averaged",
    edit: dropping((statement) => statement.do === "write" && statement.to === "seen"),
  },
  {
    name: "clip-per-tensor",
    fault: "Each gradient is clipped to the limit by itself.",
    of: "clipping by the global norm",
    edit: () => {
      const parameters = [
        { name: "w", shape: [3] },
        { name: "b", shape: [2] },
      ];
      return training([{ name: "all", rule: byGradientDescent(), parameters }], { clipping: "ownNorm" });
    },
  },
  {
    name: "clip-by-the-square",
    fault: "The limit is compared with the square of the norm.",
    of: "clipping by the global norm",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "sqrt") ? copy(statement.name, operandOf(statement, 0), []) : statement,
      ]),
  },
  {
    name: "clip-lengthens",
    fault: "Gradients below the limit are lengthened to it.",
    of: "clipping by the padded norm",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "minimum") ? copy(statement.name, operandOf(statement, 0), []) : statement,
      ]),
  },
  {
    name: "clip-above-alone",
    fault: "Elements are clipped from above alone.",
    of: "clipping by value",
    edit: (program) =>
      replaced(program, (statement) => [
        isLet(statement, "maximum")
          ? applied(statement.name, "minimum", operandOf(statement, 0), operandOf(statement, 0))
          : statement,
      ]),
  },
  {
    name: "clip-before-unscale",
    fault: "Gradients are clipped while the loss scale is still in them.",
    of: "a scaled loss that is clipped",
    edit: (program) => {
      const scaled = new Map<string, readonly [string, string]>();
      return replaced(program, (statement) => {
        if (isLet(statement, "divide")) {
          scaled.set(statement.name, [operandOf(statement, 0), operandOf(statement, 1)]);
          return [];
        }
        const first = statement.do === "let" ? scaled.get(statement.operands[0] ?? "") : undefined;
        if (first === undefined) return [statement];
        const [gradient, scale] = first;
        if (isLet(statement, "minimum")) {
          scaled.set(statement.name, [statement.name, scale]);
          return [applied(statement.name, "minimum", gradient, operandOf(statement, 1))];
        }
        if (!isLet(statement, "maximum")) return [statement];
        const clipped = `${statement.name} scaled`;
        return [
          applied(clipped, "maximum", ...statement.operands),
          applied(statement.name, "divide", clipped, scale),
        ];
      });
    },
  },
  {
    name: "scale-not-undone",
    fault: "The loss scale stays in the gradients.",
    of: "a scaled loss that is clipped",
    edit: (program) =>
      replaced(program, (statement) =>
        isLet(statement, "broadcast_to", "scale")
          ? [number(statement.name, 1, statement.attributes.shape)]
          : [statement],
      ),
  },
];
