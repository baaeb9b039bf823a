module

public import Adjudge.Derive.Written

/-!
# The derivative of a graph, as a graph

`spec/derivatives/derive.ts`, mode `vjp`, of all ids by all ids. Behind the nodes of a graph `derive` writes
nodes that compute its cotangents from seeds. The result is a graph of forms, and can be derived again. What
saves nodes in TypeScript, leaving out what no seed reaches or nobody asks for, is not modelled.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} [Scalar S] {E Γ Γ' B C K : ContextType}

namespace FormGraph

/-- Writes the nodes of a graph, with its inputs where the values stand. -/
def trace {C : ContextType} : FormGraph E Γ C → Written E Γ' Γ B K → Written E Γ' C B K
  | nil, w => w
  | snoc g name reads form, w =>
    let w := g.trace w
    { type := _
      graph := w.graph.snoc name reads (form.from w.values)
      values := w.values.lift.snoc .last
      bars := w.bars.lift
      kept := w.kept.lift }

/-- They compute what the graph computes. -/
theorem says_trace {x : Context S Γ'} {δ : Context S E} {v : Context S Γ} {b : Context S B} {k : Context S K}
    (g : FormGraph E Γ C) {w : Written E Γ' Γ B K} (says : w.Says x δ v b k) :
    (g.trace w).Says x δ ((g.toData S).eval v δ) b k := by
  induction g with
  | nil => exact says
  | snoc g name reads form hypothesis =>
    refine ⟨?_, (Places.read_lift _ _ _).trans hypothesis.bars, (Places.read_lift _ _ _).trans hypothesis.kept⟩
    simp only [trace, Places.read]
    refine congr (congrArg _ ((Places.read_lift _ _ _).trans hypothesis.values)) ?_
    refine (Form.forward_from _ form _ δ).trans ?_
    exact congrArg (fun ctx => form.forward ctx δ) hypothesis.values

/-- Writes the backward sweep over a graph with these values and cotangents; `pull` writes a node. -/
def sweepBy (pull : {C K : ContextType} → {τ : Shape} → Written E Γ' C C (.snoc K τ) → Form E C τ →
    Written E Γ' C C (.snoc K τ)) {C K : ContextType} : FormGraph E Γ C → Written E Γ' C C K → Written E Γ' Γ C K
  | nil, w => w
  | snoc g _ _ form, w =>
    let swept := g.sweepBy pull (pull w.stepBack form)
    { type := swept.type
      graph := swept.graph
      values := swept.values
      bars := swept.bars.snoc swept.kept.last
      kept := swept.kept.init }

/-- The backward sweep. -/
def sweep (g : FormGraph E Γ C) (w : Written E Γ' C C K) : Written E Γ' Γ C K := g.sweepBy Written.pull w

/-- It computes the cotangents of the graph. -/
theorem says_sweep {x : Context S Γ'} {δ : Context S E} {v : Context S Γ} (g : FormGraph E Γ C) {K : ContextType}
    {b : Context S C} {k : Context S K} {w : Written E Γ' C C K} (says : w.Says x δ ((g.toData S).eval v δ) b k) :
    (g.sweep w).Says x δ v ((g.toData S).backpropAllCtx v δ b) k := by
  induction g generalizing K with
  | nil => simpa only [sweep, sweepBy, toData, GraphData.eval, GraphData.backpropAllCtx] using says
  | snoc g name reads form hypothesis =>
    cases b with | snoc b c
    have swept := hypothesis (says.stepBack.pull form)
    refine ⟨swept.values, ?_, ?_⟩
    · exact congr (congrArg Context.snoc swept.bars) ((Places.get_last _ _).trans (congrArg Context.last swept.kept))
    · exact (Places.read_init _ _).trans (congrArg Context.init swept.kept)

end FormGraph

/-- Nothing is written yet: the inputs are those of a graph, then a seed for every id. -/
def Written.start (E Γ C : ContextType) : Written E (Γ.append C) Γ C .nil := ⟨.nil, .first Γ C, .second Γ C, .nil⟩

/-- Inputs and seeds stand there. -/
theorem Written.says_start (x : Context S Γ) (seeds : Context S C) (δ : Context S E) :
    (Written.start E Γ C).Says (x.append seeds) δ x seeds .nil where
  values := Places.read_first x seeds
  bars := Places.read_second x seeds
  kept := rfl

/--
The derivative of a graph as a graph: its inputs are those of the graph, then a seed for every id; the
cotangents of all ids stand in `bars`.
-/
def FormGraph.derive (g : FormGraph E Γ C) : Written E (Γ.append C) Γ C .nil :=
  g.sweep (g.trace (.start E Γ C))

/--
Evaluating the derived graph at inputs and seeds is backpropagation: what stands at its results is
`backpropAllCtx` of the graph, for all graphs of the operators, all inputs, all seeds and all scalars.
-/
theorem FormGraph.derive_eq_backpropAllCtx (g : FormGraph E Γ C) (x : Context S Γ) (seeds : Context S C)
    (δ : Context S E) :
    g.derive.bars.read ((g.derive.graph.toData S).eval (x.append seeds) δ) = (g.toData S).backpropAllCtx x δ seeds :=
  (g.says_sweep (g.says_trace (Written.says_start x seeds δ))).bars

/-- A graph of forms over inputs `Γ`, with the type of its whole context. -/
abbrev SomeForms (E Γ : ContextType) := (C : ContextType) × FormGraph E Γ C

/-- What it means over given scalars. -/
def SomeForms.toData (S : Type) [Scalar S] (g : SomeForms E Γ) : SomeGraph S E Γ := ⟨g.1, g.2.toData S⟩

/-- The graph with more nodes; `none` where an operator does not fit its parents or the shape is another. -/
def SomeForms.extended? (g : SomeForms E Γ) : List Instruction → Option (SomeForms E Γ)
  | [] => some g
  | ⟨op, parents, shape⟩ :: rest =>
    match op.form? (E := E) (C := g.1) parents with
    | some ⟨τ, form⟩ =>
      if τ = shape then extended? ⟨.snoc g.1 τ, g.2.snoc (reprStr op) parents form⟩ rest else none
    | none => none

/-- The graph of forms that a program denotes, whatever the scalars are. -/
def Program.forms? (p : Program) : Option (SomeForms (.ofList p.environment) (.ofList p.inputs)) :=
  SomeForms.extended? ⟨.ofList p.inputs, .nil⟩ p.nodes

/-- Nodes of operators appended are the same nodes, as forms or as functions. -/
theorem SomeForms.toData_extended? (nodes : List Instruction) (g : SomeForms E Γ) :
    (g.toData S).extended? S nodes = (g.extended? nodes).map (SomeForms.toData S) := by
  induction nodes generalizing g with
  | nil => rfl
  | cons node rest hypothesis =>
    obtain ⟨op, parents, shape⟩ := node
    unfold SomeGraph.extended? extended?
    simp only [toData] at hypothesis ⊢
    cases op.form? (E := E) (C := g.1) parents with
    | none => rfl
    | some found =>
      obtain ⟨τ, form⟩ := found
      dsimp only
      split
      · exact hypothesis ⟨_, g.2.snoc (reprStr op) parents form⟩
      · rfl

/-- Every program's graph is a graph of forms. -/
theorem Program.graph?_eq_forms? (p : Program) : p.graph? S = p.forms?.map (SomeForms.toData S) :=
  SomeForms.toData_extended? p.nodes ⟨.ofList p.inputs, .nil⟩

/--
Every program that denotes a graph has a derivative, which is a graph: evaluating it at inputs and seeds gives
`backpropAllCtx`, over any scalars.
-/
theorem Program.derive_eq_backpropAllCtx (p : Program) (g : SomeForms (.ofList p.environment) (.ofList p.inputs))
    (denotes : p.forms? = some g) : p.graph? S = some (g.toData S) ∧ ∀ x seeds δ,
      g.2.derive.bars.read ((g.2.derive.graph.toData S).eval (x.append seeds) δ)
        = (g.toData S).2.backpropAllCtx x δ seeds :=
  ⟨by rw [graph?_eq_forms?, denotes]; rfl, g.2.derive_eq_backpropAllCtx⟩

end Adjudge
