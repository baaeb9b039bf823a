import type { Rational } from "../../reference/index.ts";
import { present, type Shape } from "../../spec/shapes/index.ts";
import { binary32Around } from "./binary32.ts";

/** A node of TorchLean's graph, and by what its row of a certificate encloses its value. */
export interface Row {
  /** `NN.IR.OpKind`, as a term. */
  readonly kind: string;
  readonly parents: readonly number[];
  readonly shape: Shape;
  readonly law: "source" | "detach" | "inv" | "given" | Published;
  /** Those of a source. */
  readonly numbers?: readonly Rational[];
}

/** A theorem `tensor_…_enclosed` of TorchLean says what an operation does to intervals. */
type Published = "add" | "sub" | "mul" | "relu" | "sqrt";

export function leanShape(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

/** Returns the value of a node as a term of TorchLean's operations. */
function termOf({ kind, parents, shape, law }: Row, own: string, operand: string): string {
  const [x, y] = parents.map((parent) => `${operand}${parent}`);
  if (law === "source") return `Tensor.unflattenSpec ${leanShape(shape)} ${own}`;
  switch (kind) {
    case ".mulElem":
      return `Tensor.mulSpec ${x} ${y}`;
    case ".relu":
    case ".tanh":
      return `Activation.${kind.slice(1)}Spec ${x}`;
    case ".sin":
    case ".cos":
      return `Tensor.mapSpec (fun x => MathFunctions${kind} x) ${x}`;
    case ".sum":
      return `Tensor.scalar (Tensor.sumSpec ${x})`;
    default:
      return `Tensor.${kind.slice(1)}Spec ${[x, y].filter((one) => one !== undefined).join(" ")}`;
  }
}

interface Source {
  readonly id: number;
  readonly numbers: readonly Rational[];
}

function numberBinders(constants: readonly Source[]): string {
  return constants.map(({ id, numbers }) => ` (n${id} : Tensor Real [${numbers.length}])`).join("");
}

/** Says what a node evaluates to, whatever came before: no number is looked into. */
function evaluated(
  row: Row,
  id: number,
  { rows, constants }: { readonly rows: readonly Row[]; readonly constants: readonly Source[] },
): string {
  const before = rows.slice(0, id);
  const isInput = row.kind === ".input";
  const binders = [
    isConstant(row) ? numberBinders(constants) : " (payload : NN.IR.Payload Real)",
    isInput ? ` (x : Tensor Real ${leanShape(row.shape)})` : " (input : SomeTensor Real)",
    ...before.map(({ shape }, other) => ` (x${other} : Tensor Real ${leanShape(shape)})`),
  ].join("");
  const held = constants.map((other) => `n${other.id}`);
  const payload = isConstant(row) ? `(${["payloadOf", ...held].join(" ")})` : "payload";
  const values = before.map((_, other) => `.ofTensor x${other}`).join(", ");
  const value = isInput ? "x" : `(${termOf(row, `n${id}`, "x")})`;
  return `theorem evaluated${id}${binders} :
    graph.evalAt ${payload} ${isInput ? "(.ofTensor x)" : "input"} #[${values}] ${id} = .ok (.ofTensor ${value}) := by
  with_unfolding_all rfl`;
}

/** Applies what {@link evaluated} says. */
function evaluation(row: Row, id: number, held: readonly string[]): string {
  const before = Array.from({ length: id }, (_, other) => `value${other}`);
  const given = isConstant(row) ? held : ["payload"];
  return [`evaluated${id}`, ...given, row.kind === ".input" ? "_" : "input", ...before].join(" ");
}

function isConstant({ law, kind }: Row): boolean {
  return law === "source" && kind !== ".input";
}

/** Returns what a certificate has to say of a row. */
function saidOf({ kind, parents, law }: Row, id: number): readonly string[] {
  const [x = 0, y = 0] = parents;
  const rule = (transfer: string): string => `rule${id} : row${id}.enclosure = ${transfer}`;
  const inside = `TensorEnclosed row${id}.enclosure value${id}`;
  switch (law) {
    case "source":
      return [`source${id} : ${inside}`];
    case "given":
      return [`${kind.slice(1)}${id} : TensorEnclosed row${x}.enclosure value${x} → ${inside}`];
    case "detach":
      return [rule(`row${x}.enclosure`)];
    case "sqrt":
      return [rule(transferOf(law, [x])), `domain${id} : nonnegativeEndpoint row${x}.enclosure.lo = true`];
    case "inv":
    case "relu":
      return [rule(transferOf(law, [x]))];
    default:
      return [rule(transferOf(law, [x, y]))];
  }
}

function transferOf(law: Published | "inv", parents: readonly number[]): string {
  return `Binary.Interval.${law} ${parents.map((id) => `row${id}.enclosure`).join(" ")}`;
}

/** Returns the proof that a row encloses its value. */
function proofOf({ kind, parents, law }: Row, id: number): string {
  const [x = 0, y = 0] = parents;
  const before = (parent: number): string => `(enclosed${parent} fits)`;
  const valid = `have valid := row${id}.valid\n  rw [fits.rule${id}] at valid ⊢\n  `;
  switch (law) {
    case "source":
      return `exact fits.source${id}`;
    case "given":
      return `exact fits.${kind.slice(1)}${id} ${before(x)}`;
    case "detach":
      return `rw [fits.rule${id}]\n  exact ${before(x)}`;
    case "inv":
      return `${valid}exact tensor_map_enclosed (fun x => 1 / x) _ _ (fun {x} inside => by\n    show RealEncloses _ (1 / x)\n    rw [one_div]\n    exact inv_realEncloses row${x}.valid valid inside) ${before(x)}`;
    case "relu":
      return `rw [fits.rule${id}]\n  exact tensor_relu_enclosed row${x}.valid ${before(x)}`;
    case "sqrt":
      return `${valid}exact tensor_sqrt_enclosed row${x}.valid fits.domain${id} valid ${before(x)}`;
    default:
      return `${valid}exact tensor_${law}_enclosed row${x}.valid row${y}.valid valid ${before(x)} ${before(y)}`;
  }
}

function leanReal({ numerator, denominator }: Rational): string {
  const own = numerator < 0n ? `(${numerator})` : `${numerator}`;
  return denominator === 1n ? `(${numerator} : Real)` : `(${own} / ${denominator} : Real)`;
}

/** Returns the file about these rows. Cost: quadratic in their count. */
export function enclosureFile(rows: readonly Row[]): string {
  const ids = rows.map((_, id) => id);
  const sources = rows.flatMap(({ law, numbers = [] }, id) => (law === "source" ? [{ id, numbers }] : []));
  const [input] = sources.filter(({ id }) => rows[id]?.kind === ".input");
  const constants = sources.filter(({ id }) => id !== input?.id);
  const held = constants.map(({ id }) => `numbers${id}`);
  const names = ids.map((id) => `row${id}`).join(" ");
  const fits = `{certificate : RegistryCheckedCertificate} {${names} : CheckedNodeRange}\n    (fits : Fits certificate ${names})`;
  const count = rows.length;
  return `${head}
/-- The graph, node by node. -/
def graph : NN.IR.Graph where
  nodes := #[
${rows.map(({ kind, parents, shape }, id) => `    { id := ${id}, parents := #[${parents.join(", ")}], kind := ${kind}, outShape := ${leanShape(shape)} }`).join(",\n")}]

/-- Binary32 intervals around the numbers of the nodes that have no operands, for \`generateChecked\`. -/
def sources : Array SourceRange := #[
${sources.map(({ id, numbers }) => `    { nodeId := ${id}, enclosure := { ${endsOf(numbers)} } }`).join(",\n")}]

${sources.map(({ id, numbers }) => `def numbers${id} : Tensor Real [${numbers.length}] := Tensor.from (#[${numbers.map(leanReal).join(", ")}] : Array Real)`).join("\n")}

${rows.map((row, id) => `def value${id} : Tensor Real ${leanShape(row.shape)} := ${termOf(row, `numbers${id}`, "value")}`).join("\n")}

/-- Constants of these numbers. -/
def payloadOf${numberBinders(constants)} : NN.IR.Payload Real where
  const? := fun id => match id with
${constants.map(({ id, numbers }) => `    | ${id} => some { n := ${numbers.length}, v := n${id} }\n`).join("")}    | _ => none

def payload : NN.IR.Payload Real := ${["payloadOf", ...held].join(" ")}

def input : SomeTensor Real := .ofTensor ${input === undefined ? "(Tensor.scalar (0 : Real))" : `value${input.id}`}

def values : Array (SomeTensor Real) := #[${ids.map((id) => `.ofTensor value${id}`).join(", ")}]

theorem denotes_step (i : Nat) (before : Array (SomeTensor Real)) (value : SomeTensor Real)
    (inside : i < graph.nodes.size) (made : graph.evalAt payload input before i = .ok value) :
    graph.denoteAllFrom payload input i before
      = graph.denoteAllFrom payload input (i + 1) (before.push value) := by
  conv => lhs; unfold NN.IR.Graph.denoteAllFrom
  rw [dif_pos inside, made]
  rfl

theorem denotes_end (i : Nat) (all : Array (SomeTensor Real)) (outside : ¬ i < graph.nodes.size) :
    graph.denoteAllFrom payload input i all = .ok all := by
  conv => lhs; unfold NN.IR.Graph.denoteAllFrom
  rw [dif_neg outside]
  rfl

${rows.map((row, id) => evaluated(row, id, { rows, constants })).join("\n\n")}

/-- The values are what the graph denotes. -/
theorem denotes : graph.denoteAll payload input = .ok values := by
  show graph.denoteAllFrom payload input 0 #[] = _
${ids.map((id) => `  rw [denotes_step ${id} _ (.ofTensor value${id}) (by decide) (by exact ${evaluation(present(rows[id], "a row"), id, held)})]`).join("\n")}
  rw [denotes_end _ _ (by decide)]
  rfl

/-- What a certificate of the graph says of its rows; what no theorem of TorchLean's says is a hypothesis. -/
structure Fits (certificate : RegistryCheckedCertificate) (${names} : CheckedNodeRange) : Prop where
  graph : certificate.graph = AdjudgeEnclosure.graph
  ranges : certificate.ranges = #[${ids.map((id) => `row${id}`).join(", ")}]
${rows.map(({ shape }, id) => `  shape${id} : row${id}.outShape = ${leanShape(shape)}`).join("\n")}
${rows.flatMap((row, id) => saidOf(row, id).map((said) => `  ${said}`)).join("\n")}

${rows.map((row, id) => `theorem enclosed${id} ${fits} :\n    TensorEnclosed row${id}.enclosure value${id} := by\n  ${proofOf(row, id)}`).join("\n\n")}

theorem some_enclosed {row : CheckedNodeRange} {s : Shape} {x : Tensor Real s} (shape : row.outShape = s)
    (inside : TensorEnclosed row.enclosure x) : SomeTensorEnclosed row (.ofTensor x) := by
  subst shape
  exact ⟨rfl, inside⟩

/-- The exact run of the graph is enclosed by every certificate that fits it. -/
def provedRealEnclosure ${fits} :
    ProvedRealEnclosure certificate where
  payload := payload
  input := input
  values := values
  denotation := by rw [fits.graph]; exact denotes
  enclosed := by
    rw [fits.ranges]
    refine ⟨rfl, fun i low _ => ?_⟩
    match i, low with
${ids.map((id) => `    | ${id}, _ => exact some_enclosed fits.shape${id} (enclosed${id} fits)`).join("\n")}
    | n + ${count}, low => exact absurd low (Nat.not_lt.mpr (Nat.le_add_left ${count} n))

end

end AdjudgeEnclosure
`;
}

/** Returns the ends of the least binary32 interval around numbers. */
function endsOf(numbers: readonly Rational[]): string {
  const { low, high } = binary32Around(numbers);
  return `lo := Binary.ofBits32 ${low}, hi := Binary.ofBits32 ${high}`;
}

const head = `import NN.Proofs.RuntimeApprox.Graph.NumericalCertificate

/-!
An exact run, enclosed by each numerical certificate of its graph: TorchLean's \`ProvedRealEnclosure\`, written
by adjudge. \`generateChecked NN.Backend.BackendProfile.checkedCpu graph sources\` makes such a certificate;
that it fits is to be shown of its rows.
This file has not been built against TorchLean: only against a copy of the definitions that it names.
-/

open FloatLib.Floats.ExecFloat (Binary)
open Proofs.RuntimeApprox.NumericalCertificate
open Spec TorchLean

namespace AdjudgeEnclosure

noncomputable section
`;
