import {
  assertNever,
  fail,
  type Issue,
  isSameShape,
  ok,
  present,
  type Result,
  type Shape,
} from "../../spec/shapes/index.ts";
import type { FlatTrace, Numbers } from "../emit/flat.ts";
import type { Instruction } from "../emit/operator.ts";
import { leanNumber } from "../emit/scalars.ts";

/**
 * Returns a run as a Lean file in TorchLean's terms: `prog` records the graph on a tape of rational numbers,
 * and theorems say that the tape's values, and what `Tape.backwardDenseAll` makes of the seed, are the run's.
 * Nothing of this library is in it. It is checked against a copy of TorchLean's definitions (`copy/`), never
 * against TorchLean, which needs Mathlib.
 * Law: an id of the tape is the id of the run. Cost: linear in the run.
 * Fails: `torchlean/algebra` but for rational numbers and integers, `torchlean/seeds` where not exactly one
 * id has a seed that is not zero, `torchlean/operator` where `TapeM` has none.
 */
export function torchLeanWitness(trace: FlatTrace): Result<string, Issue[]> {
  const { scalars, program, run } = trace;
  if (scalars.name === "modular") return fail([wrongAlgebra]);
  const seeds = run.seed.flatMap((numbers, id) => (numbers.some(isNotZero) ? [id] : []));
  const [seed] = seeds;
  if (seed === undefined || seeds.length > 1) return fail([wrongSeeds(seeds.length)]);
  const shapes = [...program.inputs, ...program.nodes.map(({ shape }) => shape)];
  const shapeOf = (id: number): Shape => present(shapes[id], "a shape");
  const issues: Issue[] = [];
  const steps = program.nodes.map((node, index) => {
    const step = stepOf(node, program.inputs.length + index, shapeOf);
    if (step === undefined) issues.push(noStep(node, String(program.inputs.length + index)));
    return step ?? "";
  });
  if (issues.length > 0) return fail(issues);
  const tensors = (name: string, lists: readonly Numbers[], of: (index: number) => Shape): string[] =>
    lists.map((numbers, index) => definition(`${name}${index}`, of(index), numbers));
  const all = (name: string): string => shapes.map((_, id) => `.ofTensor ${name}${id}`).join(", ");
  return ok(`${head}
${[
  ...tensors("input", run.inputs, (index) => present(program.inputs[index], "an input")),
  ...tensors("given", run.environment, (index) => present(program.environment[index], "an entry")),
  ...program.nodes.flatMap(({ operator, shape }, index) => {
    const id = program.inputs.length + index;
    const numbers = present(run.values[id], "a value");
    return isSource(operator) ? [definition(`written${id}`, shape, numbers)] : [];
  }),
].join("\n")}

/-- Records the graph: ${program.inputs.length} leaves, and a node for each instruction. -/
def prog : TapeM ℚ Nat := do
${[...program.inputs.map((shape, id) => `TapeM.leaf (s := ${leanShape(shape)}) input${id}`), ...steps]
  .map((step, id) => `  let v${id} ← ${step}`)
  .join("\n")}
  pure v${shapes.length - 1}

${[
  ...tensors("value", run.values, shapeOf),
  ...tensors("cotangent", run.cotangents, shapeOf),
  definition("seed", shapeOf(seed), present(run.seed[seed], "a seed")),
].join("\n")}

/-- The tape's values are these, in the order of its ids. -/
theorem prog_values :
    (TapeM.exec Tape.empty prog).map (fun t => t.nodes.toList.map (·.value)) =
      .ok [${all("value")}] := by
  with_unfolding_all rfl

/-- From the seed at id ${seed}, the gradients are these. -/
theorem prog_backwardDenseAll :
    ((TapeM.exec Tape.empty prog) >>= fun t =>
        Tape.backwardDenseAll t ${seed} (.ofTensor seed)).map Array.toList =
      .ok [${all("cotangent")}] := by
  with_unfolding_all rfl

end

end AdjudgeWitness
`);
}

const head = `import NN.Runtime.Autograd.Engine.Core.Linear
import NN.Runtime.Autograd.Engine.Core.Shape
import NN.Runtime.Autograd.Engine.TapeM
import NN.Spec.Core.Context.Rational
import NN.Tensor

/-!
A run as a witness in TorchLean's terms, written by adjudge.
This file has not been built against TorchLean: only against a copy of the definitions that it names.
-/

set_option maxRecDepth 1500

open scoped Spec.RationalAlgebraic
open Spec TorchLean TorchLean.Tensor Runtime.Autograd

namespace AdjudgeWitness

noncomputable section

/-- Records what an operation appends to the tape. -/
def recorded (op : Tape ℚ → Result (Tape ℚ × Nat)) : TapeM ℚ Nat := do
  let (t, id) ← liftM (op (← TapeM.getTape))
  set t
  pure id

/-- Records a value again, as a leaf: no gradient goes through. -/
def detached (s : Shape) (id : Nat) : TapeM ℚ Nat :=
  recorded fun t => do
    let x : Tensor ℚ s ← Tape.requireValue t id
    pure (Tape.leaf t x)
`;

function isNotZero({ numerator }: Numbers[number]): boolean {
  return numerator !== 0n;
}

