module

public import Adjudge.Replay.Accumulate

/-!
# What the kernel's loops compute

The functions of `Adjudge.Replay.Accumulate` in terms of the library's lists.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {α β S : Type}

theorem boolRec_eq (x y : α) (b : Bool) : Bool.rec (motive := fun _ => α) x y b = bif b then y else x := by
  cases b <;> rfl

theorem mapped_eq (f : α → β) (entries : List α) : mapped f entries = entries.map f := by
  induction entries with
  | nil => rfl
  | cons entry rest ih => exact congrArg (f entry :: ·) ih

theorem appended_eq (entries more : List α) : appended entries more = entries ++ more := by
  induction entries with
  | nil => rfl
  | cons entry rest ih => exact congrArg (entry :: ·) ih

theorem joined_eq (f : α → List β) (entries : List α) : joined f entries = entries.flatMap f := by
  induction entries with
  | nil => rfl
  | cons entry rest ih =>
    show appended (f entry) (joined f rest) = _
    rw [appended_eq, ih, List.flatMap_cons]

theorem every_eq (holds : α → Bool) (entries : List α) : every holds entries = entries.all holds := by
  induction entries with
  | nil => rfl
  | cons entry rest ih =>
    have step : every holds (entry :: rest) = bif holds entry then every holds rest else false := boolRec_eq _ _ _
    rw [step, ih, List.all_cons]
    cases holds entry <;> rfl

theorem beq_eq (n m : Nat) : Nat.beq n m = decide (n = m) := by
  cases e : Nat.beq n m with
  | false => exact (decide_eq_false fun same => by rw [same, Nat.beq_refl] at e; cases e).symm
  | true => exact (decide_eq_true (Nat.eq_of_beq_eq_true e)).symm

theorem among_eq (sought : Nat) (entries : List Nat) : among sought entries = occurs sought entries := by
  induction entries with
  | nil => rfl
  | cons entry rest ih =>
    have step : among sought (entry :: rest) = bif Nat.beq entry sought then true else among sought rest :=
      boolRec_eq _ _ _
    rw [step, ih, beq_eq, occurs]
    by_cases h : entry = sought <;> simp [h]

theorem volume_eq (shape : Shape) : volume shape = shape.size := by
  induction shape with
  | nil => rfl
  | cons extent rest ih => exact congrArg (extent * ·) ih

theorem sameShape_eq (σ τ : Shape) : sameShape σ τ = decide (σ = τ) := by
  induction σ generalizing τ with
  | nil => cases τ <;> rfl
  | cons extent rest ih =>
    cases τ with
    | nil => rfl
    | cons extent' rest' =>
      have step : sameShape (extent :: rest) (extent' :: rest')
          = bif Nat.beq extent extent' then sameShape rest rest' else false := boolRec_eq _ _ _
      rw [step, beq_eq, ih]
      by_cases h : extent = extent' <;> simp [h]

/-- A choice by sameness is one by equality. -/
theorem cond_sameShape (σ τ : Shape) (x y : α) : (bif sameShape σ τ then x else y) = if σ = τ then x else y := by
  rw [sameShape_eq]
  by_cases h : σ = τ <;> simp [h]

theorem le_pow_depthOf (n : Nat) : n ≤ 2 ^ depthOf n := by
  have bound := @Nat.lt_log2_self (2 * n - 1)
  rw [Nat.pow_succ] at bound
  show n ≤ 2 ^ Nat.log2 (2 * n - 1)
  omega

theorem dropped_eq (n : Nat) (entries : List α) : dropped n entries = entries.drop n := by
  induction n generalizing entries with
  | zero => rfl
  | succ n ih =>
    cases entries with
    | nil => rfl
    | cons entry rest => exact ih rest

theorem forced_eq (f : Nat → α) (n : Nat) : forced f n = f n := by cases n <;> rfl

theorem look_treeWithin (default : α) (depth first : Nat) (entries : List α) (index : Nat) (low : first ≤ index)
    (high : index < first + 2 ^ depth) :
    (treeWithin default depth first entries).look index = entries[index - first]?.getD default := by
  induction depth generalizing entries first with
  | zero =>
    have : index - first = 0 := by omega
    rw [this]
    cases entries <;> rfl
  | succ depth ih =>
    rw [Nat.pow_succ] at high
    have step : (treeWithin default (depth + 1) first entries).look index
        = bif Nat.ble (first + 2 ^ depth) index then
            (treeWithin default depth (first + 2 ^ depth) (dropped (2 ^ depth) entries)).look index
          else (treeWithin default depth first entries).look index := boolRec_eq _ _ _
    rw [step, dropped_eq]
    by_cases le : first + 2 ^ depth ≤ index
    · rw [Nat.ble_eq_true_of_le le, cond_true, ih _ _ le (by omega), List.getElem?_drop]
      congr 2
      omega
    · have : Nat.ble (first + 2 ^ depth) index = false := by
        cases b : Nat.ble (first + 2 ^ depth) index with
        | false => rfl
        | true => exact absurd (Nat.le_of_ble_eq_true b) le
      rw [this, cond_false, ih _ _ low (by omega)]

