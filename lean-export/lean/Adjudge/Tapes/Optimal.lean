module

public import Adjudge.Tapes.Binomial

/-!
# No schedule has fewer extra steps

`optimalSchedule` of `reference/tapes/checkpoints/optimum.ts` says so of chains of equal steps. Let `n i` be
how often step `i` is made in advances. Over a window of steps in which at most `k` snapshots are held at
once, the sum of `r − n i` is at most the surplus of `k + 1` slots: of all positions that are free of
snapshots when the run comes back from before the window, the greatest splits it into a left part, over which
one pass was for nothing, and a right part, in which a snapshot less is held.
-/

@[expose] public noncomputable section

namespace Adjudge.Tapes

/-- A run by single steps, at times up to an end: what is held, where it stands, how many steps are left. -/
structure Trace (slots length final : Nat) where
  held : Nat → Nat → Option Nat
  run : Nat → Nat
  left : Nat → Nat
  forward : Nat → Bool
  forwards : ∀ t, t < final → forward t = true →
    run (t + 1) = run t + 1 ∧ held (t + 1) = held t ∧ left (t + 1) = left t ∧ run t < length
  others : ∀ t, t < final → forward t = false →
    (∃ slot, slot < slots ∧ held (t + 1) = update (held t) slot (some (run t)) ∧ run (t + 1) = run t ∧ left (t + 1) = left t)
    ∨ (∃ slot, held t slot = some (run (t + 1)) ∧ held (t + 1) = held t ∧ left (t + 1) = left t)
    ∨ (run t + 1 = left t ∧ left (t + 1) = run t ∧ run (t + 1) = run t ∧ held (t + 1) = held t)
  bounded : ∀ slot p, held 0 slot = some p → slot < slots
  finished : left final = 0

/-- How many slots hold a position between two. -/
def countIn (held : Nat → Option Nat) (low high : Nat) : Nat → Nat
  | 0 => 0
  | slots + 1 => countIn held low high slots
    + match held slots with
      | some p => if low < p ∧ p < high then 1 else 0
      | none => 0

/-- A slot that holds a position between them counts. -/
theorem countIn_pos {held : Nat → Option Nat} {low high slots slot p : Nat} (inside : slot < slots)
    (holds : held slot = some p) (above : low < p) (below : p < high) : 1 ≤ countIn held low high slots := by
  induction slots with
  | zero => omega
  | succ slots ih =>
    simp only [countIn]
    by_cases same : slot = slots
    · subst same; simp [holds, above, below]
    · have := ih (by omega); omega

