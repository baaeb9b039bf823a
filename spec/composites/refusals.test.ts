import { describe, expect, test } from "vitest";
import { checkGraph } from "../documents/check.ts";
import { shapesOf } from "../expansion/expand.ts";
import { formatIssue } from "../shapes/result.ts";
import type { Shape } from "../shapes/shape.ts";
import { type CompositeAttributes, type CompositeName, compositeNames } from "./table.ts";

/** Attributes and operands, and the value's shape, or the code and a telling part of the refusal. */
type Example<K extends CompositeName> = readonly [
  CompositeAttributes[K],
  readonly Shape[],
  Shape | readonly [code: string, part: string],
];

const square: Shape = [2, 2];

const reduction = (empty: Shape | readonly [string, string]): readonly Example<"mean">[] => [
  [{ axes: [0], keepdims: false }, [[2, 3]], [3]],
  [{ axes: [2, 0], keepdims: true }, [[2, 3, 4]], [1, 3, 1]],
  [{ axes: [], keepdims: false }, [[2, 3]], [2, 3]],
  [{ axes: [1, 0], keepdims: false }, [[2, 3]], []],
  [{ axes: [1], keepdims: false }, [[0, 3]], [0]],
  [{ axes: [0], keepdims: true }, [[0, 3]], empty],
  [{ axes: [2], keepdims: false }, [[2, 3]], ["shape/axis", "no axis 2"]],
  [{ axes: [0, 0], keepdims: false }, [[2, 3]], ["shape/axis-twice", "named twice"]],
];

