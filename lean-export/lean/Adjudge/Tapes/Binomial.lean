module

public import Adjudge.Tapes.Numbers
public import Adjudge.Tapes.Schedule

/-!
# Schedules that split, and the binomial one

`reversalOf` and `binomialSchedule` of `reference/tapes/checkpoints/binomial.ts`. A part of a chain whose
beginning is in a slot is reversed by putting the state in between into the next slot, reversing the right
part, and then the left one. Wherever it is split, such a schedule is well-formed; none is cheaper than the
formula, and the binomial one costs just that.
-/

@[expose] public noncomputable section

namespace Adjudge.Tapes

/-- How many steps are made before the next snapshot, of so many steps with so many slots. -/
abbrev Split := Nat → Nat → Nat

/-- A split between the first step and the last one. -/
def Split.within (split : Split) (length slots : Nat) : Nat := max 1 (min (split length slots) (length - 1))

/--
Reverses `length` steps from `source` on, whose state is in `slot` and where the run stands; so many slots
above that one are free. `fuel` is at least the length.
-/
def reversal (split : Split) : (fuel source length slot free : Nat) → Schedule
  | 0, _, _, _, _ => []
  | _ + 1, _, 0, _, _ => []
  | _ + 1, source, 1, _, _ => [.reverse source]
  | fuel + 1, source, length + 2, slot, 0 =>
    [.advance source (source + (length + 1)), .reverse (source + (length + 1)), .restore slot source]
      ++ reversal split fuel source (length + 1) slot 0
  | fuel + 1, source, length + 2, slot, free + 1 =>
    let cut := split.within (length + 2) (free + 1 + 1)
    [.advance source (source + cut), .store (slot + 1) (source + cut)]
      ++ reversal split fuel (source + cut) (length + 2 - cut) (slot + 1) free
      ++ [.restore slot source]
      ++ reversal split fuel source cut slot (free + 1)

/-- The schedule of a whole chain, with `slots + 1` slots, of which the beginning takes one. -/
def splitSchedule (split : Split) (length slots : Nat) : Schedule :=
  .store 0 0 :: reversal split length 0 length 0 slots

/-- The binomial schedule, `revolve`. -/
def binomialSchedule (length slots : Nat) : Schedule := splitSchedule binomialSplit length slots

/-- A split lies within. -/
theorem Split.within_bounds (split : Split) (length slots : Nat) :
    1 ≤ split.within (length + 2) slots ∧ split.within (length + 2) slots ≤ length + 1 := by
  unfold within; omega

/-- Reversing a part leaves nothing of it, and the slots up to its own as they were. -/
theorem followAll_reversal (split : Split) {slots whole : Nat} (fuel source length slot free : Nat)
    (enough : length ≤ fuel) (room : slot + free < slots) (inside : source + length ≤ whole)
    (progress : Progress) (held : progress.held slot = some source) (position : progress.position = source)
    (left : progress.left = source + length) :
    ∃ next, progress.followAll slots whole (reversal split fuel source length slot free) = some next
      ∧ next.left = source ∧ ∀ i, i ≤ slot → next.held i = progress.held i := by
  induction fuel generalizing source length slot free progress with
  | zero =>
    obtain rfl : length = 0 := by omega
    exact ⟨progress, rfl, left, fun _ _ => rfl⟩
  | succ fuel ih =>
    match length, free with
    | 0, _ => exact ⟨progress, rfl, left, fun _ _ => rfl⟩
    | 1, _ =>
      refine ⟨{ progress with left := source }, ?_, rfl, fun _ _ => rfl⟩
      simp [reversal, Progress.followAll, Progress.follow, position, left]
    | length + 2, 0 =>
      obtain ⟨next, followed, done, same⟩ := ih source (length + 1) slot 0 (by omega) room (by omega)
        ⟨progress.held, source, source + (length + 1)⟩ held rfl rfl
      refine ⟨next, ?_, done, same⟩
      rw [reversal, Progress.followAll_append, ← followed]
      have fit : source + (length + 1) ≤ whole := by omega
      simp [Progress.followAll, Progress.follow, position, left, held, fit, Nat.add_assoc]
    | length + 2, free + 1 =>
      have bounds := split.within_bounds length (free + 1 + 1)
      simp only [reversal]
      generalize split.within (length + 2) (free + 1 + 1) = cut at bounds
      obtain ⟨middle, right, rest, kept⟩ := ih (source + cut) (length + 2 - cut) (slot + 1) free (by omega) (by omega)
        (by omega) ⟨update progress.held (slot + 1) (some (source + cut)), source + cut, progress.left⟩
        (by simp) rfl (by simp only [left]; omega)
      have still : ∀ i, i ≤ slot → middle.held i = progress.held i := fun i low => by
        rw [kept i (by omega)]
        exact update_other _ _ (by omega)
      obtain ⟨next, followed, done, same⟩ := ih source cut slot (free + 1) (by omega) (by omega) (by omega)
        ⟨middle.held, source, middle.left⟩ (by simp [still slot (by omega), held]) rfl rest
      refine ⟨next, ?_, done, fun i low => by rw [same i low]; exact still i low⟩
      have fit : source + cut ≤ whole := by omega
      have free_slot : slot + 1 < slots := by omega
      have begun : progress.followAll slots whole
          [.advance source (source + cut), .store (slot + 1) (source + cut)]
            = some ⟨update progress.held (slot + 1) (some (source + cut)), source + cut, progress.left⟩ := by
        simp [Progress.followAll, Progress.follow, position, fit, free_slot]
      have back : middle.followAll slots whole [.restore slot source] = some ⟨middle.held, source, middle.left⟩ := by
        simp [Progress.followAll, Progress.follow, still slot (by omega), held]
      rw [Progress.followAll_append, Progress.followAll_append, Progress.followAll_append, begun, Option.bind_some,
        right, Option.bind_some, back, Option.bind_some, followed]

