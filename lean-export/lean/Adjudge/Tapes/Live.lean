module

public import Adjudge.Refutations.Runtime
public import Adjudge.Tapes.Binomial
public import Adjudge.Tapes.Checkpointed

/-!
# What a snapshot may leave out

`reference/tapes/checkpoints/walk.ts`. A snapshot holds the values that cross a cut: those that a node behind
it reads. Where nodes depend on nothing but what they say that they read, that is enough; without one value
that is read behind the cut it is not, and no schedule is right that is not well-formed.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

/-- Two contexts have the same entries at some ids. -/
def Context.AgreeOn (ids : Nat → Prop) (a b : Context S C) : Prop :=
  ∀ ⦃τ : Shape⦄ (place : Place C τ), ids place.id → place.get a = place.get b

/-- Value and pullback of a node depend on nothing but what it says that it reads. -/
def NodeData.Local (node : NodeData S Δ C τ) : Prop :=
  ∀ (a b : Context S C) (δ : Δ), a.AgreeOn (· ∈ node.reads) b →
    node.forward a δ = node.forward b δ ∧ ∀ c, node.vjp a δ c = node.vjp b δ c

/-- The context with zeros for what is not live. -/
def Context.restrict [Zero S] (live : Nat → Bool) : {C : ContextType} → Context S C → Context S C
  | .nil, .nil => .nil
  | .snoc C τ, .snoc earlier last => (earlier.restrict live).snoc (if live C.length then last else Tensor.zeros τ)

/-- What is live is as it was. -/
theorem Context.agreeOn_restrict [Zero S] (live : Nat → Bool) (context : Context S C) :
    (context.restrict live).AgreeOn (fun id => live id = true) context := by
  intro τ place isLive
  induction place with
  | last =>
    cases context
    simp only [Place.id] at isLive
    simp [Context.restrict, Place.get, Context.last, isLive]
  | earlier place ih =>
    cases context
    exact ih _ isLive

namespace Tapes

/-- Whether a node from a position on reads an id. -/
def isLive (nodes : List (AnyNode S Δ)) (position id : Nat) : Bool :=
  (nodes.drop position).any fun any => any.node.reads.contains id

/-- What a node reads is live at its position. -/
theorem isLive_of_reads {nodes : List (AnyNode S Δ)} {position id : Nat} {any : AnyNode S Δ}
    (there : nodes[position]? = some any) (reads : id ∈ any.node.reads) : isLive nodes position id = true := by
  refine List.any_eq_true.mpr ⟨any, ?_, by simpa using reads⟩
  exact List.mem_of_getElem? (i := 0) (by simpa using there)

/-- What is live after a position is live at it. -/
theorem isLive_of_succ {nodes : List (AnyNode S Δ)} {position id : Nat} (later : isLive nodes (position + 1) id = true) :
    isLive nodes position id = true := by
  obtain ⟨any, member, reads⟩ := List.any_eq_true.mp later
  refine List.any_eq_true.mpr ⟨any, ?_, reads⟩
  rw [← List.drop_drop] at member
  exact List.mem_of_mem_drop member

/-- A snapshot that keeps what is live, and zeros for the rest. -/
def keepLive [Zero S] (g : GraphData S Δ Γ C) (position : Nat) (context : AnyContext S) : AnyContext S :=
  ⟨context.context.restrict (isLive (nodesOf g) position)⟩

/-- Every node of the list depends on nothing but what it says that it reads. -/
def AllLocal (nodes : List (AnyNode S Δ)) : Prop := ∀ any ∈ nodes, any.node.Local

/-- What agrees with the values in all that is live suffices. -/
theorem suffices_live [Zero S] {g : GraphData S Δ Γ C} (isLocal : AllLocal (nodesOf g)) (x : Context S Γ) (δ : Δ) :
    Suffices g x δ (keepLive g) fun position context =>
      ∃ (D : ContextType) (a b : Context S D), context = ⟨a⟩ ∧ stateAt g x δ position = some ⟨b⟩
        ∧ a.AgreeOn (fun id => isLive (nodesOf g) position id = true) b where
  start := ⟨Γ, x, x, rfl, stateAt_zero g x δ, fun _ _ _ => rfl⟩
  kept {position context} here := by
    obtain ⟨D, a, b, rfl, state, agree⟩ := here
    refine ⟨D, a.restrict (isLive (nodesOf g) position), b, rfl, state, fun _ place live => ?_⟩
    rw [a.agreeOn_restrict _ place live, agree place live]
  evaluated {position context any} here there := by
    obtain ⟨D, a, b, rfl, state, agree⟩ := here
    obtain ⟨ctx, own, next⟩ := stateAt_node g x δ there
    cases own.symm.trans state
    have same := (isLocal any (List.mem_of_getElem? there) a ctx δ fun _ place reads =>
      agree place (isLive_of_reads there reads)).1
    refine ⟨⟨a.snoc (any.node.forward a δ)⟩, by simp [AnyNode.evaluate], _, _, _, rfl, next, fun _ place live => ?_⟩
    cases place with
    | last => exact same
    | earlier place => exact agree place (isLive_of_succ live)
  pulled {position context any} here there := by
    obtain ⟨D, a, b, rfl, state, agree⟩ := here
    obtain ⟨ctx, own, next⟩ := stateAt_node g x δ there
    cases own.symm.trans state
    exact ⟨a, ctx, rfl, own, (isLocal any (List.mem_of_getElem? there) a ctx δ fun _ place reads =>
      agree place (isLive_of_reads there reads)).2⟩