/** The examples say what each operator makes of shapes, at their edges too. */
const examples: { readonly [K in CompositeName]?: readonly Example<K>[] } = {
  mean: reduction([1, 3]),
  prod: reduction([1, 3]),
  max: reduction(["shape/empty", "no element"]),
  min: reduction(["shape/empty", "no element"]),
  logsumexp: reduction([1, 3]),
  norm: reduction([1, 3]),
  var: [
    [{ axes: [1], keepdims: false, correction: 1 }, [[2, 3]], [2]],
    [{ axes: [0], keepdims: true, correction: 0.5 }, [[0]], [1]],
    [{ axes: [2], keepdims: false, correction: 1 }, [[2, 3]], ["shape/axis", "no axis 2"]],
    [{ axes: [1], keepdims: false, correction: -1 }, [[2, 3]], ["schema/", "less than 0"]],
  ],
  cumulative_prod: [
    [{ axis: 1 }, [[2, 3]], [2, 3]],
    [{ axis: 0 }, [[0]], [0]],
    [{ axis: 0 }, [[]], ["shape/axis", "no axis 0"]],
  ],
  argmax: [
    [{ axis: 0, keepdims: false }, [[2, 3]], [3]],
    [{ axis: 1, keepdims: true }, [[2, 3]], [2, 1]],
    [{ axis: 1, keepdims: true }, [[2, 0]], ["shape/empty", "no element"]],
    [{ axis: 2, keepdims: true }, [[2, 0]], ["shape/axis", "no axis 2"]],
  ],
  stack: [
    [{ axis: 0 }, [[2, 3]], [1, 2, 3]],
    [{ axis: 2 }, [square, square, square], [2, 2, 3]],
    [{ axis: 0 }, [[], []], [2]],
    [{ axis: 3 }, [square, square], ["shape/axis", "no axis 3"]],
    [{ axis: 0 }, [[2], [1]], ["shape/mismatch", "[2] and [1]"]],
  ],
  split: [
    [{ axis: 1, sections: 3, part: 2 }, [[2, 6]], [2, 2]],
    [{ axis: 0, sections: 3, part: 2 }, [[0]], [0]],
    [{ axis: 1, sections: 4, part: 0 }, [[2, 6]], ["shape/mismatch", "no 4 equal parts"]],
    [{ axis: 1, sections: 3, part: 3 }, [[2, 6]], ["shape/part", "no part 3 of 3"]],
    [{ axis: 2, sections: 3, part: 0 }, [[2, 6]], ["shape/axis", "no axis 2"]],
    [{ axis: 1, sections: 0, part: 0 }, [[2, 6]], ["schema/", "less than 1"]],
  ],
  flip: [
    [{ axes: [0, 1] }, [[2, 0]], [2, 0]],
    [{ axes: [1, 1] }, [[2, 0]], ["shape/axis-twice", "named twice"]],
  ],
  roll: [
    [{ shift: -7, axis: 0 }, [[0, 2]], [0, 2]],
    [{ shift: 1, axis: 1 }, [[2]], ["shape/axis", "no axis 1"]],
  ],
  tile: [
    [{ repetitions: [2] }, [[3, 2]], [3, 4]],
    [{ repetitions: [2, 1, 2] }, [[3]], [2, 1, 6]],
    [{ repetitions: [0] }, [[3]], [0]],
    [{ repetitions: [] }, [[]], []],
    [{ repetitions: [2 ** 40] }, [[3]], ["shape/too-large", "elements"]],
  ],
  one_hot: [
    [{ indices: "i", classes: 3 }, [], [4, 3]],
    [{ indices: "grid", classes: 3 }, [], ["graph/environment", "rank 1"]],
    [{ indices: "none", classes: 3 }, [], ["graph/environment", "kind index"]],
    [{ indices: "c", classes: 3 }, [], ["graph/environment", "kind index"]],
  ],
  diagonal: [
    [{ offset: 0 }, [[5, 2, 3]], [5, 2]],
    [{ offset: 2 }, [[2, 3]], [1]],
    [{ offset: -9 }, [[2, 3]], [0]],
    [{ offset: 0 }, [[0, 3]], [0]],
    [{ offset: 0 }, [[3]], ["shape/rank", "fewer than two axes"]],
  ],
  tril: [
    [{ offset: 2 ** 50 }, [[5, 2, 3]], [5, 2, 3]],
    [{ offset: 0 }, [[0, 0]], [0, 0]],
    [{ offset: 0 }, [[3]], ["shape/rank", "fewer than two axes"]],
  ],
  triu: [
    [{ offset: -(2 ** 50) }, [[5, 2, 3]], [5, 2, 3]],
    [{ offset: 0 }, [[]], ["shape/rank", "fewer than two axes"]],
  ],
  sort: [
    [{ axis: 0, descending: true }, [[0, 2]], [0, 2]],
    [{ axis: 1, descending: true }, [[3, 5]], [3, 5]],
    [{ axis: 2, descending: true }, [[3, 5]], ["shape/axis", "no axis 2"]],
    [{ axis: 0, descending: true }, [[2000]], ["graph/expansion", "primitive nodes"]],
  ],
  top_k: [
    [{ axis: 1, k: 2 }, [[2, 3]], [2, 2]],
    [{ axis: 1, k: 0 }, [[2, 3]], [2, 0]],
    [{ axis: 1, k: 4 }, [[2, 3]], ["shape/extent", "no 4 largest of 3"]],
    [{ axis: 2, k: 1 }, [[2, 3]], ["shape/axis", "no axis 2"]],
  ],
  vecdot: [
    [{ axis: 0 }, [square, square], [2]],
    [{ axis: 0 }, [[0], [0]], []],
    [{ axis: 1 }, [[2], [2]], ["shape/axis", "no axis 1"]],
    [{ axis: 0 }, [[2], [1]], ["shape/mismatch", "[2] and [1]"]],
  ],
  outer: [
    [{}, [[2], [0]], [2, 0]],
    [{}, [[2], square], ["shape/rank", "no vector"]],
  ],
  einsum: [
    [
      { equation: "bij,bjk->kbi" },
      [
        [5, 2, 3],
        [5, 3, 4],
      ],
      [4, 5, 2],
    ],
    [{ equation: "iji->j" }, [[2, 3, 2]], [3]],
    [{ equation: "iii->i" }, [[2, 2, 2]], [2]],
    [{ equation: "i,j,k->" }, [[2], [0], [3]], []],
    [{ equation: ",->" }, [[], []], []],
    [{ equation: "ij,jk->ik" }, [square], ["einsum/operands", "has 2 operands, and the node 1"]],
    [{ equation: "ij->i" }, [[2, 2, 2]], ["einsum/rank", "ij names the axes of [2,2,2]"]],
    [
      { equation: "ij,jk->ik" },
      [
        [2, 3],
        [2, 3],
      ],
      ["einsum/extent", "j is an axis of extent 3 and one of 2"],
    ],
    [{ equation: "ii->i" }, [[2, 3]], ["einsum/extent", "i is an axis of extent 2 and one of 3"]],
    [{ equation: "ij->ik" }, [square], ["einsum/result", "no operand has an axis k"]],
    [{ equation: "ij->ii" }, [square], ["einsum/result", "names i twice"]],
    [{ equation: "ij,jk" }, [square, square], ["schema/", "pattern"]],
    [{ equation: "...i->i" }, [square], ["schema/", "pattern"]],
  ],
  trace: [
    [{ offset: 0 }, [[5, 2, 3]], [5]],
    [{ offset: 0 }, [[5]], ["shape/rank", "fewer than two axes"]],
  ],
  inv: [
    [{}, [[5, 3, 3]], [5, 3, 3]],
    [{}, [[0, 0]], [0, 0]],
    [{}, [[2, 3]], ["shape/mismatch", "not square"]],
    [{}, [[3]], ["shape/rank", "fewer than two axes"]],
    [{}, [[9, 9]], ["shape/too-large", "rows"]],
  ],
  cholesky: [
    [{ upper: true }, [[5, 3, 3]], [5, 3, 3]],
    [{ upper: false }, [[2, 0, 0]], [2, 0, 0]],
    [{ upper: false }, [[2, 3]], ["shape/mismatch", "not square"]],
  ],
  triangular_solve: [
    [
      { upper: true },
      [
        [5, 3, 3],
        [5, 3, 0],
      ],
      [5, 3, 0],
    ],
    [
      { upper: true },
      [
        [0, 0],
        [0, 2],
      ],
      [0, 2],
    ],
    [{ upper: true }, [[3, 3], [3]], ["shape/mismatch", "no system"]],
    [{ upper: true }, [[3, 2], [3]], ["shape/mismatch", "not square"]],
    [
      { upper: true },
      [
        [5, 3, 3],
        [3, 2],
      ],
      ["shape/mismatch", "no system"],
    ],
  ],
};

/** Returns the shape of one node's value, or what is said against it, `code: message`. */
function outcome(op: CompositeName, attributes: object, operands: readonly Shape[]): Shape | string {
  const graph = checkGraph({
    format: "adjudge.graph.v1",
    inputs: operands.map((shape, place) => ({ name: `x${place}`, shape })),
    environment: [
      { name: "i", shape: [4], kind: "index" },
      { name: "grid", shape: [2, 2], kind: "index" },
      { name: "c", shape: [4], kind: "real" },
    ],
    nodes: [{ op, attributes, parents: operands.map((_, place) => place) }],
  });
  if (!graph.ok) return graph.error.map(formatIssue).join("; ");
  return shapesOf(graph.value).at(-1) ?? [];
}

describe.each(compositeNames.filter((op) => examples[op] !== undefined))("%s", (op) => {
  const own: readonly Example<CompositeName>[] = examples[op] ?? [];
  test.each(own)("of %j and %j is %j", (attributes, operands, wanted) => {
    const found = outcome(op, attributes, operands);
    const [code, part] = wanted;
    if (typeof code !== "string" || typeof part !== "string") {
      expect(found).toEqual(wanted);
      return;
    }
    expect(found).toContain(code);
    expect(found).toContain(part);
  });
});