/-- Between positions farther apart there are no fewer. -/
theorem countIn_mono (held : Nat → Option Nat) {low low' high high' : Nat} (slots : Nat) (lower : low' ≤ low)
    (higher : high ≤ high') : countIn held low high slots ≤ countIn held low' high' slots := by
  induction slots with
  | zero => exact Nat.le_refl _
  | succ slots ih =>
    simp only [countIn]
    cases held slots with
    | none => simpa using ih
    | some p =>
      simp only
      split <;> split <;> omega

/-- A slot that holds a position before the middle is one more than those behind it. -/
theorem countIn_succ {held : Nat → Option Nat} {low mid high slots slot p : Nat} (inside : slot < slots)
    (holds : held slot = some p) (above : low < p) (below : p ≤ mid) (order : mid < high) :
    countIn held mid high slots + 1 ≤ countIn held low high slots := by
  induction slots with
  | zero => omega
  | succ slots ih =>
    simp only [countIn]
    by_cases same : slot = slots
    · subst same
      have := countIn_mono held slot (show low ≤ mid by omega) (Nat.le_refl high)
      simp only [holds]
      split <;> split <;> omega
    · have := ih (by omega)
      cases held slots with
      | none => simpa using this
      | some q =>
        simp only
        split <;> split <;> omega

/-- Putting a position into a slot that is not between them makes no more. -/
theorem countIn_update {held : Nat → Option Nat} {low high slots slot p : Nat} (outside : ¬ (low < p ∧ p < high)) :
    countIn (update held slot (some p)) low high slots ≤ countIn held low high slots := by
  induction slots with
  | zero => exact Nat.le_refl _
  | succ slots ih =>
    simp only [countIn]
    by_cases same : slots = slot
    · subst same
      simp only [update_same, outside, ↓reduceIte]
      omega
    · simp only [update_other _ _ same]
      omega

/-- `f a + … + f (a + n - 1)` -/
def total (f : Nat → Nat) (a : Nat) : Nat → Nat
  | 0 => 0
  | n + 1 => total f a n + f (a + n)

/-- A sum over a window is that over both its parts. -/
theorem total_append (f : Nat → Nat) (a m n : Nat) : total f a (m + n) = total f a m + total f (a + m) n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show total f a (m + n) + f (a + (m + n)) = total f a m + (total f (a + m) n + f (a + m + n))
    rw [ih, Nat.add_assoc a m n, Nat.add_assoc]

/-- Sums grow with their summands. -/
theorem total_le {f g : Nat → Nat} {a n : Nat} (le : ∀ i, a ≤ i → i < a + n → f i ≤ g i) : total f a n ≤ total g a n := by
  induction n with
  | zero => exact Nat.le_refl _
  | succ n ih =>
    have := ih fun i low high => le i low (by omega)
    have := le (a + n) (by omega) (by omega)
    simp only [total]; omega

/-- The surplus of `r` passes is no less than `r`. -/
theorem le_surplus (s r : Nat) : r ≤ surplus s r := by
  induction r with
  | zero => omega
  | succ r ih => have := reach_pos s r; rw [surplus_succ_right]; omega

namespace Trace

variable {slots length final : Nat} (trace : Trace slots length final)

/-- How often a step has been made before a time. -/
def made (i : Nat) : Nat → Nat
  | 0 => 0
  | t + 1 => made i t + if trace.forward t = true ∧ trace.run t = i then 1 else 0

/-- Later, no less has been made. -/
theorem made_mono (i : Nat) {t t' : Nat} (le : t ≤ t') : trace.made i t ≤ trace.made i t' := by
  induction le with
  | refl => exact Nat.le_refl _
  | step _ ih => simp only [made]; omega

/-- Later, no more is left. -/
theorem left_le {t : Nat} (inside : t < final) : trace.left (t + 1) ≤ trace.left t := by
  cases forward : trace.forward t with
  | true => exact Nat.le_of_eq (trace.forwards t inside forward).2.2.1
  | false =>
    rcases trace.others t inside forward with ⟨_, _, _, _, h⟩ | ⟨_, _, _, h⟩ | ⟨h, h', _⟩
    · omega
    · omega
    · omega

/-- Only slots that there are hold anything. -/
theorem slot_lt {t : Nat} (inside : t ≤ final) {slot p : Nat} (holds : trace.held t slot = some p) : slot < slots := by
  induction t with
  | zero => exact trace.bounded slot p holds
  | succ t ih =>
    cases forward : trace.forward t with
    | true => rw [(trace.forwards t inside forward).2.1] at holds; exact ih (by omega) holds
    | false =>
      rcases trace.others t inside forward with ⟨other, there, h, _⟩ | ⟨_, _, h, _⟩ | ⟨_, _, _, h⟩
      · rw [h] at holds
        by_cases same : slot = other
        · exact same ▸ there
        · rw [update_other _ _ same] at holds; exact ih (by omega) holds
      · rw [h] at holds; exact ih (by omega) holds
      · rw [h] at holds; exact ih (by omega) holds

/-- From beyond a position the run comes back before it only by a snapshot that is before it. -/
theorem returns (low : Nat → Prop) (b : Nat) {t : Nat} (inside : t ≤ final) (beyond : b < trace.run t)
    (unfinished : b < trace.left t) (none_ : ∀ slot p, trace.held t slot = some p → p ≤ b → low p) :
    ∃ t', t ≤ t' ∧ t' ≤ final ∧ low (trace.run t') ∧ b < trace.left t'
      ∧ ∀ slot p, trace.held t' slot = some p → p ≤ b → low p := by
  induction h : final - t generalizing t with
  | zero =>
    obtain rfl : t = final := by omega
    have := trace.finished
    omega
  | succ n ih =>
    have before : t < final := by omega
    have go : b < trace.run (t + 1) → b < trace.left (t + 1)
        → (∀ slot p, trace.held (t + 1) slot = some p → p ≤ b → low p) →
        ∃ t', t ≤ t' ∧ t' ≤ final ∧ low (trace.run t') ∧ b < trace.left t'
          ∧ ∀ slot p, trace.held t' slot = some p → p ≤ b → low p := fun x y z => by
      obtain ⟨t', later, h⟩ := ih (by omega) x y z (by omega)
      exact ⟨t', by omega, h⟩
    cases forward : trace.forward t with
    | true =>
      obtain ⟨run, held, left, _⟩ := trace.forwards t before forward
      exact go (by omega) (by omega) (by rwa [held])
    | false =>
      rcases trace.others t before forward with ⟨slot, _, held, run, left⟩ | ⟨slot, holds, held, left⟩ | ⟨_, left, run, held⟩
      · refine go (by omega) (by omega) fun other p said below => ?_
        rw [held] at said
        by_cases same : other = slot
        · subst same
          simp only [update_same, Option.some.injEq] at said
          omega
        · rw [update_other _ _ same] at said; exact none_ other p said below
      · by_cases back : trace.run (t + 1) ≤ b
        · exact ⟨t + 1, by omega, by omega, none_ slot _ holds back, by omega, by rwa [held]⟩
        · exact go (by omega) (by omega) (by rwa [held])
      · exact go (by omega) (by omega) (by rwa [held])

