import { array, rows, type TensorText, tensor } from "./case_text.ts";
import { type VectorText, vectors } from "./vector_text.ts";

const row = array([[0.5, -1]]);
const square = rows([0.5, -0.25], [0.75, 1]);
const other = rows([-0.5, 0.25], [1, 0.5]);
/** Returns the weights of some gates of two units each, stacked along the first axis. */
function gates(count: number, start: number): TensorText {
  const rows = Array.from({ length: 2 * count }, (_, i) => i);
  return array(rows.map((i) => [0, 1].map((j) => (((start + 3 * i + 5 * j) % 9) - 4) / 4)));
}

function biases(count: number): TensorText {
  return array(Array.from({ length: 2 * count }, (_, j) => ((j % 5) - 2) / 8));
}

/** Vectors of recurrent cells, each one operator, whose weight tensors must not share a cotangent. */
export const cells: readonly VectorText[] = vectors({
  "elman (2.5, F08): one turn of an Elman cell: the state, the input and the weights all get their cotangents":
    {
      inputs: { x: row, h: row, wIn: square, wState: other, b: array([0.25, -0.5]) },
      nodes: "elman_cell 0 1 2 3 4",
    },
  "elman_twice (3.4, E09, F08): two turns of one cell: the weights collect from both, each at its own state":
    {
      inputs: { x: row, h: row, wIn: square, wState: other, b: array([0.25, -0.5]) },
      nodes: "elman_cell 0 1 2 3 4; elman_cell 0 5 2 3 4",
    },
  "lstm_hidden (2.5): the hidden state of an LSTM cell": {
    inputs: { x: row, h: row, c: array([[1, -0.5]]), wIn: gates(4, 1), wState: gates(4, 2), b: biases(4) },
    nodes: "lstm_cell 0 1 2 3 4 5 output=hidden",
  },
  "lstm_cell (2.5): the cell state of an LSTM cell, which the output gate has no part in": {
    inputs: { x: row, h: row, c: array([[1, -0.5]]), wIn: gates(4, 1), wState: gates(4, 2), b: biases(4) },
    nodes: "lstm_cell 0 1 2 3 4 5 output=cell",
  },
  "gru (2.5): a GRU cell: the reset gate acts on the state's part of the candidate": {
    inputs: { x: row, h: row, wIn: gates(3, 1), wState: gates(3, 2), bIn: biases(3), bState: biases(3) },
    nodes: "gru_cell 0 1 2 3 4 5",
  },
  "two_heads (2.5, A18): attention of two heads to another sequence, one unit each": {
    inputs: {
      x: square,
      memory: rows([1, -0.5], [0.25, 2], [0, 1]),
      wq: square,
      wk: other,
      wv: square,
      wo: other,
    },
    nodes: "multi_head_attention 0 1 2 3 4 5 heads=2 causal=false",
  },
  "grouped_norm (2.5, D10): two groups of two channels, each normalised by its own statistics": {
    flags: ["hidden_by_ones"],
    inputs: {
      x: tensor([1, 4, 2], [1, 2, 4, -1, 3, 0.5, -2, 5]),
      scale: array([2, 3, 5, 7]),
      offset: array([1, -1, 0.5, 2]),
    },
    nodes: "group_norm 0 1 2 groups=2 epsilon=0.125",
  },
});
