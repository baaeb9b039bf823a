import { type Applied, failureOf, mapped, shapeOf } from "./applying.ts";
import { between, divided, judged, type Lemma, within } from "./lemma.ts";

const matmulLemma: Lemma = {
  name: "reference/matmul",
  statement: "Every row of the one operand and column of the other that a product runs over is there",
  logic: "QF_NIA",
  subject: "matmul",
  symbols: ["p", "row", "column", "columns", "batch", "r", "rows", "batches", "k", "inner"],
  hypotheses: [
    { name: "row_and_column", formula: divided("p", "columns", "row", "column") },
    { name: "matrix", formula: divided("row", "rows", "batch", "r") },
    { name: "batch_there", formula: within("batch", "batches") },
    { name: "along", formula: within("k", "inner") },
  ],
  goal: `(and ${within("(+ (* row inner) k)", "(* batches rows inner)")} ${within("(+ (* (+ (* batch inner) k) columns) column)", "(* batches inner columns)")})`,
  dependsOn: ["reference/quotient"],
  metaArgument:
    "`batch_there` by reference/quotient, twice. The cotangents are products too, of transposed matrices. solve runs over its right sides in the same way.",
  mutants: [
    {
      name: "any-matrix",
      fault: "the result has more matrices than the operands.",
      without: "batch_there",
      small: `(and ${between(1, 3, "columns", "rows", "batches", "inner")} ${between(0, 99, "p")})`,
      execute: ({ rows = 0, columns = 0, inner = 0, batch = 0, batches = 0 }) => {
        const shapes = [
          [batches, rows, inner],
          [batches, inner, columns],
        ];
        const right: Applied<"matmul"> = { op: "matmul", attributes: {}, shapes };
        const cotangent = [batch + 1, rows, columns];
        // The product with more matrices is that of the cotangent and the second operand.
        const wrong = failureOf({
          ...right,
          shapes: [
            [batch + 1, rows, inner],
            [batches, inner, columns],
          ],
          cotangent,
        });
        return judged(failureOf(right), wrong, `matmul of ${batch + 1} matrices by ${batches}`);
      },
    },
    {
      name: "other-extent",
      fault: "the inner extents need not be equal.",
      without: "along",
      small: `(and ${between(1, 3, "columns", "rows", "batches", "inner")} ${between(0, 9, "k")} ${between(0, 99, "p")})`,
      execute: ({ rows = 0, columns = 0, inner = 0, batches = 0, k = 0 }) => {
        const shapes = [
          [batches, rows, k + 1],
          [batches, inner, columns],
        ];
        const wrong: Applied<"matmul"> = {
          op: "matmul",
          attributes: {},
          shapes,
          shape: [batches, rows, columns],
        };
        const right = shapeOf(wrong) === undefined ? undefined : "the shape rule accepts it";
        return judged(right, failureOf(wrong), `matmul over ${k + 1} and ${inner}`);
      },
    },
    {
      name: "by-rows",
      fault: "row and column are taken by the rows.",
      instead: [{ name: "row_and_column", formula: divided("p", "rows", "row", "column") }],
      small: `(and ${between(1, 3, "columns", "rows", "batches", "inner")} ${between(0, 99, "p")})`,
      execute: ({ column = 0, rows = 1, columns = 1, inner = 0, batches = 0, batch = 0, k = 0 }) => {
        const shapes = [
          [batches, rows, inner],
          [batches, inner, columns],
        ];
        const right = failureOf({ op: "matmul", attributes: {}, shapes });
        return mapped(right, [batches, inner, columns], (batch * inner + k) * columns + column, "matmul");
      },
    },
  ],
};

const transposeLemma: Lemma = {
  name: "reference/transpose",
  statement: "Every element of a transposed matrix is one of the matrix",
  logic: "QF_NIA",
  subject: "matmul",
  symbols: ["p", "matrix", "w", "matrices", "row", "column", "rows", "columns"],
  hypotheses: [
    {
      name: "in_matrix",
      formula: `(and ${divided("p", "(* rows columns)", "matrix", "w")} ${within("matrix", "matrices")})`,
    },
    {
      name: "place",
      formula: `(and ${divided("w", "rows", "column", "row")} ${within("column", "columns")})`,
    },
  ],
  goal: within("(+ (* matrix (* rows columns)) (+ (* row columns) column))", "(* matrices (* rows columns))"),
  dependsOn: ["reference/quotient"],
  metaArgument:
    "`matrix` and `column` by reference/quotient. The code takes the rest of p, not of w, by the rows: it is the same, since the size of a matrix is a multiple of them.",
  mutants: [
    {
      name: "not-transposed",
      fault: "row and column are taken by the columns.",
      instead: [{ name: "place", formula: divided("w", "columns", "column", "row") }],
      small: between(1, 4, "rows", "columns", "matrices"),
      execute: ({ w = 0, matrix = 0, matrices = 0, rows = 1, columns = 1 }) => {
        const shapes = [
          [matrices, rows, columns],
          [matrices, columns, 2],
        ];
        const right = failureOf({ op: "matmul", attributes: {}, shapes });
        const place = (w % columns) * columns + Math.floor(w / columns);
        return mapped(right, [matrices, rows, columns], matrix * rows * columns + place, "transpose");
      },
    },
    {
      name: "any-matrix",
      fault: "the matrix is anything.",
      instead: [{ name: "in_matrix", formula: divided("p", "(* rows columns)", "matrix", "w") }],
      small: `(and ${between(1, 4, "rows", "columns", "matrices")} ${between(-99, 99, "p")})`,
      execute: ({ w = 0, matrix = 0, matrices = 0, rows = 1, columns = 1 }) => {
        const shapes = [
          [matrices, rows, columns],
          [matrices, columns, 2],
        ];
        const right = failureOf({ op: "matmul", attributes: {}, shapes });
        const place = (w % rows) * columns + Math.floor(w / rows);
        return mapped(right, [matrices, rows, columns], matrix * rows * columns + place, "transpose");
      },
    },
  ],
};

/** These are about the maps of matrix products and of the transposes in their cotangents. */
export const matmulMaps: readonly Lemma[] = [matmulLemma, transposeLemma];
