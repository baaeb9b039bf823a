module

public import Adjudge.Tensor

/-!
# Binomial numbers and the cost of the best schedule

`reference/tapes/checkpoints/binomial.ts`. Griewank and Walther (Algorithm 799: Revolve, 2000): with `s`
slots, of which the beginning takes one, and `r` the least repetition with `C(s + r, s) ≥ l`, a chain of `l`
steps is reversed in `r·l − C(s + r, r − 1)` extra steps. All that is proved of these numbers rests on
Pascal's rule and one fact: that expression is, of all `r`, the greatest.
-/

@[expose] public noncomputable section

namespace Adjudge.Tapes

/-- `C(n, k)`, by Pascal's rule. -/
def choose : Nat → Nat → Nat
  | _, 0 => 1
  | 0, _ + 1 => 0
  | n + 1, k + 1 => choose n k + choose n (k + 1)

/-- There is one choice of none. -/
@[simp] theorem choose_zero (n : Nat) : choose n 0 = 1 := by cases n <;> rfl

/-- Pascal's rule. -/
theorem choose_succ (n k : Nat) : choose (n + 1) (k + 1) = choose n k + choose n (k + 1) := rfl

/-- There is no choice of more than there are. -/
theorem choose_of_lt {n k : Nat} (few : n < k) : choose n k = 0 := by
  induction n generalizing k with
  | zero => cases k with
    | zero => omega
    | succ k => rfl
  | succ n ih => cases k with
    | zero => omega
    | succ k => rw [choose_succ, ih (by omega), ih (by omega)]

/-- There is one choice of all. -/
@[simp] theorem choose_self (n : Nat) : choose n n = 1 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [choose_succ, ih, choose_of_lt (by omega)]

/-- Choosing some is leaving the others. -/
theorem choose_symm (a b : Nat) : choose (a + b) a = choose (a + b) b := by
  induction h : a + b generalizing a b with
  | zero =>
    obtain ⟨rfl, rfl⟩ : a = 0 ∧ b = 0 := by omega
    rfl
  | succ n ih =>
    cases a with
    | zero =>
      obtain rfl : b = n + 1 := by omega
      simp
    | succ a =>
      cases b with
      | zero =>
        obtain rfl : a = n := by omega
        simp
      | succ b =>
        rw [choose_succ, choose_succ, ih a (b + 1) (by omega), ih (a + 1) b (by omega), Nat.add_comm]

/-- The longest chain that `s` slots reverse when no step is made more than `r` times: `C(s + r, s)`. -/
def reach (s r : Nat) : Nat := choose (s + r) s

/--
The steps that `r` passes over every step of such a chain would make too many: `C(s + r, r − 1)`, which is
`C(s + r, s + 1)`.
-/
def surplus (s r : Nat) : Nat := choose (s + r) (s + 1)

/-- `surplus` as it is written by Griewank and Walther. -/
theorem surplus_succ (s r : Nat) : surplus s (r + 1) = choose (s + (r + 1)) r := by
  rw [surplus, show s + (r + 1) = (s + 1) + r by omega, choose_symm]

/-- Without repetition one step is reached. -/
@[simp] theorem reach_zero (s : Nat) : reach s 0 = 1 := by simp [reach]

/-- No pass makes no step too many. -/
@[simp] theorem surplus_zero (s : Nat) : surplus s 0 = 0 := choose_of_lt (by omega)

/-- A chain for one slot and repetition more: the left part has the slots, the right part the repetitions. -/
theorem reach_succ_succ (s r : Nat) : reach (s + 1) (r + 1) = reach (s + 1) r + reach s (r + 1) := by
  simp only [reach, show s + 1 + (r + 1) = (s + r + 1) + 1 by omega, show s + 1 + r = s + r + 1 by omega,
    show s + (r + 1) = s + r + 1 by omega]
  rw [choose_succ, Nat.add_comm]

/-- One more repetition adds the chain that was reached before. -/
theorem surplus_succ_right (s r : Nat) : surplus s (r + 1) = surplus s r + reach s r := by
  simp only [surplus, reach, show s + (r + 1) = (s + r) + 1 by omega]
  rw [choose_succ, Nat.add_comm]

