module

public import Adjudge.Tapes.Machine

/-!
# Recomputation is evaluation

`reference/tapes/checkpoints/checkpointed.ts`. By every well-formed schedule, the sweep with few snapshots is
`backpropAllCtx`: over all graphs, and without any law of the scalars, since what is computed again is
computed as before. A snapshot need hold only what a later node reads, if nodes depend on nothing but what
they say that they read.
-/

@[expose] public noncomputable section

namespace Adjudge.Tapes

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

/-- A context is one of its own type. -/
@[simp] theorem AnyContext.as?_self (context : Context S C) : AnyContext.as? ⟨context⟩ C = some context := by
  simp [as?]

/-- There are as many nodes as the graph says. -/
@[simp] theorem length_nodesOf (g : GraphData S Δ Γ C) : (nodesOf g).length = g.size := by
  induction g with
  | nil => rfl
  | snoc g node ih => simp [nodesOf, GraphData.size, ih]

/-- The values that the run has at a position. -/
def stateAt {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Nat → Option (AnyContext S)
  | .nil, x, _, position => if position = 0 then some ⟨x⟩ else none
  | .snoc g node, x, δ, position =>
    if position = g.size + 1 then some ⟨(g.snoc node).eval x δ⟩ else stateAt g x δ position

/-- At the end the run has all values. -/
theorem stateAt_size (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) : stateAt g x δ g.size = some ⟨g.eval x δ⟩ := by
  cases g <;> simp [stateAt, GraphData.size, GraphData.eval]

/-- At the beginning it has the inputs. -/
theorem stateAt_zero (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) : stateAt g x δ 0 = some ⟨x⟩ := by
  induction g with
  | nil => rfl
  | snoc g node ih => simp [stateAt, ih]

/-- From one position to the next, a node is evaluated. -/
theorem stateAt_node (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) {position : Nat} {any : AnyNode S Δ}
    (there : (nodesOf g)[position]? = some any) :
    ∃ ctx : Context S any.type, stateAt g x δ position = some ⟨ctx⟩
      ∧ stateAt g x δ (position + 1) = some ⟨ctx.snoc (any.node.forward ctx δ)⟩ := by
  induction g with
  | nil => simp [nodesOf] at there
  | snoc g node ih =>
    simp only [nodesOf, List.getElem?_append, length_nodesOf] at there
    split at there
    · rename_i before
      obtain ⟨ctx, here, next⟩ := ih there
      refine ⟨ctx, ?_, ?_⟩
      · simp only [stateAt, here, show position ≠ g.size + 1 by omega, ↓reduceIte]
      · simp only [stateAt, next, show position + 1 ≠ g.size + 1 by omega, ↓reduceIte]
    · rename_i notBefore
      simp only [List.getElem?_singleton] at there
      split at there
      · rename_i first
        cases there
        obtain rfl : position = g.size := by omega
        exact ⟨g.eval x δ, by simp [stateAt, stateAt_size], by simp [stateAt, GraphData.eval]⟩
      · cases there

section Sweep

variable [Add S]

/-- What a sweep must still do at so many nodes: of the cotangents in hand, as `backpropAllCtx` does. -/
def Remaining {C : ContextType} : GraphData S Δ Γ C → Context S Γ → Δ → Nat → AnyContext S → List (AnyTensor S) →
    List (AnyTensor S) → Prop
  | .nil, _, _, left, cotangents, swept, result =>
    left = 0 ∧ ∃ c : Context S Γ, cotangents = ⟨c⟩ ∧ c.toList ++ swept = result
  | .snoc (C := C) (τ := τ) g node, x, δ, left, cotangents, swept, result =>
    (left = g.size + 1 ∧ ∃ c : Context S (.snoc C τ), cotangents = ⟨c⟩
        ∧ ((g.snoc node).backpropAllCtx x δ c).toList ++ swept = result)
      ∨ (left ≤ g.size ∧ Remaining g x δ left cotangents swept result)

/-- When all nodes are left, all is to be done. -/
theorem remaining_all {g : GraphData S Δ Γ C} {x : Context S Γ} {δ : Δ} (c : Context S C) (swept : List (AnyTensor S)) :
    Remaining g x δ g.size ⟨c⟩ swept ((g.backpropAllCtx x δ c).toList ++ swept) := by
  cases g with
  | nil => exact ⟨rfl, c, rfl, rfl⟩
  | snoc g node => exact .inl ⟨rfl, c, rfl, rfl⟩

/-- There are not more nodes left than the graph has. -/
theorem remaining_bound {g : GraphData S Δ Γ C} {x : Context S Γ} {δ : Δ} {left : Nat} {cotangents : AnyContext S}
    {swept result : List (AnyTensor S)} (remaining : Remaining g x δ left cotangents swept result) : left ≤ g.size := by
  cases g with
  | nil => exact Nat.le_of_eq remaining.1
  | snoc g node =>
    rcases remaining with ⟨last, _⟩ | ⟨before, _⟩
    · exact Nat.le_of_eq last
    · exact Nat.le_succ_of_le before

/-- When none is left, nothing is. -/
theorem remaining_none {g : GraphData S Δ Γ C} {x : Context S Γ} {δ : Δ} {cotangents : AnyContext S}
    {swept result : List (AnyTensor S)} (remaining : Remaining g x δ 0 cotangents swept result) :
    cotangents.context.toList ++ swept = result := by
  induction g with
  | nil => obtain ⟨_, c, rfl, same⟩ := remaining; exact same
  | snoc g node ih =>
    rcases remaining with ⟨last, _⟩ | ⟨_, before⟩
    · omega
    · exact ih before

/-- Pulling back through the last node that is left leaves the problem of those before it. -/
theorem remaining_node {g : GraphData S Δ Γ C} {x : Context S Γ} {δ : Δ} {position : Nat} {cotangents : AnyContext S}
    {swept result : List (AnyTensor S)} (remaining : Remaining g x δ (position + 1) cotangents swept result)
    {any : AnyNode S Δ} (there : (nodesOf g)[position]? = some any) :
    ∃ c : Context S (.snoc any.type any.shape), cotangents = ⟨c⟩
      ∧ ∀ ctx : Context S any.type, stateAt g x δ position = some ⟨ctx⟩ →
        Remaining g x δ position ⟨c.init + any.node.vjp ctx δ c.last⟩ (⟨c.last⟩ :: swept) result := by
  induction g with
  | nil => simp [nodesOf] at there
  | snoc g node ih =>
    simp only [nodesOf, List.getElem?_append, length_nodesOf] at there
    rcases remaining with ⟨last, c, same, sum⟩ | ⟨before, rest⟩
    · obtain rfl : position = g.size := by omega
      simp only [Nat.lt_irrefl, ↓reduceIte, Nat.sub_self, List.getElem?_cons_zero, Option.some.injEq] at there
      subst there
      refine ⟨c, same, fun ctx state => .inr ⟨Nat.le_refl _, ?_⟩⟩
      simp only [stateAt, Nat.ne_of_lt (Nat.lt_succ_self g.size), ↓reduceIte, stateAt_size, Option.some.injEq] at state
      cases state
      rw [← sum, GraphData.backpropAllCtx, Context.toList, List.append_assoc, List.singleton_append]
      exact remaining_all _ _
    · simp only [show position < g.size by omega, ↓reduceIte] at there
      obtain ⟨c, same, sound⟩ := ih rest there
      refine ⟨c, same, fun ctx state => .inr ⟨by omega, sound ctx ?_⟩⟩
      simpa only [stateAt, show position ≠ g.size + 1 by omega, ↓reduceIte] using state

/--
Contexts that will do for the values at each position: a snapshot keeps what is needed, and evaluation and
pullback need no more.
-/
structure Suffices (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (keep : Nat → AnyContext S → AnyContext S)
    (enough : Nat → AnyContext S → Prop) : Prop where
  start : enough 0 ⟨x⟩
  kept : ∀ {position context}, enough position context → enough position (keep position context)
  evaluated : ∀ {position context any}, enough position context → (nodesOf g)[position]? = some any →
    ∃ next, any.evaluate δ context = some next ∧ enough (position + 1) next
  pulled : ∀ {position context any}, enough position context → (nodesOf g)[position]? = some any →
    ∃ ctx own : Context S any.type, context = ⟨ctx⟩ ∧ stateAt g x δ position = some ⟨own⟩
      ∧ ∀ c, any.node.vjp ctx δ c = any.node.vjp own δ c

/-- What is in hand is where the schedule has come to. -/
structure Matches (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (enough : Nat → AnyContext S → Prop)
    (result : List (AnyTensor S)) (progress : Progress) (front : Front S) : Prop where
  held : ∀ slot position, progress.held slot = some position →
    ∃ context, front.slots slot = some (position, context) ∧ enough position context
  position : front.position = progress.position
  run : enough progress.position front.run
  remaining : Remaining g x δ progress.left front.cotangents front.swept result

variable {g : GraphData S Δ Γ C} {x : Context S Γ} {δ : Δ} {keep : Nat → AnyContext S → AnyContext S}
  {enough : Nat → AnyContext S → Prop}

omit [Add S] in
/-- Advancing evaluates the nodes in between. -/
theorem Suffices.advance (sound : Suffices g x δ keep enough) {position : Nat} {context : AnyContext S}
    (here : enough position context) (count : Nat) (inside : position + count ≤ g.size) :
    ∃ next, Tapes.advance (nodesOf g) δ position context count = some next ∧ enough (position + count) next := by
  induction count with
  | zero => exact ⟨context, rfl, here⟩
  | succ count ih =>
    obtain ⟨reached, made, there⟩ := ih (by omega)
    have at_node : (nodesOf g)[position + count]? = some ((nodesOf g)[position + count]'(by simp; omega)) :=
      List.getElem?_eq_getElem _
    obtain ⟨next, evaluated, good⟩ := sound.evaluated there at_node
    exact ⟨next, by simp only [Tapes.advance, made, at_node, evaluated], good⟩

/-- Doing an action that is as it says keeps in hand what is needed. -/
theorem Matches.act (sound : Suffices g x δ keep enough) {result : List (AnyTensor S)} {progress next : Progress}
    {front : Front S} (fits : Matches g x δ enough result progress front) {slots : Nat} {action : Action}
    (follows : progress.follow slots g.size action = some next) :
    ∃ after, front.act (nodesOf g) δ keep action = some after ∧ Matches g x δ enough result next after := by
  cases action with
  | store slot position =>
    simp only [Progress.follow] at follows
    split at follows <;> cases follows
    rename_i right
    refine ⟨_, rfl, fun other held said => ?_, fits.position, fits.run, fits.remaining⟩
    by_cases same : other = slot
    · subst same
      simp only [update_same, Option.some.injEq] at said
      subst said
      refine ⟨keep front.position front.run, by simp [fits.position, right.2], ?_⟩
      rw [fits.position, right.2]
      exact sound.kept fits.run
    · simp only [update_other _ _ same] at said ⊢
      exact fits.held other held said
  | restore slot position =>
    simp only [Progress.follow] at follows
    split at follows <;> cases follows
    rename_i right
    obtain ⟨context, stored, good⟩ := fits.held slot position right
    exact ⟨{ front with run := context, position }, by simp only [Front.act, stored, Option.map_some],
      fits.held, rfl, good, fits.remaining⟩
  | advance source target =>
    simp only [Progress.follow] at follows
    split at follows <;> cases follows
    rename_i right
    obtain ⟨rfl, forwards, inside⟩ := right
    obtain ⟨run, made, good⟩ := sound.advance fits.run (target - progress.position) (by omega)
    rw [show progress.position + (target - progress.position) = target by omega] at good
    exact ⟨{ front with run, position := target }, by simp only [Front.act, fits.position, made, Option.map_some],
      fits.held, rfl, good, fits.remaining⟩
  | reverse step =>
    simp only [Progress.follow] at follows
    split at follows <;> cases follows
    rename_i right
    obtain ⟨rfl, left⟩ := right
    have remaining := fits.remaining
    rw [← left] at remaining
    have inside : progress.position < (nodesOf g).length := by
      by_cases inside : progress.position < (nodesOf g).length
      · exact inside
      · exact absurd (remaining_bound remaining) (by simp at inside; omega)
    have at_node : (nodesOf g)[progress.position]? = some (nodesOf g)[progress.position] := List.getElem?_eq_getElem inside
    obtain ⟨c, hand, rest⟩ := remaining_node remaining at_node
    obtain ⟨ctx, own, run, state, same⟩ := sound.pulled fits.run at_node
    refine ⟨{ front with
      cotangents := ⟨c.init + (nodesOf g)[progress.position].node.vjp ctx δ c.last⟩
      swept := ⟨c.last⟩ :: front.swept }, ?_, fits.held, fits.position, fits.run, ?_⟩
    · simp [Front.act, fits.position, at_node, pullLast, run, hand]
    · rw [same]; exact rest own state

/-- Doing the actions of a schedule that is as it says. -/
theorem Matches.actAll (sound : Suffices g x δ keep enough) {result : List (AnyTensor S)} {progress last : Progress}
    {front : Front S} (fits : Matches g x δ enough result progress front) {slots : Nat} {schedule : Schedule}
    (follows : progress.followAll slots g.size schedule = some last) :
    ∃ after, front.actAll (nodesOf g) δ keep schedule = some after ∧ Matches g x δ enough result last after := by
  induction schedule generalizing progress front with
  | nil => cases follows; exact ⟨front, rfl, fits⟩
  | cons action rest ih =>
    simp only [Progress.followAll] at follows
    split at follows
    · rename_i next followed
      obtain ⟨after, acted, still⟩ := fits.act sound followed
      obtain ⟨final, all, good⟩ := ih still follows
      exact ⟨final, by simp only [Front.actAll, acted, all], good⟩
    · cases follows

/--
Where snapshots keep what is needed, the sweep by a well-formed schedule succeeds and is `backpropAllCtx`,
shapes erased.
-/
theorem Suffices.checkpointedSweep_eq (sound : Suffices g x δ keep enough) {slots : Nat} {schedule : Schedule}
    (wellFormed : WellFormed slots g.size schedule) (seed : Context S C) :
    checkpointedSweep keep schedule g x δ seed = some (g.backpropAllCtx x δ seed).toList := by
  obtain ⟨last, followed, done⟩ := Option.map_eq_some_iff.mp wellFormed
  have begin_ : Matches g x δ enough (g.backpropAllCtx x δ seed).toList (Progress.start g.size)
      ⟨fun _ => none, ⟨x⟩, 0, ⟨seed⟩, []⟩ :=
    ⟨fun _ _ said => by simp [Progress.start] at said, rfl, sound.start,
      by simpa using remaining_all (g := g) (x := x) (δ := δ) seed []⟩
  obtain ⟨after, acted, fits⟩ := begin_.actAll sound followed
  have remaining := fits.remaining
  rw [done] at remaining
  simp only [checkpointedSweep, acted, Option.map_some, remaining_none remaining]

omit [Add S] in
/-- Whole contexts suffice. -/
theorem suffices_whole (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) :
    Suffices g x δ (fun _ context => context) fun position context => stateAt g x δ position = some context where
  start := stateAt_zero g x δ
  kept here := here
  evaluated {position context any} here there := by
    obtain ⟨ctx, state, next⟩ := stateAt_node g x δ there
    cases here.symm.trans state
    exact ⟨_, by simp [AnyNode.evaluate], next⟩
  pulled {position context any} here there := by
    obtain ⟨ctx, state, _⟩ := stateAt_node g x δ there
    cases here.symm.trans state
    exact ⟨ctx, ctx, rfl, state, fun _ => rfl⟩

/--
By every well-formed schedule, the checkpointed sweep succeeds and is `backpropAllCtx`, shapes erased: of any
graph, and of the scalars no law is asked, since recomputation is evaluation.
-/
theorem checkpointedSweep_eq_backpropAllCtx (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) {slots : Nat}
    {schedule : Schedule} (wellFormed : WellFormed slots g.size schedule) (seed : Context S C) :
    checkpointedSweep (fun _ context => context) schedule g x δ seed = some (g.backpropAllCtx x δ seed).toList :=
  (suffices_whole g x δ).checkpointedSweep_eq wellFormed seed

end Sweep

end Adjudge.Tapes
