module

public import Adjudge.State.Machine

/-!
# What decides nothing

Reading and writing take no decision, and so does no program without a condition.
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type} {holds : List S → Bool} {literal : Nat → S}

/-- The decisions that an execution has taken. -/
def World.taken (w : World (machine holds)) : List Bool := w.state

/-- Reading decides nothing. -/
theorem Setting.valueOf_taken {name : Nat} {w w' : World (machine holds)} {v : List S}
    (h : (execution holds literal).valueOf name w = some (v, w')) : w'.taken = w.taken := by
  simp only [Setting.valueOf] at h
  split at h
  · cases h; rfl
  · simp only [execution, machine, Option.map_map, Option.map_eq_some_iff] at h
    obtain ⟨_, _, made⟩ := h
    cases made; rfl
  · simp only [execution, machine, Option.bind_eq_some_iff, Option.map_map, Option.map_eq_some_iff] at h
    obtain ⟨_, _, _, _, made⟩ := h
    cases made; rfl
  · contradiction

/-- Nor does reading several. -/
theorem Setting.valuesOf_taken {names : List Nat} {w w' : World (machine holds)} {vs : List (List S)}
    (h : (execution holds literal).valuesOf names w = some (vs, w')) : w'.taken = w.taken := by
  induction names generalizing w vs with
  | nil => cases h; rfl
  | cons name rest ih =>
    simp only [Setting.valuesOf, Option.bind_eq_some_iff, Option.map_eq_some_iff] at h
    obtain ⟨⟨v, w₁⟩, first, ⟨us, w₂⟩, others, made⟩ := h
    cases made
    exact (ih others).trans (Setting.valueOf_taken first)

/-- Nor does writing. -/
theorem Setting.writeTo_taken {target : Nat} {w w' : World (machine holds)} {v : List S}
    (h : (execution holds literal).writeTo target v w = some w') : w'.taken = w.taken := by
  simp only [Setting.writeTo] at h
  split at h
  · split at h
    · simp only [execution, machine, Option.bind_eq_some_iff, Option.map_map, Option.map_eq_some_iff] at h
      obtain ⟨_, _, _, _, made⟩ := h
      cases made; rfl
    · contradiction
  · contradiction

/-- Whether a program has no condition: it is a straight line, loops of known length written out. -/
def Statement.isUnconditional : Statement S → Bool
  | .seq first second => first.isUnconditional && second.isUnconditional
  | .loop _ _ body => body.isUnconditional
  | .branch .. | .while .. => false
  | _ => true

/-- Such a program decides nothing. -/
theorem Statement.taken_of_isUnconditional {program : Statement S} (h : program.isUnconditional = true)
    {w w' : World (machine holds)} (run : (execution holds literal).run program w = some w') : w'.taken = w.taken := by
  induction program generalizing w w' with
  | done => cases run; rfl
  | seq first second ih ih' =>
    simp only [isUnconditional, Bool.and_eq_true] at h
    simp only [Setting.run, Option.bind_eq_some_iff] at run
    obtain ⟨w₁, run, run'⟩ := run
    exact (ih' h.2 run').trans (ih h.1 run)
  | bind name operator operands =>
    simp only [Setting.run, Option.bind_eq_some_iff, Option.map_eq_some_iff] at run
    obtain ⟨⟨vs, w₁⟩, read, ⟨v, taken⟩, applied, made⟩ := run
    cases made
    simp only [execution, machine, Option.map_eq_some_iff] at applied
    obtain ⟨_, _, made⟩ := applied
    cases made
    have same := Setting.valuesOf_taken read
    exact same
  | rebind name to =>
    simp only [Setting.run, Option.map_eq_some_iff] at run
    obtain ⟨_, _, made⟩ := run
    cases made
    rfl
  | buffer name source =>
    simp only [Setting.run, Option.map_eq_some_iff] at run
    obtain ⟨⟨v, w₁⟩, read, made⟩ := run
    cases made
    have same := Setting.valueOf_taken read
    exact same
  | view name source how =>
    simp only [Setting.run] at run
    split at run
    · simp only [Option.map_eq_some_iff] at run
      obtain ⟨_, _, made⟩ := run
      cases made
      rfl
    · contradiction
  | write target source =>
    simp only [Setting.run, Option.bind_eq_some_iff] at run
    obtain ⟨⟨v, w₁⟩, read, written⟩ := run
    exact (Setting.writeTo_taken written).trans (Setting.valueOf_taken read)
  | update target operator source =>
    simp only [Setting.run, Option.bind_eq_some_iff] at run
    obtain ⟨⟨vs, w₁⟩, read, ⟨v, taken⟩, applied, written⟩ := run
    simp only [execution, machine, Option.map_eq_some_iff] at applied
    obtain ⟨_, _, made⟩ := applied
    cases made
    exact (Setting.writeTo_taken written).trans (Setting.valuesOf_taken read)
  | branch => contradiction
  | loop counter times body ih =>
    simp only [isUnconditional] at h
    simp only [Setting.run] at run
    induction times generalizing w' with
    | zero => cases run; rfl
    | succ times turns =>
      simp only [Setting.turns, Option.bind_eq_some_iff] at run
      obtain ⟨w₁, run, run'⟩ := run
      have last := ih h run'
      have last : w'.taken = w₁.taken := last
      exact last.trans (turns run)
  | «while» => contradiction

end Adjudge.State