function leanShape(shape: Shape): string {
  return shape.length === 0 ? ".scalar" : `[${shape.join(", ")}]`;
}

/** Returns a tensor's definition, its elements in row-major order. */
function definition(name: string, shape: Shape, numbers: Numbers): string {
  const type = `Tensor ℚ ${leanShape(shape)}`;
  const elements = numbers.map((number) => `(${leanNumber(number)} : ℚ)`);
  if (shape.length === 0) return `def ${name} : ${type} := Tensor.scalar ${elements.join("")}`;
  const vector = `(Tensor.from (#[${elements.join(", ")}] : Array ℚ))`;
  return `def ${name} : ${type} := ${vector}.reshape ${leanShape(shape)} (by first | decide | (dsimp; decide))`;
}

/** Says whether attributes alone determine an operator's numbers. */
function isSource({ kind }: Instruction["operator"]): boolean {
  return kind === "iota" || kind === "bernoulli_mask";
}

/** Returns what records an instruction, where TorchLean's tape has an operation for it. */
function stepOf(
  { operator, parents, shape }: Instruction,
  id: number,
  shapeOf: (id: number) => Shape,
): string | undefined {
  const ids = parents.map((id) => `v${id}`).join(" ");
  const [first = 0, second = 0] = parents;
  const own = `(s := ${leanShape(shape)})`;
  const [from, to] = [leanShape(shapeOf(first)), leanShape(shape)];
  switch (operator.kind) {
    case "constant":
      return `TapeM.leaf ${own} given${operator.entry}`;
    case "add":
      return `TapeM.add ${own} ${ids}`;
    case "subtract":
      return `TapeM.sub ${own} ${ids}`;
    case "multiply":
      return `TapeM.mul ${own} ${ids}`;
    case "divide":
      return `TapeM.div ${own} ${ids}`;
    case "negative":
      return `TapeM.scale ${own} ${ids} (-1)`;
    case "stop_gradient":
      return `detached ${to} ${ids}`;
    case "matmul": {
      const [[m, n, ...more], [, p]] = [shapeOf(first), shapeOf(second)];
      if (more.length > 0) return undefined;
      return `TapeM.matmul (m := ${m}) (n := ${n}) (p := ${p}) ${ids}`;
    }
    case "sum": {
      const isWhole = operator.axes.length === shapeOf(first).length && !operator.keepdims;
      return isWhole ? `TapeM.sum (s := ${from}) ${ids}` : undefined;
    }
    case "reshape":
      return `recorded fun t => Tape.reshape (s₁ := ${from}) (s₂ := ${to}) t ${ids} (by decide)`;
    case "broadcast_to":
      return `recorded fun t => Tape.broadcastTo (s₁ := ${from}) (s₂ := ${to}) (by decide) t ${ids}`;
    case "permute_dims": {
      const depth = swapped(operator.axes);
      return depth === undefined
        ? undefined
        : `recorded fun t => Tape.swapAdjacentAtDepth (s := ${from}) t ${depth} ${ids}`;
    }
    case "concat": {
      const [[n, ...rest], [m]] = [shapeOf(first), shapeOf(second)];
      const sizes = `(n := ${n}) (m := ${m}) (s := ${leanShape(rest)})`;
      return operator.axis === 0 && parents.length === 2
        ? `recorded fun t => Tape.concatLeadingAxis ${sizes} t ${ids}`
        : undefined;
    }
    case "take":
    case "cumulative_sum":
    case "slice":
    case "pad":
    case "take_along_axis":
    case "gather":
    case "scatter_add":
    case "elementary":
    case "relu":
    case "floor":
    case "maximum":
    case "less":
    case "equal":
    case "where":
    case "det":
    case "solve":
      return undefined;
    case "iota":
    case "bernoulli_mask":
      return `TapeM.leaf (s := ${leanShape(shape)}) written${id}`;
    default:
      return assertNever(operator);
  }
}

/** Returns the first of two neighbouring axes that change places, if nothing else moves. */
function swapped(axes: readonly number[]): number | undefined {
  const depth = axes.findIndex((axis, place) => axis !== place);
  const wanted = axes.map((_, place) => (place === depth ? depth + 1 : place === depth + 1 ? depth : place));
  return depth >= 0 && isSameShape(axes, wanted) ? depth : undefined;
}

const wrongAlgebra: Issue = {
  code: "torchlean/algebra",
  pointer: "/algebra",
  message: "a witness for TorchLean is over the rational numbers.",
  hint: "record the trace with: adjudge run FILE --algebra rational",
};

function wrongSeeds(count: number): Issue {
  return {
    code: "torchlean/seeds",
    pointer: "/seeds",
    message: `${count} ids have a seed that is not zero, and backwardDenseAll takes exactly one.`,
    hint: "record a trace with one seed",
  };
}

function noStep({ operator, shape }: Instruction, name: string): Issue {
  return {
    code: "torchlean/operator",
    pointer: `/graph/nodes`,
    message: `${operator.kind} of shape [${shape.join(", ")}], id ${name}, has no operation of TorchLean's tape.`,
    hint: "it has arithmetic, whole sums, matmul, reshape, broadcast_to, stop_gradient, swaps of neighbouring axes, concat",
  };
}