/-- Wherever it is split, the schedule of a chain is well-formed. -/
theorem splitSchedule_wellFormed (split : Split) (length slots : Nat) :
    WellFormed (slots + 1) length (splitSchedule split length slots) := by
  obtain ⟨next, followed, done, _⟩ := followAll_reversal split (slots := slots + 1) (whole := length) length 0 length 0 slots
    (by omega) (by omega) (by omega) ⟨update (fun _ => none) 0 (some 0), 0, length⟩ (by simp) rfl (by simp)
  have begun : (Progress.start length).follow (slots + 1) length (.store 0 0)
      = some ⟨update (fun _ => none) 0 (some 0), 0, length⟩ := by
    simp [Progress.follow, Progress.start]
  rw [WellFormed, splitSchedule, Progress.followAll, begun]
  simp only [followed, Option.map_some, done]

/-- The binomial schedule is well-formed. -/
theorem binomialSchedule_wellFormed (length slots : Nat) :
    WellFormed (slots + 1) length (binomialSchedule length slots) :=
  splitSchedule_wellFormed binomialSplit length slots

/-- No schedule that splits is cheaper than the formula. -/
theorem binomialCost_le_reversal (split : Split) (fuel source length slot free : Nat) (enough : length ≤ fuel) :
    binomialCost length (free + 1) ≤ extraSteps (reversal split fuel source length slot free) := by
  induction fuel generalizing source length slot free with
  | zero =>
    obtain rfl : length = 0 := by omega
    simp [binomialCost_of_le_one]
  | succ fuel ih =>
    match length, free with
    | 0, _ => simp [binomialCost_of_le_one]
    | 1, _ => simp [binomialCost_of_le_one]
    | length + 2, 0 =>
      have := ih source (length + 1) slot 0 (by omega)
      have : binomialCost (length + 2) 1 = length + 1 + binomialCost (length + 1) 1 := binomialCost_one_slot (length + 1)
      simp only [reversal, extraSteps_append, extraSteps, Action.steps, Nat.zero_add] at *
      omega
    | length + 2, free + 1 =>
      have bounds := split.within_bounds length (free + 1 + 1)
      simp only [reversal, extraSteps_append, extraSteps, Action.steps]
      generalize split.within (length + 2) (free + 1 + 1) = cut at bounds
      have := ih (source + cut) (length + 2 - cut) (slot + 1) free (by omega)
      have := ih source cut slot (free + 1) (by omega)
      have best := binomialCost_le_split free cut (length + 2 - cut)
      rw [show cut + (length + 2 - cut) = length + 2 by omega] at best
      omega

/-- The binomial schedule of a part costs what the formula says. -/
theorem extraSteps_reversal (fuel source length slot free : Nat) (enough : length ≤ fuel) :
    extraSteps (reversal binomialSplit fuel source length slot free) = binomialCost length (free + 1) := by
  induction fuel generalizing source length slot free with
  | zero =>
    obtain rfl : length = 0 := by omega
    simp [reversal, extraSteps, binomialCost_of_le_one]
  | succ fuel ih =>
    match length, free with
    | 0, _ => simp [reversal, extraSteps, binomialCost_of_le_one]
    | 1, _ => simp [reversal, extraSteps, Action.steps, binomialCost_of_le_one]
    | length + 2, 0 =>
      have := ih source (length + 1) slot 0 (by omega)
      have : binomialCost (length + 2) 1 = length + 1 + binomialCost (length + 1) 1 := binomialCost_one_slot (length + 1)
      simp only [reversal, extraSteps_append, extraSteps, Action.steps, Nat.zero_add] at *
      omega
    | length + 2, free + 1 =>
      obtain ⟨right, whole, cut_pos, right_pos, best⟩ := binomialCost_eq_split free (length := length + 2) (by omega)
      have same : Split.within binomialSplit (length + 2) (free + 1 + 1) = binomialSplit (length + 2) (free + 1 + 1) := by
        unfold Split.within; omega
      simp only [reversal, extraSteps_append, extraSteps, Action.steps, same]
      generalize binomialSplit (length + 2) (free + 1 + 1) = cut at *
      have := ih (source + cut) (length + 2 - cut) (slot + 1) free (by omega)
      have := ih source cut slot (free + 1) (by omega)
      obtain rfl : right = length + 2 - cut := by omega
      omega

/--
With `s` slots and `r` the least repetition with `C(s + r, s) ≥ l`, the binomial schedule of `l` steps makes
`r·l − C(s + r, r − 1)` extra steps.
-/
theorem extraSteps_binomialSchedule (length slots : Nat) :
    extraSteps (binomialSchedule length slots) = binomialCost length (slots + 1) := by
  simp [binomialSchedule, splitSchedule, extraSteps, Action.steps, extraSteps_reversal length 0 length 0 slots (by omega)]

/-- No schedule that splits has fewer extra steps than the binomial one. -/
theorem extraSteps_binomialSchedule_le (split : Split) (length slots : Nat) :
    extraSteps (binomialSchedule length slots) ≤ extraSteps (splitSchedule split length slots) := by
  have := binomialCost_le_reversal split length 0 length 0 slots (by omega)
  rw [extraSteps_binomialSchedule]
  simpa [splitSchedule, extraSteps, Action.steps] using this

end Adjudge.Tapes