/-- A look-up within the depth is that of the library. -/
theorem entryWithin_eq (default : α) (depth : Nat) (entries : List α) (index : Nat) (h : index < 2 ^ depth) :
    entryWithin default depth entries index = entries[index]?.getD default := by
  rw [entryWithin, forced_eq, look_treeWithin _ _ _ _ _ (Nat.zero_le _) (by omega), Nat.sub_zero]

theorem numbersWithin_eq (depth first n : Nat) (tail : List Nat) (h : n ≤ 2 ^ depth) :
    numbersWithin depth first n tail = List.range' first n ++ tail := by
  induction depth generalizing first n tail with
  | zero =>
    match n, h with
    | 0, _ => rfl
    | 1, _ => rfl
  | succ depth ih =>
    rw [Nat.pow_succ] at h
    show numbersWithin depth first (n / 2) (numbersWithin depth (first + n / 2) (n - n / 2) tail) = _
    rw [ih _ _ _ (by omega), ih _ _ _ (by omega), ← List.append_assoc, List.range'_append_1]
    congr 2
    omega

/-- The numbers from `first` to before `last`. -/
theorem numbersBetween_eq (first last : Nat) : numbersBetween first last = List.range' first (last - first) := by
  unfold numbersBetween
  rw [numbersWithin_eq _ _ _ _ (le_pow_depthOf _), List.append_nil]
  rfl

theorem under_cons (key : Nat) (pair : Nat × α) (rest : List (Nat × α)) :
    under key (pair :: rest) = bif Nat.beq pair.1 key then pair.2 :: under key rest else under key rest :=
  boolRec_eq _ _ _

theorem under_append (key : Nat) (pairs more : List (Nat × α)) :
    under key (pairs ++ more) = under key pairs ++ under key more := by
  induction pairs with
  | nil => rfl
  | cons pair rest ih =>
    rw [List.cons_append, under_cons, under_cons, ih]
    cases Nat.beq pair.1 key <;> rfl

theorem under_keysBelow (key middle : Nat) (pairs : List (Nat × α)) (h : key < middle) :
    under key (keysBelow middle pairs) = under key pairs := by
  induction pairs with
  | nil => rfl
  | cons pair rest ih =>
    have step : keysBelow middle (pair :: rest)
        = bif Nat.ble middle pair.1 then keysBelow middle rest else pair :: keysBelow middle rest := boolRec_eq _ _ _
    rw [step, under_cons]
    cases b : Nat.ble middle pair.1 with
    | false => rw [cond_false, under_cons, ih]
    | true =>
      have : Nat.beq pair.1 key = false := by
        cases e : Nat.beq pair.1 key with
        | false => rfl
        | true => have := Nat.eq_of_beq_eq_true e; have := Nat.le_of_ble_eq_true b; omega
      rw [cond_true, this, cond_false, ih]

theorem under_keysFrom (key middle : Nat) (pairs : List (Nat × α)) (h : middle ≤ key) :
    under key (keysFrom middle pairs) = under key pairs := by
  induction pairs with
  | nil => rfl
  | cons pair rest ih =>
    have step : keysFrom middle (pair :: rest)
        = bif Nat.ble middle pair.1 then pair :: keysFrom middle rest else keysFrom middle rest := boolRec_eq _ _ _
    rw [step, under_cons]
    cases b : Nat.ble middle pair.1 with
    | true => rw [cond_true, under_cons, ih]
    | false =>
      have : Nat.beq pair.1 key = false := by
        cases e : Nat.beq pair.1 key with
        | false => rfl
        | true =>
          have := Nat.eq_of_beq_eq_true e
          have := Nat.ble_eq_true_of_le (show middle ≤ pair.1 by omega)
          simp [this] at b
      rw [cond_false, this, cond_false, ih]

/-- That `leaf` looks only at what the pairs have under its key. -/
def LooksUnder (leaf : Nat → List (Nat × α) → β) : Prop :=
  ∀ key pairs pairs', under key pairs = under key pairs' → leaf key pairs = leaf key pairs'

theorem distributedWithin_eq {leaf : Nat → List (Nat × α) → β} (looks : LooksUnder leaf) (depth first n : Nat)
    (pairs : List (Nat × α)) (tail : List β) (h : n ≤ 2 ^ depth) :
    distributedWithin leaf depth first n pairs tail
      = (List.range' first n).map (fun key => leaf key pairs) ++ tail := by
  induction depth generalizing first n pairs tail with
  | zero =>
    match n, h with
    | 0, _ => rfl
    | 1, _ => rfl
  | succ depth ih =>
    rw [Nat.pow_succ] at h
    show distributedWithin leaf depth first (n / 2) (keysBelow (first + n / 2) pairs)
      (distributedWithin leaf depth (first + n / 2) (n - n / 2) (keysFrom (first + n / 2) pairs) tail) = _
    rw [ih _ _ _ _ (by omega), ih _ _ _ _ (by omega), ← List.append_assoc]
    have low : (List.range' first (n / 2)).map (fun key => leaf key (keysBelow (first + n / 2) pairs))
        = (List.range' first (n / 2)).map (fun key => leaf key pairs) := by
      apply List.map_congr_left
      intro key mem
      have := List.mem_range'_1.mp mem
      exact looks _ _ _ (under_keysBelow _ _ _ (by omega))
    have high : (List.range' (first + n / 2) (n - n / 2)).map (fun key => leaf key (keysFrom (first + n / 2) pairs))
        = (List.range' (first + n / 2) (n - n / 2)).map (fun key => leaf key pairs) := by
      apply List.map_congr_left
      intro key mem
      have := List.mem_range'_1.mp mem
      exact looks _ _ _ (under_keysFrom _ _ _ (by omega))
    rw [low, high, ← List.map_append, List.range'_append_1]
    congr 3
    omega

/-- For each key what `leaf` makes of the pairs. -/
theorem distributed_eq {leaf : Nat → List (Nat × α) → β} (looks : LooksUnder leaf) (first last : Nat)
    (pairs : List (Nat × α)) :
    distributed leaf first last pairs = (List.range' first (last - first)).map fun key => leaf key pairs := by
  unfold distributed
  rw [distributedWithin_eq looks _ _ _ _ _ (le_pow_depthOf _), List.append_nil]
  rfl

variable [CommRing S]

theorem totalUnder_nil (key : Nat) : totalUnder key ([] : List (Nat × S)) = 0 := rfl

theorem totalUnder_cons (key : Nat) (pair : Nat × S) (rest : List (Nat × S)) :
    totalUnder key (pair :: rest) = (if pair.1 = key then pair.2 else 0) + totalUnder key rest := by
  have step : totalUnder key (pair :: rest)
      = bif Nat.beq pair.1 key then pair.2 + totalUnder key rest else totalUnder key rest := boolRec_eq _ _ _
  rw [step]
  by_cases h : pair.1 = key
  · rw [if_pos h, h, Nat.beq_refl, cond_true]
  · have : Nat.beq pair.1 key = false := by
      cases e : Nat.beq pair.1 key with
      | false => rfl
      | true => exact absurd (Nat.eq_of_beq_eq_true e) h
    rw [if_neg h, this, cond_false]
    grind

theorem totalUnder_append (key : Nat) (pairs more : List (Nat × S)) :
    totalUnder key (pairs ++ more) = totalUnder key pairs + totalUnder key more := by
  induction pairs with
  | nil => rw [List.nil_append, totalUnder_nil]; grind
  | cons pair rest ih => rw [List.cons_append, totalUnder_cons, totalUnder_cons, ih]; grind

theorem totalUnder_looks : LooksUnder (totalUnder (S := S)) := by
  have sum : ∀ key (pairs : List (Nat × S)), totalUnder key pairs = (under key pairs).foldr (· + ·) 0 := by
    intro key pairs
    induction pairs with
    | nil => rfl
    | cons pair rest ih =>
      have step : totalUnder key (pair :: rest)
          = bif Nat.beq pair.1 key then pair.2 + totalUnder key rest else totalUnder key rest := boolRec_eq _ _ _
      rw [step, under_cons, ih]
      cases Nat.beq pair.1 key <;> rfl
  intro key pairs pairs' h
  rw [sum, sum, h]

/-- Position by position the sum of what the pairs have there. -/
theorem accumulated_eq (n : Nat) (pairs : List (Nat × S)) :
    accumulated n pairs = List.ofFn fun i : Fin n => totalUnder i.val pairs := by
  unfold accumulated
  rw [distributed_eq totalUnder_looks]
  apply List.ext_getElem
  · simp
  · intro i h h'
    simp

theorem element_eq (elements : List S) (position : Nat) (h : position < elements.length) :
    element elements position = elements[position] := by
  unfold element
  rw [entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le h (le_pow_depthOf _)), List.getElem?_eq_getElem h]
  rfl

theorem sums_eq (xs ys : List S) : sums xs ys = List.zipWith (· + ·) xs ys := by
  induction xs generalizing ys with
  | nil => rfl
  | cons x xs ih =>
    cases ys with
    | nil => rfl
    | cons y ys => exact congrArg ((x + y) :: ·) (ih ys)

omit [CommRing S] in
theorem agree_iff [DecidableEq S] (xs ys : List S) : agree xs ys = true ↔ xs = ys := by
  induction xs generalizing ys with
  | nil => cases ys <;> simp [agree]
  | cons x xs ih =>
    cases ys with
    | nil => simp [agree]
    | cons y ys =>
      have step : agree (x :: xs) (y :: ys) = bif decide (x = y) then agree xs ys else false := boolRec_eq _ _ _
      rw [step]
      by_cases h : x = y <;> simp [h, ih]

end Adjudge