/--
Snapshots that keep only what a node behind them reads: by every well-formed schedule the sweep is
`backpropAllCtx`, if nodes depend on nothing but what they say that they read.
-/
theorem checkpointedSweep_live_eq_backpropAllCtx [Zero S] [Add S] {g : GraphData S Δ Γ C} (isLocal : AllLocal (nodesOf g))
    (x : Context S Γ) (δ : Δ) {slots : Nat} {schedule : Schedule} (wellFormed : WellFormed slots g.size schedule)
    (seed : Context S C) :
    checkpointedSweep (keepLive g) schedule g x δ seed = some (g.backpropAllCtx x δ seed).toList :=
  (suffices_live isLocal x δ).checkpointedSweep_eq wellFormed seed

/-- The sweep by the binomial schedule is `backpropAllCtx`, for every graph and every number of slots. -/
theorem checkpointedSweep_binomial [Add S] (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (slots : Nat)
    (seed : Context S C) :
    checkpointedSweep (fun _ context => context) (binomialSchedule g.size slots) g x δ seed
      = some (g.backpropAllCtx x δ seed).toList :=
  checkpointedSweep_eq_backpropAllCtx g x δ (binomialSchedule_wellFormed g.size slots) seed

end Tapes

namespace Refutations

open Tapes

/-- `x · x`, of the input. -/
def squareNode : NodeData Int Unit One [] where
  name := "multiply"
  reads := [0]
  forward ctx _ := scalar (value ctx.last * value ctx.last)
  jvp ctx dctx _ := scalar (2 * value ctx.last * value dctx.last)
  vjp ctx _ c := .snoc .nil (scalar (2 * value ctx.last * value c))

/-- `x · y`, of the input and the value after it. -/
def productNode : NodeData Int Unit Two [] where
  name := "multiply"
  reads := [0, 1]
  forward ctx _ := scalar (value ctx.init.last * value ctx.last)
  jvp ctx dctx _ := scalar (value ctx.init.last * value dctx.last + value dctx.init.last * value ctx.last)
  vjp ctx _ c := .snoc (.snoc .nil (scalar (value ctx.last * value c))) (scalar (value ctx.init.last * value c))

/-- `x · x²`. -/
def cubeGraph : GraphData Int Unit One (.snoc Two []) := .snoc (.snoc .nil squareNode) productNode

/-- Snapshots that keep so much suffice for `x · x²` at 3, whatever is done, under a condition. -/
def Enough (condition : Schedule → Prop) (keep : Nat → AnyContext Int → AnyContext Int) : Prop :=
  ∀ schedule, condition schedule →
    checkpointedSweep keep schedule cubeGraph (one 3) () (.snoc (two 0 0) (scalar 1))
      = some (cubeGraph.backpropAllCtx (one 3) () (.snoc (two 0 0) (scalar 1))).toList

/-- With two slots, for the two nodes. -/
abbrev isRight : Schedule → Prop := WellFormed 2 2

/-- Whole contexts are enough. -/
theorem whole_enough : Enough isRight fun _ context => context := fun _ wellFormed =>
  checkpointedSweep_eq_backpropAllCtx cubeGraph (one 3) () wellFormed _

/-- Who gives other numbers by one schedule has not enough. -/
theorem not_enough {condition : Schedule → Prop} {keep : Nat → AnyContext Int → AnyContext Int} (schedule : Schedule)
    (right : condition schedule)
    (differ : (checkpointedSweep keep schedule cubeGraph (one 3) () (.snoc (two 0 0) (scalar 1))).bind
      (fun all => numbers (.ok all)) ≠ some [some 27, some 3, some 1]) : ¬ Enough condition keep := fun enough =>
  differ (by
    rw [enough schedule right]
    decide +kernel)

/-- The second snapshot is taken where the run stands, and restored at once. -/
def storedTwice : Schedule :=
  [.store 0 0, .advance 0 1, .store 1 1, .restore 1 1, .reverse 1, .restore 0 0, .reverse 0]

/-- A snapshot that keeps the last value alone, as would do for a chain. -/
def keepLast (position : Nat) (context : AnyContext Int) : AnyContext Int :=
  ⟨context.context.restrict (· == position)⟩

/-- The last value is not enough where a node reads one before it. -/
theorem keepLast_not_enough : ¬ Enough isRight keepLast :=
  not_enough storedTwice (by decide +kernel) (by decide +kernel)

/-- A snapshot without what the next node reads, as if it had been swept already. -/
def keepSwept (position : Nat) (context : AnyContext Int) : AnyContext Int := keepLive cubeGraph (position + 1) context

/-- What the node at the cut reads is live. -/
theorem keepSwept_not_enough : ¬ Enough isRight keepSwept :=
  not_enough storedTwice (by decide +kernel) (by decide +kernel)

/-- The second snapshot is put over the first. -/
def storingOver : Schedule :=
  [.store 0 0, .advance 0 1, .store 0 1, .reverse 1, .restore 0 0, .reverse 0]

/--
With one slot, and the second snapshot over the first, the schedule is not well-formed, and the sweep does not
come to its end.
-/
theorem storingOver_not_right : ¬ WellFormed 1 2 storingOver ∧ ¬ Enough (· = storingOver) fun _ context => context :=
  ⟨by decide +kernel, not_enough storingOver rfl (by decide +kernel)⟩

/-- One step short: the first step is never reversed. -/
def oneShort : Schedule := [.store 0 0, .advance 0 1, .reverse 1]

/-- A schedule that is one step short is not well-formed, and what it leaves is not the cotangent. -/
theorem oneShort_not_right : ¬ WellFormed 1 2 oneShort ∧ ¬ Enough (· = oneShort) fun _ context => context :=
  ⟨by decide +kernel, not_enough oneShort rfl (by decide +kernel)⟩

end Refutations

end Adjudge
