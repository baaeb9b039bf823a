module

public import Adjudge.Operators.Sums
public import Adjudge.Program
public import Adjudge.Theorems.Linear

/-!
# The local law of the operators [SEMANTICS §2.5]

`reference/operators/` and its law `adjoint`. Every operator has a form, and every form
keeps the local law; so every graph that is built from the operators is a `Graph`.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Sums

variable {S : Type} [Scalar S] {E Γ C : ContextType} {τ : Shape}

namespace LinearTerm

/-- What one operand gives is linear: its transposed moves are its adjoint. -/
theorem adjoint (term : LinearTerm C τ) (dctx : Context S C) (c : Tensor S τ) :
    (term.forward dctx).dot c = dctx.dot (term.vjp c) := by
  have moves := moved_adjoint term.moves (term.place.get dctx).get c.get
  rw [vjp, dot_only, Tensor.dot, Tensor.dot]
  cases h : term.negated
  · simp only [forward, h]
    exact moves
  · simp only [forward, h, if_true]
    have sign : ∀ i, -moved term.moves (term.place.get dctx).get i * c.get i
        = -1 * (moved term.moves (term.place.get dctx).get i * c.get i) := fun i => by grind
    have sign' : ∀ j, (term.place.get dctx).get j * -moved (transposed term.moves) c.get j
        = -1 * ((term.place.get dctx).get j * moved (transposed term.moves) c.get j) := fun j => by grind
    simp only [sign, sign', sumUp_mul_left, moves]

/-- What all operands give is linear, and what they get is its adjoint. -/
theorem adjointAll (terms : List (LinearTerm C τ)) (dctx : Context S C) (c : Tensor S τ) :
    (forwardAll terms dctx).dot c = dctx.dot (vjpAll terms c) := by
  induction terms with
  | nil => rw [forwardAll, vjpAll, Tensor.dot_zeros_left, context_dot_zeros]
  | cons term rest hypothesis =>
    rw [forwardAll, vjpAll, Tensor.dot_add_left, Context.dot_add_right, hypothesis, adjoint]

/--
The local law for any function and any slopes: what operands give, times slopes that are whatever they are, is
adjoint to what they get of a cotangent times the same slopes.
-/
theorem adjointWeighted (slope : Nat → Fin τ.size → S) (terms : List (LinearTerm C τ)) (dctx : Context S C)
    (c : Tensor S τ) :
    (⟨fun i => weighted (slope · i) terms dctx i⟩ : Tensor S τ).dot c = dctx.dot (vjpWeighted slope terms c) := by
  induction terms generalizing slope with
  | nil => exact (Tensor.dot_zeros_left c).trans (context_dot_zeros dctx).symm
  | cons term rest hypothesis =>
    rw [vjpWeighted, Context.dot_add_right, ← hypothesis fun k => slope (k + 1), ← adjoint]
    simp only [Tensor.dot, weighted, ← sumUp_add]
    congr 1; funext i
    grind

end LinearTerm

namespace Form

/-- Every form keeps the local law: `dot (jvp ctx dctx) c = dot dctx (vjp ctx c)`, whatever `y⁻¹` is. -/
theorem adjoint (form : Form E C τ) (ctx dctx : Context S C) (c : Tensor S τ) :
    (form.jvp ctx dctx).dot c = dctx.dot (form.vjp ctx c) := by
  match form with
  | constant _ | detached _ => rw [jvp, vjp, Tensor.dot_zeros_left, context_dot_zeros]
  | literal _ => rw [jvp, vjp, Tensor.dot_zeros_left, context_dot_zeros]
  | linear terms => exact LinearTerm.adjointAll terms dctx c
  | bilinear left right products =>
    rw [vjp, Context.dot_add_right, dot_only, dot_only]
    simp only [Tensor.dot, jvp, Semiring.right_distrib, sumUp_add]
    rw [multiplied_adjoint_left, multiplied_adjoint_right products (left.get ctx).get]
  | quotient left right =>
    simp only [vjp, Context.dot_add_right, dot_only, Tensor.dot, jvp, ← sumUp_add]
    congr 1; funext i
    grind
  | pointwise function terms => exact LinearTerm.adjointWeighted _ terms dctx c

/-- The node of a form, with its law. -/
def node (name : String) (reads : List Nat) (form : Form E C τ) : Node S (Context S E) C τ where
  toNodeData := form.nodeData name reads
  adjoint ctx dctx _ c := form.adjoint ctx dctx c

/-- The node of a form without its law is the form's data. -/
theorem node_toNodeData (name : String) (reads : List Nat) (form : Form E C τ) :
    (form.node name reads : Node S (Context S E) C τ).toNodeData = form.nodeData name reads := rfl

/-- `vjp` of every form is linear in the cotangent. -/
theorem vjp_linear (form : Form E C τ) (name : String) (reads : List Nat) :
    (form.nodeData name reads : NodeData S (Context S E) C τ).VjpLinear :=
  (form.node name reads).vjp_linear

/-- `jvp` of every form is linear in the tangent. -/
theorem jvp_linear (form : Form E C τ) (name : String) (reads : List Nat) :
    (form.nodeData name reads : NodeData S (Context S E) C τ).JvpLinear :=
  (form.node name reads).jvp_linear

end Form

/-- Nodes of operators appended to a `Graph` give a `Graph`. -/
theorem SomeGraph.extended?_lawful (nodes : List Instruction) (g h : SomeGraph S E Γ)
    (lawful : ∃ G : Graph S (Context S E) Γ g.1, G.toData = g.2) (extended : g.extended? S nodes = some h) :
    ∃ G : Graph S (Context S E) Γ h.1, G.toData = h.2 := by
  induction nodes generalizing g with
  | nil =>
    cases extended
    exact lawful
  | cons node rest hypothesis =>
    obtain ⟨G, same⟩ := lawful
    simp only [extended?] at extended
    split at extended
    · next τ form _ =>
      split at extended
      · exact hypothesis _ ⟨G.snoc (form.node _ _), by rw [Graph.toData, same, Form.node_toNodeData]⟩ extended
      · cases extended
    · cases extended

/-- Every graph that is built from the operators is a `Graph`: all its nodes keep the local law. -/
theorem Program.graph?_lawful (p : Program) (g : SomeGraph S (.ofList p.environment) (.ofList p.inputs))
    (built : p.graph? S = some g) :
    ∃ G : Graph S (Context S (.ofList p.environment)) (.ofList p.inputs) g.1, G.toData = g.2 :=
  SomeGraph.extended?_lawful p.nodes _ g ⟨.nil, rfl⟩ built

/-- Whatever an operator makes of operands keeps the local law. -/
theorem Operator.adjoint (op : Operator) (places : List ((σ : Shape) × Place C σ)) (form : Form E C τ)
    (_ : op.formAt? places = some ⟨τ, form⟩) (ctx dctx : Context S C) (c : Tensor S τ) :
    (form.jvp ctx dctx).dot c = dctx.dot (form.vjp ctx c) :=
  form.adjoint ctx dctx c

end Adjudge
