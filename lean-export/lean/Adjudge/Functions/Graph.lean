module

public import Adjudge.Operators.Adjoint

/-!
# Graphs with elementary functions

A node of an elementary function goes element by element. What the functions are is given from outside, as
values and slopes; the local law holds whatever they are. A table lists some of their values and slopes, and
`Program.RunsBy` says what a run is for all functions that agree with the table.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} {E Γ C : ContextType} {τ : Shape}

/-- What the elementary functions are: the value at some arguments, and the slope in each of them. -/
structure Functions (S : Type) where
  value : Elementary → List S → S
  slopes : Elementary → List S → List S

/-- A row of a table: a function has this value and these slopes at these arguments. -/
structure TableRow (S : Type) where
  f : Elementary
  arguments : List S
  value : S
  slopes : List S
  deriving Repr

/-- That the functions have the values and slopes of a table. -/
def Functions.Agrees (F : Functions S) (table : List (TableRow S)) : Prop :=
  ∀ row ∈ table, F.value row.f row.arguments = row.value ∧ F.slopes row.f row.arguments = row.slopes

/-- The elements at a position of all operands. -/
def argumentsAt (operands : List (Place C τ)) (ctx : Context S C) (i : Fin τ.size) : List S :=
  operands.map fun place => (place.get ctx).get i

variable [Scalar S]

/-- The slope in the operand with a number. -/
def slopeAt (slopes : List S) (k : Nat) : S := (slopes[k]?).getD 0

/-- The sum of the tangents of the operands from a number on, each times its slope. -/
def tangentFrom (slopes : Fin τ.size → List S) (dctx : Context S C) : Nat → List (Place C τ) → Tensor S τ
  | _, [] => Tensor.zeros τ
  | k, place :: rest =>
    ⟨fun i => slopeAt (slopes i) k * (place.get dctx).get i⟩ + tangentFrom slopes dctx (k + 1) rest

/-- What the operands from a number on get: the cotangent, times the slope of each. -/
def pullbackFrom (slopes : Fin τ.size → List S) (c : Tensor S τ) : Nat → List (Place C τ) → Context S C
  | _, [] => Context.zeros C
  | k, place :: rest =>
    place.only ⟨fun i => slopeAt (slopes i) k * c.get i⟩ + pullbackFrom slopes c (k + 1) rest

/-- The local law for any slopes. -/
theorem tangentFrom_adjoint (slopes : Fin τ.size → List S) (dctx : Context S C) (c : Tensor S τ) (k : Nat)
    (operands : List (Place C τ)) :
    (tangentFrom slopes dctx k operands).dot c = dctx.dot (pullbackFrom slopes c k operands) := by
  induction operands generalizing k with
  | nil => rw [tangentFrom, pullbackFrom, Tensor.dot_zeros_left, context_dot_zeros]
  | cons place rest ih =>
    rw [tangentFrom, pullbackFrom, Tensor.dot_add_left, Context.dot_add_right, ih, dot_only, Tensor.dot, Tensor.dot]
    congr 2
    funext i
    show slopeAt (slopes i) k * (place.get dctx).get i * c.get i
      = (place.get dctx).get i * (slopeAt (slopes i) k * c.get i)
    grind

/-- The node of a function of operands of one shape. -/
def Functions.node (F : Functions S) (f : Elementary) (reads : List Nat) (operands : List (Place C τ)) :
    Node S (Context S E) C τ where
  name := reprStr f
  reads := reads
  forward ctx _ := ⟨fun i => F.value f (argumentsAt operands ctx i)⟩
  jvp ctx dctx _ := tangentFrom (fun i => F.slopes f (argumentsAt operands ctx i)) dctx 0 operands
  vjp ctx _ c := pullbackFrom (fun i => F.slopes f (argumentsAt operands ctx i)) c 0 operands
  adjoint _ dctx _ c := tangentFrom_adjoint _ dctx c 0 operands

/-- The places with these ids, if all have one shape. -/
def ContextType.placesOf? (C : ContextType) (τ : Shape) : List Nat → Option (List (Place C τ))
  | [] => some []
  | id :: rest =>
    match C.place? id, C.placesOf? τ rest with
    | some ⟨σ, place⟩, some places => if h : σ = τ then some ((h ▸ place) :: places) else none
    | _, _ => none

/-- The node of an instruction, of its shape: a function's, or that of the operator's form. -/
def Instruction.node? (F : Functions S) (C : ContextType) (instruction : Instruction) :
    Option (Node S (Context S E) C instruction.shape) :=
  match instruction with
  | ⟨.elementary f, parents, shape⟩ =>
    match C.placesOf? shape parents with
    | some operands => if operands.length = f.arity then some (F.node f parents operands) else none
    | none => none
  | ⟨op, parents, shape⟩ =>
    match op.form? (E := E) (C := C) parents with
    | some ⟨τ, form⟩ => if h : τ = shape then some ((h ▸ form).node (reprStr op) parents) else none
    | none => none

/-- A graph over inputs `Γ` whose nodes all keep the local law, with the type of its whole context. -/
abbrev SomeLawfulGraph (S : Type) [Scalar S] (E Γ : ContextType) :=
  (C : ContextType) × Graph S (Context S E) Γ C

/-- The graph with more nodes; `none` where one does not fit. -/
def SomeLawfulGraph.extendedWith? (F : Functions S) (g : SomeLawfulGraph S E Γ) :
    List Instruction → Option (SomeLawfulGraph S E Γ)
  | [] => some g
  | instruction :: rest =>
    match instruction.node? F g.1 with
    | some node => extendedWith? F ⟨.snoc g.1 instruction.shape, g.2.snoc node⟩ rest
    | none => none

/-- The graph that a program denotes, where the elementary functions are these. -/
def Program.graphWith? (F : Functions S) (p : Program) :
    Option (SomeLawfulGraph S (.ofList p.environment) (.ofList p.inputs)) :=
  SomeLawfulGraph.extendedWith? F ⟨.ofList p.inputs, .nil⟩ p.nodes

/-- `r` is the evaluation and backpropagation of the graph that `p` denotes, where the functions are these. -/
def Program.RunsWith (F : Functions S) (p : Program) (r : Run S) : Prop :=
  ∃ (g : SomeLawfulGraph S (.ofList p.environment) (.ofList p.inputs)) (x : Context S (.ofList p.inputs))
    (δ : Context S (.ofList p.environment)) (seed : Context S g.1),
    p.graphWith? F = some g
      ∧ x.numbers = r.inputs ∧ δ.numbers = r.environment ∧ seed.numbers = r.seed
      ∧ (g.2.toData.eval x δ).numbers = r.values
      ∧ (g.2.toData.backpropAllCtx x δ seed).numbers = r.cotangents
      ∧ p.Divides r.values

/--
For all functions that agree with the table `r` is the evaluation and backpropagation of the graph, and there
are such functions.
-/
def Program.RunsBy (p : Program) (table : List (TableRow S)) (r : Run S) : Prop :=
  (∃ F : Functions S, F.Agrees table) ∧ ∀ F : Functions S, F.Agrees table → p.RunsWith F r

end Adjudge