/-- The surplus of a chain is that of its parts. -/
theorem surplus_succ_succ (s r : Nat) : surplus (s + 1) (r + 1) = surplus (s + 1) r + surplus s (r + 1) := by
  simp only [surplus, show s + 1 + (r + 1) = (s + r + 1) + 1 by omega, show s + 1 + r = s + r + 1 by omega,
    show s + (r + 1) = s + r + 1 by omega]
  rw [choose_succ, Nat.add_comm]

/-- At least one step is reached. -/
theorem reach_pos (s r : Nat) : 1 ≤ reach s r := by
  induction r with
  | zero => simp
  | succ r ih =>
    cases s with
    | zero => simp [reach]
    | succ s => rw [reach_succ_succ]; omega

/-- With a slot, each repetition reaches a step further. -/
theorem lt_reach (s r : Nat) : r < reach (s + 1) r := by
  induction r with
  | zero => simp
  | succ r ih =>
    have := reach_pos s (r + 1)
    rw [reach_succ_succ]; omega

/-- More repetitions reach no less far. -/
theorem reach_mono (s : Nat) {r r' : Nat} (le : r ≤ r') : reach (s + 1) r ≤ reach (s + 1) r' := by
  induction le with
  | refl => exact Nat.le_refl _
  | step _ ih => rw [reach_succ_succ]; omega

/-- From `r` on, the least repetition with which `s` slots reach so far; at most so many are tried. -/
def leastFrom (length s r : Nat) : Nat → Nat
  | 0 => r
  | tries + 1 => if length ≤ reach s r then r else leastFrom length s (r + 1) tries

/-- The least `r` with `C(s + r, s) ≥ l`. -/
def repetitions (length s : Nat) : Nat := leastFrom length s 0 length

/-- The extra steps of the best schedule of a chain: `r·l − C(s + r, r − 1)`. -/
def binomialCost (length s : Nat) : Nat := repetitions length s * length - surplus s (repetitions length s)

/-- A number of repetitions reaches the length, and one less does not reach further. -/
structure Fits (length s r : Nat) : Prop where
  reaches : length ≤ reach s r
  tight : ∀ q, r = q + 1 → reach s q ≤ length

/-- What is found reaches the length, and nothing less does. -/
theorem leastFrom_spec {length s r tries : Nat} (enough : length ≤ r + tries)
    (before : ∀ q, q < r → reach (s + 1) q < length) :
    length ≤ reach (s + 1) (leastFrom length (s + 1) r tries)
      ∧ ∀ q, q < leastFrom length (s + 1) r tries → reach (s + 1) q < length := by
  induction tries generalizing r with
  | zero => exact ⟨by have := lt_reach s r; simp only [leastFrom]; omega, before⟩
  | succ tries ih =>
    unfold leastFrom
    split
    · rename_i found
      exact ⟨found, before⟩
    · refine ih (by omega) fun q below => ?_
      by_cases same : q = r
      · subst same; omega
      · exact before q (by omega)

/-- `repetitions` reaches the length. -/
theorem le_reach_repetitions (length s : Nat) : length ≤ reach (s + 1) (repetitions length (s + 1)) :=
  (leastFrom_spec (by omega) (by omega)).1

/-- Less than `repetitions` does not reach the length. -/
theorem reach_lt_of_lt_repetitions {length s q : Nat} (less : q < repetitions length (s + 1)) :
    reach (s + 1) q < length :=
  (leastFrom_spec (r := 0) (tries := length) (by omega) (by omega)).2 q less

/-- The least repetition fits. -/
theorem fits_repetitions (length s : Nat) : Fits length (s + 1) (repetitions length (s + 1)) where
  reaches := le_reach_repetitions length s
  tight q h := Nat.le_of_lt (reach_lt_of_lt_repetitions (h ▸ Nat.lt_succ_self q))

