module

public import Adjudge.Operators.Operator

/-!
# Programs and runs as flat data

What `adjudge lean export` writes: the graph as a list of instructions, every number in lists. A program
denotes a graph (`Program.graph?`), and `Program.Runs` says what a run of it is.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- A node: its operator, the ids of its parents, and the shape of its value. -/
structure Instruction where
  op : Operator
  parents : List Nat
  shape : Shape
  deriving DecidableEq, Repr

/-- A graph as data: the shapes of `Γ`, those of the entries of `Δ`, and the nodes in evaluation order. -/
structure Program where
  inputs : List Shape
  environment : List Shape
  nodes : List Instruction
  deriving DecidableEq, Repr

/-- The numbers of an evaluation and backpropagation: a list for each input, entry of `Δ` and id. -/
structure Run (S : Type) where
  inputs : List (List S)
  environment : List (List S)
  /-- For every id what its cotangent starts from. -/
  seed : List (List S)
  values : List (List S)
  cotangents : List (List S)

/-- A context type with more entries. -/
def ContextType.extended (C : ContextType) : List Shape → ContextType
  | [] => C
  | shape :: rest => extended (.snoc C shape) rest

/-- The context type with these shapes. -/
def ContextType.ofList : List Shape → ContextType := ContextType.nil.extended

/-- The elements in row-major order. -/
def Tensor.elements {S : Type} {shape : Shape} (t : Tensor S shape) : List S := List.ofFn t.get

/-- The elements of each entry, in the order of the ids. -/
def Context.numbers {S : Type} : {C : ContextType} → Context S C → List (List S)
  | .nil, .nil => []
  | .snoc _ _, .snoc earlier t => earlier.numbers ++ [t.elements]

variable (S : Type) [Scalar S]

/-- A graph over inputs `Γ`, with the type of its whole context. -/
abbrev SomeGraph (E Γ : ContextType) := (C : ContextType) × GraphData S (Context S E) Γ C

/-- The graph with more nodes; `none` where an operator does not fit its parents or the shape is another. -/
def SomeGraph.extended? {E Γ : ContextType} (g : SomeGraph S E Γ) : List Instruction → Option (SomeGraph S E Γ)
  | [] => some g
  | ⟨op, parents, shape⟩ :: rest =>
    match op.form? (E := E) (C := g.1) parents with
    | some ⟨τ, form⟩ =>
      if τ = shape then
        extended? ⟨.snoc g.1 τ, g.2.snoc (form.nodeData (reprStr op) parents)⟩ rest
      else none
    | none => none

/-- The graph that a program denotes. -/
def Program.graph? (p : Program) : Option (SomeGraph S (.ofList p.environment) (.ofList p.inputs)) :=
  SomeGraph.extended? S ⟨.ofList p.inputs, .nil⟩ p.nodes

variable {S}

/-- Every number that a node of the program divides by has an inverse. -/
def Program.Divides (p : Program) (values : List (List S)) : Prop :=
  ∀ x y shape, ⟨.divide, [x, y], shape⟩ ∈ p.nodes → ∀ divisor ∈ values.getD y [], divisor * divisor⁻¹ = 1

/--
Every matrix that a node of the program solves with has a determinant with an inverse: for each element of the
solutions that of its matrix, with the column of the unknown put first.
-/
def Program.Solves (p : Program) (values : List (List S)) : Prop :=
  ∀ matrices sides shape batch rows columns, ⟨.solve, [matrices, sides], shape⟩ ∈ p.nodes →
    matrixShape shape = some (batch, rows, columns) → ∀ position < shape.size,
      let determinant := (Expression.determinantOf rows).value fun entry =>
        (values.getD matrices []).getD (systemSource rows columns entry position) 0
      determinant * determinant⁻¹ = 1

/--
`r` is the evaluation and backpropagation of the graph that `p` denotes: its values are `eval`, its cotangents
`backpropAllCtx`; and it divides only by what has an inverse.
-/
def Program.Runs (p : Program) (r : Run S) : Prop :=
  ∃ (g : SomeGraph S (.ofList p.environment) (.ofList p.inputs)) (x : Context S (.ofList p.inputs))
    (δ : Context S (.ofList p.environment)) (seed : Context S g.1),
    p.graph? S = some g
      ∧ x.numbers = r.inputs ∧ δ.numbers = r.environment ∧ seed.numbers = r.seed
      ∧ (g.2.eval x δ).numbers = r.values
      ∧ (g.2.backpropAllCtx x δ seed).numbers = r.cotangents
      ∧ p.Divides r.values ∧ p.Solves r.values

/-- What divides only by what has an inverse divides by no zero, where zero is not one. -/
theorem Program.Divides.nonzero {p : Program} {values : List (List S)} (divides : p.Divides values)
    (nontrivial : (0 : S) ≠ 1) {x y : Nat} {shape : Shape} (node : ⟨.divide, [x, y], shape⟩ ∈ p.nodes) :
    (0 : S) ∉ values.getD y [] := fun zero =>
  nontrivial ((Semiring.zero_mul _).symm.trans (divides x y shape node 0 zero))

end Adjudge
