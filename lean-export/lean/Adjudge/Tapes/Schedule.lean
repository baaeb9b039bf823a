module

public import Adjudge.Graph

/-!
# Schedules of sweeps with few snapshots

`reference/tapes/checkpoints/schedule.ts`: what is done with slots, positions and steps, without computing.
Positions count the steps made: to pull back step `i`, the run must stand at position `i`.
-/

@[expose] public noncomputable section

namespace Adjudge.Tapes

/-- What is done next. An action says where it believes to be; in a well-formed schedule it is right. -/
inductive Action where
  /-- The state at this position, where the run stands, is put into a slot, over what is there. -/
  | store (slot position : Nat)
  /-- The run stands again where the slot's snapshot was taken. -/
  | restore (slot position : Nat)
  /-- The steps from one position to another are made. -/
  | advance (source target : Nat)
  /-- The step at whose beginning the run stands is pulled back; all later ones have been. -/
  | reverse (step : Nat)
  deriving DecidableEq, Repr

/-- Actions in order. -/
abbrev Schedule := List Action

/--
Where a schedule has come to: which position each slot holds, where the run stands, how many steps are left to
reverse.
-/
structure Progress where
  held : Nat → Option Nat
  position : Nat
  left : Nat

/-- `f` with another value at one place. -/
def update {α : Type} (f : Nat → α) (place : Nat) (value : α) : Nat → α :=
  fun i => if i = place then value else f i

/-- At the place, the new value. -/
@[simp] theorem update_same {α : Type} (f : Nat → α) (place : Nat) (value : α) : update f place value place = value := by
  simp [update]

/-- Elsewhere, the old one. -/
theorem update_other {α : Type} (f : Nat → α) (value : α) {place i : Nat} (other : i ≠ place) :
    update f place value i = f i := by
  simp [update, other]

/-- The beginning: nothing is held, the run stands at 0 and all steps are left. -/
def Progress.start (length : Nat) : Progress := ⟨fun _ => none, 0, length⟩

/-- An action, followed; `none` where it is not as it says, or needs a slot or a step that there is not. -/
def Progress.follow (slots length : Nat) (progress : Progress) : Action → Option Progress
  | .store slot position =>
    if slot < slots ∧ position = progress.position then
      some { progress with held := update progress.held slot (some position) }
    else none
  | .restore slot position =>
    if progress.held slot = some position then some { progress with position } else none
  | .advance source target =>
    if source = progress.position ∧ source ≤ target ∧ target ≤ length then some { progress with position := target } else none
  | .reverse step =>
    if step = progress.position ∧ step + 1 = progress.left then some { progress with left := step } else none

/-- All actions, followed in order. -/
def Progress.followAll (slots length : Nat) (progress : Progress) : Schedule → Option Progress
  | [] => some progress
  | action :: rest =>
    match progress.follow slots length action with
    | some next => next.followAll slots length rest
    | none => none

/-- With so many slots, every action of the schedule is right, and at last all steps are reversed. -/
def WellFormed (slots length : Nat) (schedule : Schedule) : Prop :=
  ((Progress.start length).followAll slots length schedule).map Progress.left = some 0

instance (slots length : Nat) (schedule : Schedule) : Decidable (WellFormed slots length schedule) :=
  inferInstanceAs (Decidable (_ = _))

/-- The steps that one action makes beside those it reverses. -/
def Action.steps : Action → Nat
  | .advance source target => target - source
  | _ => 0

/-- The steps made in advances, the first way forward included: the extra steps of the sweep. -/
def extraSteps : Schedule → Nat
  | [] => 0
  | action :: rest => action.steps + extraSteps rest

/-- The extra steps of two schedules one after the other are those of both. -/
theorem extraSteps_append (first second : Schedule) :
    extraSteps (first ++ second) = extraSteps first + extraSteps second := by
  induction first with
  | nil => simp [extraSteps]
  | cons action rest ih => simp [extraSteps, ih, Nat.add_assoc]

/-- Following two schedules one after the other. -/
theorem Progress.followAll_append (slots length : Nat) (progress : Progress) (first second : Schedule) :
    progress.followAll slots length (first ++ second)
      = (progress.followAll slots length first).bind fun next => next.followAll slots length second := by
  induction first generalizing progress with
  | nil => rfl
  | cons action rest ih =>
    simp only [List.cons_append, followAll]
    cases progress.follow slots length action with
    | none => rfl
    | some next => exact ih next

end Adjudge.Tapes