/-- Every step of the chain is reversed at some time, where the run stands at it. -/
theorem reversed {t j : Nat} (inside : t ≤ final) (todo : j < trace.left t) :
    ∃ t', t ≤ t' ∧ t' < final ∧ trace.run t' = j ∧ trace.left t' = j + 1 ∧ trace.left (t' + 1) = j
      ∧ trace.run (t' + 1) = j := by
  induction h : final - t generalizing t with
  | zero =>
    obtain rfl : t = final := by omega
    have := trace.finished
    omega
  | succ n ih =>
    have before : t < final := by omega
    by_cases next : j < trace.left (t + 1)
    · exact (ih (by omega) next (by omega)).imp fun t' h => ⟨Nat.le_of_succ_le h.1, h.2⟩
    · cases forward : trace.forward t with
      | true => have := (trace.forwards t before forward).2.2.1; omega
      | false =>
        rcases trace.others t before forward with ⟨_, _, _, _, left⟩ | ⟨_, _, _, left⟩ | ⟨here, left, run, _⟩
        · omega
        · omega
        · exact ⟨t, by omega, before, by omega, by omega, by omega, by omega⟩

/-- If the run or a snapshot is in a window that was empty, every earlier step of it was made since. -/
theorem visited {a e t0 t : Nat} (inside : t ≤ final) (order : t0 ≤ t) (runOut : trace.run t0 ≤ a ∨ e ≤ trace.run t0)
    (heldOut : ∀ slot p, trace.held t0 slot = some p → p ≤ a ∨ e ≤ p) :
    (trace.run t < e → ∀ i, a ≤ i → i < trace.run t → trace.made i t0 < trace.made i t)
      ∧ ∀ slot p, trace.held t slot = some p → p < e → ∀ i, a ≤ i → i < p → trace.made i t0 < trace.made i t := by
  induction order with
  | refl =>
    refine ⟨fun below i low high => by omega, fun slot p holds below i low high => ?_⟩
    have := heldOut slot p holds
    omega
  | @step t order ih =>
    simp only [Nat.succ_eq_add_one] at inside ⊢
    obtain ⟨ran, kept⟩ := ih (by omega)
    have grow (i : Nat) : trace.made i t ≤ trace.made i (t + 1) := trace.made_mono i (by omega)
    have run' (below : trace.run t < e) (i : Nat) (low : a ≤ i) (high : i < trace.run t) :
        trace.made i t0 < trace.made i (t + 1) := Nat.lt_of_lt_of_le (ran below i low high) (grow i)
    have held' (slot p : Nat) (holds : trace.held t slot = some p) (below : p < e) (i : Nat) (low : a ≤ i) (high : i < p) :
        trace.made i t0 < trace.made i (t + 1) := Nat.lt_of_lt_of_le (kept slot p holds below i low high) (grow i)
    cases forward : trace.forward t with
    | true =>
      obtain ⟨run, held, _, _⟩ := trace.forwards t inside forward
      refine ⟨fun below i low high => ?_, by rwa [held]⟩
      by_cases last : trace.run t = i
      · have := trace.made_mono i order
        simp only [made, forward, last, and_self, ↓reduceIte]; omega
      · exact run' (by omega) i low (by omega)
    | false =>
      rcases trace.others t inside forward with ⟨slot, _, held, run, _⟩ | ⟨slot, holds, held, _⟩ | ⟨_, _, run, held⟩
      · refine ⟨by rwa [run], fun other p said below i low high => ?_⟩
        rw [held] at said
        by_cases same : other = slot
        · subst same
          simp only [update_same, Option.some.injEq] at said
          subst said
          exact run' below i low high
        · rw [update_other _ _ same] at said; exact held' other p said below i low high
      · exact ⟨fun below => held' slot _ holds below, by rwa [held]⟩
      · exact ⟨by rwa [run], by rwa [held]⟩

/--
Over a window in which at most `k` snapshots are held at once, the passes that each step lacks of `r` are at
most the surplus.
-/
theorem total_deficit (len : Nat) : ∀ (k r a t0 : Nat), 1 ≤ len → t0 ≤ final → a + len ≤ trace.left t0 →
    (trace.run t0 ≤ a ∨ a + len ≤ trace.run t0) →
    (∀ slot p, trace.held t0 slot = some p → p ≤ a ∨ a + len ≤ p) →
    (∀ t, t0 ≤ t → t ≤ final → a < trace.left t → countIn (trace.held t) a (a + len) slots ≤ k) →
    total (fun i => r - (trace.made i final - trace.made i t0)) a len ≤ surplus (k + 1) r := by
  induction len using Nat.strongRecOn with
  | ind len ih =>
    intro k r a t0 pos inside todo runOut heldOut few
    cases r with
    | zero =>
      have : total (fun i => 0 - (trace.made i final - trace.made i t0)) a len ≤ total (fun _ => 0) a len :=
        total_le fun i _ _ => by omega
      have none_ : ∀ n, total (fun _ => 0) a n = 0 := fun n => by induction n <;> simp_all [total]
      rw [none_] at this
      omega
    | succ q =>
      by_cases single : len = 1
      · subst single
        have := le_surplus (k + 1) (q + 1)
        simp only [total, Nat.add_zero, Nat.zero_add]
        omega
      let Good (b : Nat) : Prop := ∃ t, t0 ≤ t ∧ t ≤ final ∧ trace.run t ≤ a ∧ b ≤ trace.left t
        ∧ (∀ slot p, trace.held t slot = some p → p ≤ a ∨ b ≤ p) ∧ ∀ i, a ≤ i → i < b → trace.made i t0 < trace.made i t
      obtain ⟨top, topLate, topInside, topRun, topLeft, topNext, topStill⟩ :=
        trace.reversed (t := t0) (j := a + len - 1) inside (by omega)
      have first : Good (a + 1) := by
        obtain ⟨t, late, before, run, left, _⟩ := trace.reversed (t := top + 1) (j := a) (by omega) (by omega)
        refine ⟨t, by omega, by omega, by omega, by omega, fun _ p _ => by omega, fun i low high => ?_⟩
        have := (trace.visited (a := a) (e := a + len) (by omega) topLate runOut heldOut).1 (by omega) i low (by omega)
        exact Nat.lt_of_lt_of_le this (trace.made_mono i (by omega))
      have greatest : ∀ n, n ≤ len - 2 → ∃ b, a + 1 ≤ b ∧ b ≤ a + 1 + n ∧ Good b ∧ (b = a + 1 + n ∨ ¬ Good (b + 1)) := by
        intro n
        induction n with
        | zero => exact fun _ => ⟨a + 1, by omega, by omega, first, .inl rfl⟩
        | succ n ihn =>
          intro small
          obtain ⟨b, low, high, good, end_⟩ := ihn (by omega)
          by_cases next : Good (b + 1)
          · rcases end_ with rfl | not
            · exact ⟨a + 1 + n + 1, by omega, by omega, next, .inl (by omega)⟩
            · exact absurd next not
          · exact ⟨b, low, by omega, good, .inr next⟩
      obtain ⟨b, low, high, ⟨t, late, before, run, left, free, passed⟩, end_⟩ := greatest (len - 2) (Nat.le_refl _)
      obtain ⟨m, rfl⟩ := Nat.exists_eq_add_of_le (show a ≤ b by omega)
      obtain ⟨n, rfl⟩ := Nat.exists_eq_add_of_le (show m ≤ len by omega)
      have leftPart := ih m (by omega) k q a t (by omega) before left (.inl run) free fun t' later inside' todo' =>
        Nat.le_trans (countIn_mono _ _ (Nat.le_refl a) (by omega)) (few t' (by omega) inside' todo')
      have leftLess : total (fun i => q + 1 - (trace.made i final - trace.made i t0)) a m
          ≤ total (fun i => q - (trace.made i final - trace.made i t)) a m := total_le fun i low high => by
        have := passed i low high
        have := trace.made_mono i before
        omega
      have wider : a + m < a + (m + n) := by omega
      have rightPart : total (fun i => q + 1 - (trace.made i final - trace.made i t0)) (a + m) n ≤ surplus k (q + 1) := by
        by_cases one : n = 1
        · subst one
          have := le_surplus k (q + 1)
          simp only [total, Nat.add_zero, Nat.zero_add]
          omega
        have notGood : ¬ Good (a + m + 1) := by
          rcases end_ with same | not
          · omega
          · exact not
        have blocked : ∀ t', t0 ≤ t' → t' ≤ final → a + m < trace.run t' → trace.run t' < a + (m + n) → a + m < trace.left t' →
            (∀ slot p, trace.held t' slot = some p → p ≤ a + m → p ≤ a) → False := by
          intro t' later inside' beyond within todo' none_
          obtain ⟨t'', after, inside'', back, left', free'⟩ := trace.returns (· ≤ a) (a + m) inside' beyond todo' none_
          refine notGood ⟨t'', by omega, inside'', back, by omega, fun slot p said => ?_, fun i low high => ?_⟩
          · have := free' slot p said
            omega
          · have := (trace.visited (a := a) (e := a + (m + n)) inside' later runOut heldOut).1 within i low (by omega)
            exact Nat.lt_of_lt_of_le this (trace.made_mono i after)
        cases k with
        | zero =>
          have far : a + m < a + (m + n) - 1 := by omega
          have later : t0 ≤ top + 1 := Nat.le_succ_of_le topLate
          have above : a + m < trace.left (top + 1) := topNext ▸ far
          refine (blocked (top + 1) later topInside (topStill ▸ far)
            (topStill ▸ Nat.sub_lt (Nat.zero_lt_of_lt wider) Nat.one_pos) above fun slot p said below => ?_).elim
          have none_ := few (top + 1) later topInside (Nat.lt_of_le_of_lt (Nat.le_add_right a m) above)
          by_cases within : p ≤ a
          · exact within
          · have := countIn_pos (trace.slot_lt topInside said) said (Nat.lt_of_not_le within) (Nat.lt_of_le_of_lt below wider)
            exact absurd (Nat.le_trans this none_) (Nat.not_succ_le_zero 0)
        | succ k =>
          refine ih n (by omega) k (q + 1) (a + m) t0 (by omega) inside (by omega) (by omega)
            (fun slot p said => by have := heldOut slot p said; omega) fun t' later inside' todo' => ?_
          induction later with
          | refl =>
            by_cases some_ : countIn (trace.held t0) (a + m) (a + m + n) slots = 0
            · rw [some_]; exact Nat.zero_le k
            · have zero : ∀ s, countIn (trace.held t0) (a + m) (a + m + n) s = 0 := fun s => by
                induction s with
                | zero => rfl
                | succ s ihs =>
                  simp only [countIn, ihs]
                  cases said : trace.held t0 s with
                  | none => rfl
                  | some p => have := heldOut s p said; simp only; split <;> omega
              exact absurd (zero slots) some_
          | @step t' later iht =>
            simp only [Nat.succ_eq_add_one] at inside' todo' ⊢
            have order : t0 ≤ t' + 1 := Nat.le_succ_of_le later
            have prior := iht (Nat.le_of_succ_le inside') (Nat.lt_of_lt_of_le todo' (trace.left_le (t := t') inside'))
            cases forward : trace.forward t' with
            | true => rw [(trace.forwards t' inside' forward).2.1]; exact prior
            | false =>
              rcases trace.others t' inside' forward with ⟨slot, _, held, run', _⟩ | ⟨_, _, held, _⟩ | ⟨_, _, _, held⟩
              · by_cases within : a + m < trace.run t' ∧ trace.run t' < a + m + n
                · by_cases some_ : ∃ slot p, trace.held (t' + 1) slot = some p ∧ a < p ∧ p ≤ a + m
                  · obtain ⟨other, p, said, above, below⟩ := some_
                    have more := countIn_succ (high := a + (m + n)) (trace.slot_lt inside' said) said above below wider
                    have all := few (t' + 1) order inside' (Nat.lt_of_le_of_lt (Nat.le_add_right a m) todo')
                    rw [Nat.add_assoc]
                    exact Nat.le_of_succ_le_succ (Nat.le_trans more all)
                  · refine (blocked (t' + 1) order inside' (run' ▸ within.1)
                      (by rw [run', ← Nat.add_assoc]; exact within.2) todo' fun other p said below => ?_).elim
                    by_cases above : p ≤ a
                    · exact above
                    · exact absurd ⟨other, p, said, Nat.lt_of_not_le above, below⟩ some_
                · rw [held]
                  exact Nat.le_trans (countIn_update within) prior
              · rw [held]; exact prior
              · rw [held]; exact prior
      rw [total_append, surplus_succ_succ k q]
      exact Nat.add_le_add (Nat.le_trans leftLess leftPart) rightPart

end Trace

/-- `f` one time later, and something else at first. -/
def prepend {α : Type} (first : α) (f : Nat → α) : Nat → α
  | 0 => first
  | t + 1 => f t

/-- From this state on there is a run to the end that makes so many steps in advances. -/
def Reaches (slots length : Nat) (held : Nat → Option Nat) (run left cost : Nat) : Prop :=
  ∃ (final : Nat) (trace : Trace slots length final), trace.held 0 = held ∧ trace.run 0 = run ∧ trace.left 0 = left
    ∧ total (fun i => trace.made i final) 0 length = cost

/-- A sum of sums is the sum of both. -/
theorem total_add (f g : Nat → Nat) (a n : Nat) : total (fun i => f i + g i) a n = total f a n + total g a n := by
  induction n with
  | zero => rfl
  | succ n ih => simp only [total, ih]; omega

/-- A sum of which one summand at most is not zero. -/
theorem total_single (r n : Nat) (condition : Prop) [Decidable condition] :
    total (fun i => if condition ∧ r = i then 1 else 0) 0 n = if condition ∧ r < n then 1 else 0 := by
  induction n with
  | zero => simp [total]
  | succ n ih =>
    simp only [total, ih, Nat.zero_add]
    by_cases c : condition
    · simp only [c, true_and]
      split <;> split <;> split <;> omega
    · simp [c]

/-- A step, and then the rest. -/
theorem Reaches.cons {slots length : Nat} {held held' : Nat → Option Nat} {run run' left left' cost : Nat} (forward : Bool)
    (rest : Reaches slots length held' run' left' cost) (bounded : ∀ slot p, held slot = some p → slot < slots)
    (forwards : forward = true → run' = run + 1 ∧ held' = held ∧ left' = left ∧ run < length)
    (others : forward = false →
      (∃ slot, slot < slots ∧ held' = update held slot (some run) ∧ run' = run ∧ left' = left)
      ∨ (∃ slot, held slot = some run' ∧ held' = held ∧ left' = left)
      ∨ (run + 1 = left ∧ left' = run ∧ run' = run ∧ held' = held)) :
    Reaches slots length held run left (cost + if forward then 1 else 0) := by
  obtain ⟨final, trace, rfl, rfl, rfl, rfl⟩ := rest
  let longer : Trace slots length (final + 1) := {
    held := prepend held trace.held
    run := prepend run trace.run
    left := prepend left trace.left
    forward := prepend forward trace.forward
    forwards := fun t inside said => by
      cases t with
      | zero => exact forwards said
      | succ t => exact trace.forwards t (by omega) said
    others := fun t inside said => by
      cases t with
      | zero => exact others said
      | succ t => exact trace.others t (by omega) said
    bounded := bounded
    finished := trace.finished }
  have made (i t : Nat) : longer.made i (t + 1) = (if forward = true ∧ run = i then 1 else 0) + trace.made i t := by
    induction t with
    | zero =>
      show 0 + (if forward = true ∧ run = i then 1 else 0) = _ + 0
      omega
    | succ t ih =>
      show longer.made i (t + 1) + (if trace.forward t = true ∧ trace.run t = i then 1 else 0) = _ + (trace.made i t + _)
      rw [ih]; omega
  refine ⟨final + 1, longer, rfl, rfl, rfl, ?_⟩
  simp only [made, total_add, total_single]
  cases forward with
  | true => have := (forwards rfl).2.2.2; simp [this]; omega
  | false => simp

/-- Several steps forward. -/
theorem Reaches.forwards {slots length : Nat} {held : Nat → Option Nat} {run left cost : Nat} (count : Nat)
    (rest : Reaches slots length held (run + count) left cost) (bounded : ∀ slot p, held slot = some p → slot < slots)
    (inside : run + count ≤ length) : Reaches slots length held run left (cost + count) := by
  induction count generalizing run with
  | zero => exact rest
  | succ count ih =>
    have next := ih (run := run + 1) (by rwa [show run + 1 + count = run + (count + 1) by omega]) (by omega)
    have := Reaches.cons true next bounded (fun _ => ⟨rfl, rfl, rfl, by omega⟩) (fun h => by cases h)
    simpa [Nat.add_assoc] using this

/-- A schedule that is as it says is a run by single steps. -/
theorem reaches_of_followAll {slots length : Nat} {schedule : Schedule} {progress last : Progress}
    (follows : progress.followAll slots length schedule = some last) (done : last.left = 0)
    (bounded : ∀ slot p, progress.held slot = some p → slot < slots) :
    Reaches slots length progress.held progress.position progress.left (extraSteps schedule) := by
  induction schedule generalizing progress with
  | nil =>
    cases follows
    have none_ : ∀ n, total (fun _ => 0) 0 n = 0 := fun n => by induction n <;> simp_all [total]
    exact ⟨0, ⟨fun _ => last.held, fun _ => last.position, fun _ => last.left, fun _ => false,
      fun _ h => by omega, fun _ h => by omega, bounded, done⟩, rfl, rfl, rfl, none_ length⟩
  | cons action rest ih =>
    simp only [Progress.followAll] at follows
    split at follows
    · rename_i next followed
      cases action with
      | store slot position =>
        simp only [Progress.follow] at followed
        split at followed <;> cases followed
        rename_i right
        have fine : ∀ other p, update progress.held slot (some position) other = some p → other < slots := fun other p said => by
          by_cases same : other = slot
          · exact same ▸ right.1
          · rw [update_other _ _ same] at said; exact bounded other p said
        simpa [extraSteps, Action.steps] using Reaches.cons false (ih follows fine) bounded (fun h => by cases h)
          (fun _ => .inl ⟨slot, right.1, by rw [right.2], rfl, rfl⟩)
      | restore slot position =>
        simp only [Progress.follow] at followed
        split at followed <;> cases followed
        rename_i right
        simpa [extraSteps, Action.steps] using Reaches.cons false (ih follows bounded) bounded (fun h => by cases h)
          (fun _ => .inr (.inl ⟨slot, right, rfl, rfl⟩))
      | advance source target =>
        simp only [Progress.follow] at followed
        split at followed <;> cases followed
        rename_i right
        obtain ⟨rfl, order, inside⟩ := right
        have := Reaches.forwards (target - progress.position) (run := progress.position)
          (by rw [Nat.add_sub_cancel' order]; exact ih follows bounded) bounded (by omega)
        simpa [extraSteps, Action.steps, Nat.add_comm] using this
      | reverse step =>
        simp only [Progress.follow] at followed
        split at followed <;> cases followed
        rename_i right
        obtain ⟨rfl, left⟩ := right
        simpa [extraSteps, Action.steps] using Reaches.cons false (ih follows bounded) bounded (fun h => by cases h)
          (fun _ => .inr (.inr ⟨left, rfl, rfl, rfl⟩))
    · cases follows

/-- Where one slot holds a position before, at most the others hold one between. -/
theorem countIn_lt {held : Nat → Option Nat} {low high slots slot p : Nat} (inside : slot < slots)
    (holds : held slot = some p) (outside : p ≤ low) : countIn held low high slots + 1 ≤ slots := by
  have most : ∀ s, countIn held low high s ≤ s := fun s => by
    induction s with
    | zero => exact Nat.le_refl _
    | succ s ih =>
      simp only [countIn]
      cases held s with
      | none => simp only; omega
      | some q => simp only; split <;> omega
  induction slots with
  | zero => omega
  | succ slots ih =>
    simp only [countIn]
    by_cases same : slot = slots
    · subst same
      have := most slot
      simp only [holds, show ¬ (low < p ∧ p < high) by omega, ↓reduceIte]
      omega
    · have := ih (by omega)
      cases held slots with
      | none => simp only; omega
      | some q => simp only; split <;> omega

/-- No well-formed schedule, whatever it does, has fewer extra steps than the formula says. -/
theorem binomialCost_le_extraSteps {length slots : Nat} {schedule : Schedule}
    (wellFormed : WellFormed (slots + 1) length schedule) : binomialCost length (slots + 1) ≤ extraSteps schedule := by
  obtain ⟨last, followed, done⟩ := Option.map_eq_some_iff.mp wellFormed
  obtain ⟨final, trace, held, run, left, cost⟩ :=
    reaches_of_followAll followed done (fun slot p said => by simp [Progress.start] at said)
  simp only [Progress.start] at held run left
  by_cases short : length = 0
  · rw [binomialCost_of_le_one slots (by omega)]; omega
  have few : ∀ t, t ≤ final → 0 < trace.left t → countIn (trace.held t) 0 (0 + length) (slots + 1) ≤ slots := by
    intro t inside todo
    induction t with
    | zero =>
      have zero : ∀ s, countIn (trace.held 0) 0 (0 + length) s = 0 := fun s => by
        induction s with
        | zero => rfl
        | succ s ihs => simp only [countIn, ihs, congrFun held s]
      rw [zero]; omega
    | succ t ih =>
      have prior := ih (by omega) (by have := trace.left_le (t := t) (by omega); omega)
      cases forward : trace.forward t with
      | true => rw [(trace.forwards t (by omega) forward).2.1]; exact prior
      | false =>
        rcases trace.others t (by omega) forward with ⟨slot, _, put, same, _⟩ | ⟨_, _, put, _⟩ | ⟨_, _, _, put⟩
        · by_cases within : 0 < trace.run t ∧ trace.run t < 0 + length
          · by_cases some_ : ∃ slot p, trace.held (t + 1) slot = some p ∧ p ≤ 0
            · obtain ⟨other, p, said, low⟩ := some_
              have := countIn_lt (high := 0 + length) (trace.slot_lt inside said) said low
              omega
            · obtain ⟨_, _, _, no, _⟩ := trace.returns (fun _ => False) 0 inside (by omega) todo
                fun other p said low => some_ ⟨other, p, said, low⟩
              exact no.elim
          · rw [put]; exact Nat.le_trans (countIn_update within) prior
        · rw [put]; exact prior
        · rw [put]; exact prior
  have fits := (fits_repetitions length slots).cost
  generalize repetitions length (slots + 1) = r at fits
  have deficit := trace.total_deficit length slots r 0 0 (by omega) (by omega) (by omega) (.inl (by omega))
    (fun slot p said => by simp [held] at said) fun t _ inside todo => few t inside todo
  have sum : ∀ n, r * n ≤ total (fun i => r - (trace.made i final - trace.made i 0)) 0 n
      + total (fun i => trace.made i final) 0 n := fun n => by
    induction n with
    | zero => simp
    | succ n ih =>
      have none_ : trace.made (0 + n) 0 = 0 := rfl
      simp only [total, Nat.mul_succ, none_]
      omega
  have := sum length
  omega

/-- The binomial schedule is best: no well-formed schedule has fewer extra steps. -/
theorem binomialSchedule_best {length slots : Nat} {schedule : Schedule}
    (wellFormed : WellFormed (slots + 1) length schedule) :
    extraSteps (binomialSchedule length slots) ≤ extraSteps schedule := by
  rw [extraSteps_binomialSchedule]
  exact binomialCost_le_extraSteps wellFormed

end Adjudge.Tapes
