import {
  apply,
  type Expression,
  type Instruction,
  type Pass,
  type Read,
  type RewriteName,
  read,
  soundPasses,
} from "../../../engines/compile/plan/index.ts";
import type { Obligation } from "../obligation.ts";
import { type Identity, identityObligation } from "./identity.ts";
import { programOf, whole } from "./programs.ts";

const [x, y] = [read(0), read(1)];

function map(extent: number, reads: readonly Read[], expression: Expression): Instruction {
  return { kind: "map", shape: [extent], reads, expression };
}

/** Reads elements `offset`, `offset + stride`, …. */
function strided(value: number, offset: number, stride: number): Read {
  return { value, offset, strides: [stride], indirections: [] };
}

const negated = apply("negative", x);

/** These change only where and how often things are computed. */
const cases: readonly (readonly [rewrite: RewriteName, pass: Pass, identity: Identity])[] = [
  [
    "view_composition",
    soundPasses.view_composition,
    {
      name: "strided_view",
      statement: "What a loop moves is read where it came from",
      program: programOf([[6]], [map(3, [strided(0, 1, 2)], x), map(2, [strided(1, 1, 1)], negated)]),
      wrong: {
        name: "inner-offset-lost",
        fault: "the offset within the view is not scaled by its stride.",
        after: programOf([[6]], [map(2, [strided(0, 2, 2)], negated)]),
      },
    },
  ],
  [
    "map_fusion",
    soundPasses.map_fusion,
    {
      name: "one_reader",
      statement: "A map that one loop reads is computed inside that loop",
      program: programOf(
        [[3], [3]],
        [
          map(3, [whole(0, [3]), whole(1, [3])], apply("select", x, y, x)),
          map(2, [strided(2, 1, 1), strided(0, 0, 1)], apply("less", x, y)),
        ],
      ),
      wrong: {
        name: "offset-lost",
        fault: "the map is computed from its first element on.",
        after: programOf(
          [[3], [3]],
          [map(2, [strided(0, 0, 1), strided(1, 0, 1)], apply("less", apply("select", x, y, x), x))],
        ),
      },
    },
  ],
  [
    "fold_fusion",
    soundPasses.fold_fusion,
    {
      name: "maximum_of_map",
      statement: "A map that a fold reads is computed inside the fold",
      program: programOf(
        [[2]],
        [
          map(2, [whole(0, [2])], negated),
          {
            kind: "fold",
            operation: "maximum",
            shape: [],
            over: [2],
            reads: [strided(1, 0, 1)],
            expression: x,
          },
        ],
      ),
      wrong: {
        name: "applied-after-fold",
        fault: "the function is applied to the maximum and not to its terms.",
        after: programOf(
          [[2]],
          [
            {
              kind: "fold",
              operation: "maximum",
              shape: [],
              over: [2],
              reads: [strided(0, 0, 1)],
              expression: x,
            },
            { kind: "map", shape: [], reads: [{ ...strided(1, 0, 1), strides: [] }], expression: negated },
          ],
        ),
      },
    },
  ],
  [
    "dead_code",
    soundPasses.dead_code,
    {
      name: "unread",
      statement: "What no result depends on is not computed",
      program: programOf(
        [[2]],
        [map(2, [whole(0, [2])], apply("equal", x, x)), map(2, [whole(0, [2])], negated)],
        [2],
      ),
      wrong: {
        name: "results-not-renumbered",
        fault: "a result is the value that had its number before.",
        after: programOf([[2]], [map(2, [whole(0, [2])], apply("equal", x, x))]),
      },
    },
  ],
  [
    "common_subexpressions",
    soundPasses.common_subexpressions,
    {
      name: "equal_loops",
      statement: "Equal instructions are computed once",
      program: programOf(
        [[3]],
        [
          map(2, [strided(0, 1, 1)], negated),
          map(2, [strided(0, 1, 1)], negated),
          map(2, [whole(1, [2]), whole(2, [2])], apply("less", x, y)),
        ],
      ),
      wrong: {
        name: "offset-not-compared",
        fault: "two loops are one if they differ only in where they begin to read.",
        before: programOf(
          [[3]],
          [
            map(2, [strided(0, 1, 1)], negated),
            map(2, [strided(0, 0, 1)], negated),
            map(2, [whole(1, [2]), whole(2, [2])], apply("less", x, y)),
          ],
        ),
        after: programOf(
          [[3]],
          [map(2, [strided(0, 1, 1)], negated), map(2, [whole(1, [2]), whole(1, [2])], apply("less", x, y))],
        ),
      },
    },
  ],
];

/** States that passes that claim to be exact over any scalars keep the same uninterpreted terms. */
export function structuralObligations(): readonly Obligation[] {
  return cases.map(([rewrite, pass, identity]) =>
    identityObligation(identity, {
      rewrite,
      pass,
      format: "float16",
      rlimit: 20_000_000,
      isStructural: true,
    }),
  );
}