/-- Of all `r`, one that fits makes `r·l − surplus` greatest: upwards, it grows while `C(s + r, s) ≤ l`. -/
theorem Fits.greatest {length s r : Nat} (fits : Fits length (s + 1) r) (r' : Nat) :
    r' * length + surplus (s + 1) r ≤ r * length + surplus (s + 1) r' := by
  have step (q : Nat) : (q + 1) * length = q * length + length := Nat.succ_mul q length
  rcases Nat.le_total r r' with le | le
  · induction le with
    | refl => exact Nat.le_refl _
    | @step m le ih =>
      have := Nat.le_trans fits.reaches (reach_mono s le)
      rw [step, surplus_succ_right]; omega
  · obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le le
    induction d with
    | zero => exact Nat.le_refl _
    | succ d ih =>
      have tight := fits.tight (r' + d) rfl
      have lower : Fits length (s + 1) (r' + d) ∨ reach (s + 1) (r' + d) ≤ length := .inr tight
      have below : r' * length + surplus (s + 1) (r' + d) ≤ (r' + d) * length + surplus (s + 1) r' := by
        clear ih fits lower
        induction d with
        | zero => exact Nat.le_refl _
        | succ d ih =>
          have := ih (by omega) (Nat.le_trans (reach_mono s (by omega)) tight)
          have := Nat.le_trans (reach_mono s (show r' + d ≤ r' + (d + 1) by omega)) tight
          rw [← Nat.add_assoc, step, surplus_succ_right]; omega
      rw [← Nat.add_assoc, step, surplus_succ_right]; omega

/-- Whatever fits gives the cost by Griewank and Walther's formula; its subtraction is one of integers. -/
theorem Fits.cost {length s r : Nat} (fits : Fits length (s + 1) r) :
    binomialCost length (s + 1) + surplus (s + 1) r = r * length := by
  have a := fits.greatest (repetitions length (s + 1))
  have b := (fits_repetitions length s).greatest r
  have c := (fits_repetitions length s).greatest 0
  simp only [surplus_zero, Nat.zero_mul] at c
  unfold binomialCost; omega

/-- The cost is at least what any `r` says. -/
theorem le_binomialCost (length s r : Nat) : r * length ≤ binomialCost length (s + 1) + surplus (s + 1) r := by
  have := (fits_repetitions length s).greatest r
  have := (fits_repetitions length s).cost
  omega

/-- With `r` the least repetition that reaches, the cost is `r·l − C(s + r, r − 1)`. -/
theorem binomialCost_eq (length s : Nat) :
    binomialCost length s = repetitions length s * length
      - (if repetitions length s = 0 then 0 else choose (s + repetitions length s) (repetitions length s - 1)) := by
  unfold binomialCost
  cases repetitions length s with
  | zero => simp
  | succ r => simp [surplus_succ]

/-- A chain of one step, or none, costs nothing. -/
theorem binomialCost_of_le_one {length : Nat} (s : Nat) (short : length ≤ 1) : binomialCost length (s + 1) = 0 := by
  have := (show Fits length (s + 1) 0 from ⟨by simpa using short, by omega⟩).cost
  simpa using this

/-- No split of a chain is better: `t(l) ≤ k + t(l − k, s − 1) + t(k, s)`. -/
theorem binomialCost_le_split (s left right : Nat) :
    binomialCost (left + right) (s + 1 + 1) ≤ left + binomialCost right (s + 1) + binomialCost left (s + 1 + 1) := by
  have whole := (fits_repetitions (left + right) (s + 1)).cost
  generalize repetitions (left + right) (s + 1 + 1) = r at whole
  cases r with
  | zero =>
    simp only [surplus_zero, Nat.zero_mul] at whole
    omega
  | succ r =>
    have a := le_binomialCost right s (r + 1)
    have b := le_binomialCost left (s + 1) r
    have sum := surplus_succ_succ (s + 1) r
    rw [Nat.mul_add] at whole
    have : (r + 1) * left = r * left + left := Nat.succ_mul r left
    omega

/-- With one slot, the beginning's, the way to the last step is made again for each step. -/
theorem binomialCost_one_slot (length : Nat) : binomialCost (length + 1) 1 = length + binomialCost length 1 := by
  cases length with
  | zero => rw [binomialCost_of_le_one 0 (by omega), binomialCost_of_le_one 0 (by omega)]
  | succ n =>
    have reach_one (r : Nat) : reach 1 r = r + 1 := by
      induction r with
      | zero => simp
      | succ r ih => rw [reach_succ_succ, ih]; simp [reach]
    have longer := (show Fits (n + 1 + 1) (0 + 1) (n + 1) from
      ⟨by simp [reach_one], fun q h => by simp only [Nat.zero_add, reach_one]; omega⟩).cost
    have shorter := (show Fits (n + 1) (0 + 1) n from
      ⟨by simp [reach_one], fun q h => by simp only [Nat.zero_add, reach_one]; omega⟩).cost
    have sum := surplus_succ_right (0 + 1) n
    rw [show reach (0 + 1) n = n + 1 from reach_one n] at sum
    rw [Nat.add_mul, Nat.mul_add] at longer
    simp only [Nat.zero_add] at *
    omega

/--
Where the chain is split: the left part is as long as the slots reach with one repetition less, or shorter so
that the right part is not too short.
-/
def binomialSplit (length s : Nat) : Nat :=
  max 1 (min (reach s (repetitions length s - 1)) (length - reach (s - 1) (repetitions length s - 1)))

/-- The split at the best place costs what the formula says. -/
theorem binomialCost_eq_split {length : Nat} (s : Nat) (long : 2 ≤ length) :
    ∃ right, length = binomialSplit length (s + 1 + 1) + right ∧ 1 ≤ binomialSplit length (s + 1 + 1) ∧ 1 ≤ right
      ∧ binomialCost length (s + 1 + 1) = binomialSplit length (s + 1 + 1) + binomialCost right (s + 1)
        + binomialCost (binomialSplit length (s + 1 + 1)) (s + 1 + 1) := by
  have reaches := le_reach_repetitions length (s + 1)
  have least := fun q => reach_lt_of_lt_repetitions (length := length) (s := s + 1) (q := q)
  have fits := fits_repetitions length (s + 1)
  unfold binomialSplit
  generalize repetitions length (s + 1 + 1) = r at *
  cases r with
  | zero => simp at reaches; omega
  | succ q =>
    simp only [Nat.add_sub_cancel] at *
    have pascal := reach_succ_succ (s + 1) q
    have below := least q (by omega)
    have one := reach_pos (s + 1 + 1) q
    have one' := reach_pos (s + 1) q
    have grows := reach_mono s (show q ≤ q + 1 by omega)
    have lower : ∀ p, q = p + 1 → reach (s + 1 + 1) p + reach (s + 1) q = reach (s + 1 + 1) q := fun p h => by
      subst h; exact (reach_succ_succ (s + 1) p).symm
    generalize cut : max 1 (min (reach (s + 1 + 1) q) (length - reach (s + 1) q)) = k
    have shortest : q = 0 ∨ reach (s + 1) q < length := by
      cases q with
      | zero => exact .inl rfl
      | succ p => have := lower p rfl; have := reach_pos (s + 1 + 1) p; right; omega
    have first : q = 0 → reach (s + 1 + 1) q = 1 ∧ reach (s + 1) q = 1 := fun h => by subst h; simp
    have within : k < length := by omega
    obtain ⟨right, rfl⟩ := Nat.exists_eq_add_of_lt within
    refine ⟨right + 1, by omega, by omega, by omega, ?_⟩
    have fitsLeft : Fits k (s + 1 + 1) q := ⟨by omega, fun p h => by
      have := lower p h
      omega⟩
    have fitsRight : Fits (right + 1) (s + 1) (q + 1) := ⟨by omega, fun p h => by
      obtain rfl : p = q := by omega
      omega⟩
    have whole := fits.cost
    have a := fitsLeft.cost
    have b := fitsRight.cost
    have sum := surplus_succ_succ (s + 1) q
    have expand : (q + 1) * (k + right + 1) = q * k + k + (q + 1) * (right + 1) := by
      rw [Nat.add_assoc, Nat.mul_add, Nat.succ_mul q k]
    omega

end Adjudge.Tapes
