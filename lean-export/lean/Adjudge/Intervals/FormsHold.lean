module

public import Adjudge.Intervals.Forms
public import Adjudge.Replay.Lists

/-!
# What nodes make of intervals holds

For the numbers of any ordered field what a node computes of numbers in intervals is in what it makes of these.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- That two lists are as long, and their entries related. -/
def Related {α β : Type} (R : α → β → Prop) : List α → List β → Prop
  | [], [] => True
  | x :: xs, y :: ys => R x y ∧ Related R xs ys
  | _, _ => False

/-- That each number of a list is in the interval at its place. -/
abbrev Lie {S : Type} [OrderedScalar S] (xs : List S) (ys : List Interval) : Prop :=
  Related (fun x y => Interval.Holds x y) xs ys

/-- The same of pairs with the same keys. -/
abbrev LieUnder {S : Type} [OrderedScalar S] (xs : List (Nat × S)) (ys : List (Nat × Interval)) : Prop :=
  Related (fun x y => x.1 = y.1 ∧ Interval.Holds x.2 y.2) xs ys

namespace Related

variable {α β γ : Type} {R : α → β → Prop}

theorem length {xs : List α} {ys : List β} (h : Related R xs ys) : xs.length = ys.length := by
  induction xs generalizing ys with
  | nil => cases ys with
    | nil => rfl
    | cons => cases h
  | cons x xs ih => cases ys with
    | nil => cases h
    | cons y ys => simp [ih h.2]

theorem append {xs xs' : List α} {ys ys' : List β} (h : Related R xs ys) (h' : Related R xs' ys') :
    Related R (xs ++ xs') (ys ++ ys') := by
  induction xs generalizing ys with
  | nil => cases ys with
    | nil => exact h'
    | cons => cases h
  | cons x xs ih => cases ys with
    | nil => cases h
    | cons y ys => exact ⟨h.1, ih h.2⟩

theorem map {f : γ → α} {g : γ → β} (list : List γ) (h : ∀ c ∈ list, R (f c) (g c)) :
    Related R (list.map f) (list.map g) := by
  induction list with
  | nil => trivial
  | cons c rest ih => exact ⟨h c (.head _), ih fun d mem => h d (.tail _ mem)⟩

theorem flatMap {f : γ → List α} {g : γ → List β} (list : List γ) (h : ∀ c ∈ list, Related R (f c) (g c)) :
    Related R (list.flatMap f) (list.flatMap g) := by
  induction list with
  | nil => trivial
  | cons c rest ih =>
    rw [List.flatMap_cons, List.flatMap_cons]
    exact (h c (.head _)).append (ih fun d mem => h d (.tail _ mem))

theorem drop {xs : List α} {ys : List β} (h : Related R xs ys) (n : Nat) : Related R (xs.drop n) (ys.drop n) := by
  induction n generalizing xs ys with
  | zero => exact h
  | succ n ih =>
    cases xs <;> cases ys <;> try cases h
    · trivial
    · exact ih (by assumption)

theorem get? {xs : List α} {ys : List β} (h : Related R xs ys) (i : Nat) {x : α} {y : β} (hx : xs[i]? = some x)
    (hy : ys[i]? = some y) : R x y := by
  induction i generalizing xs ys with
  | zero =>
    cases xs <;> cases ys <;> try cases h
    all_goals simp_all
  | succ i ih =>
    cases xs <;> cases ys <;> try cases h
    all_goals simp_all
    rename_i h
    exact ih h hx hy

theorem getD {xs : List α} {ys : List β} (h : Related R xs ys) (i : Nat) {x : α} {y : β} (default : R x y) :
    R (xs[i]?.getD x) (ys[i]?.getD y) := by
  have same := h.length
  by_cases inside : i < xs.length
  · rw [List.getElem?_eq_getElem inside, List.getElem?_eq_getElem (same ▸ inside)]
    exact h.get? i (List.getElem?_eq_getElem inside) (List.getElem?_eq_getElem (same ▸ inside))
  · rw [List.getElem?_eq_none (by omega), List.getElem?_eq_none (by omega)]
    exact default

theorem ofForall {xs : List α} {ys : List β} (length : xs.length = ys.length)
    (h : ∀ (i : Nat) (x : α) (y : β), (xs : List α)[i]? = some x → (ys : List β)[i]? = some y → R x y) : Related R xs ys := by
  induction xs generalizing ys with
  | nil => cases ys with
    | nil => trivial
    | cons => simp at length
  | cons x xs ih => cases ys with
    | nil => simp at length
    | cons y ys =>
      exact ⟨h 0 x y rfl rfl, ih (by simpa using length) fun i x' y' hx hy => h (i + 1) x' y' hx hy⟩

theorem zipWith {f : α → α → α} {g : β → β → β} (op : ∀ a b c d, R a c → R b d → R (f a b) (g c d))
    {xs xs' : List α} {ys ys' : List β} (h : Related R xs ys) (h' : Related R xs' ys') :
    Related R (List.zipWith f xs xs') (List.zipWith g ys ys') := by
  induction xs generalizing xs' ys ys' with
  | nil => cases ys with
    | nil => trivial
    | cons => cases h
  | cons x xs ih => cases ys with
    | nil => cases h
    | cons y ys =>
      cases xs' with
      | nil => cases ys' with
        | nil => trivial
        | cons => cases h'
      | cons x' xs' => cases ys' with
        | nil => cases h'
        | cons y' ys' => exact ⟨op _ _ _ _ h.1 h'.1, ih h.2 h'.2⟩

theorem look {xs : List α} {ys : List β} (h : Related R xs ys) {x : α} {y : β} (default : R x y)
    (depth first index : Nat) : R ((treeWithin x depth first xs).look index) ((treeWithin y depth first ys).look index) := by
  induction depth generalizing first xs ys with
  | zero =>
    cases xs <;> cases ys <;> try cases h
    · exact default
    · assumption
  | succ depth ih =>
    have step {γ : Type} (z : γ) (zs : List γ) : (treeWithin z (depth + 1) first zs).look index
        = bif Nat.ble (first + 2 ^ depth) index then
            (treeWithin z depth (first + 2 ^ depth) (dropped (2 ^ depth) zs)).look index
          else (treeWithin z depth first zs).look index := boolRec_eq _ _ _
    rw [step, step, dropped_eq, dropped_eq]
    cases Nat.ble (first + 2 ^ depth) index with
    | true => exact ih (h.drop _) _
    | false => exact ih h _

theorem entry {xs : List α} {ys : List β} (h : Related R xs ys) {x : α} {y : β} (default : R x y) (depth index : Nat) :
    R (entryWithin x depth xs index) (entryWithin y depth ys index) := by
  rw [entryWithin, entryWithin, forced_eq, forced_eq]
  exact h.look default _ _ _

end Related

variable {S : Type} [OrderedScalar S]

open Interval OrderedScalar

theorem Expression.holds_enclosure {x : Nat → S} {i : Nat → Interval} (h : ∀ k, (i k).Holds (x k)) (e : Expression) :
    (e.enclosure i).Holds (e.value x) := by
  induction e with
  | argument k => exact h k
  | zero => exact Holds.exact_zero rfl
  | one => rw [value, ← ofRat_one]; exact holds_exactly 1
  | add a b ha hb => exact ha.add hb
  | negative a ha => exact ha.negative
  | multiply a b ha hb => exact ha.mul hb
  | inverse a ha => exact ha.inverse
  | floor a ha => exact ha.floor
  | ifLess a b yes no ha hb hyes hno => exact ha.ifLess hb hyes hno

theorem element_holds {xs : List S} {ys : List Interval} (h : Lie xs ys) (position : Nat) :
    (intervalAt ys position).Holds (element xs position) := by
  rw [element, intervalAt, h.length]
  exact h.entry (Holds.exact_zero rfl) _ _

theorem total_holds {xs : List S} {ys : List Interval} (h : Lie xs ys) :
    (totalEnclosure ys).Holds (xs.foldr (· + ·) 0) := by
  induction xs generalizing ys with
  | nil => cases ys with
    | nil => exact Holds.exact_zero rfl
    | cons => cases h
  | cons x xs ih => cases ys with
    | nil => cases h
    | cons y ys =>
      have later := ih h.2
      cases ys with
      | nil => cases xs with
        | nil =>
          have : x + (0 : S) = x := by grind
          show y.Holds (x + (0 : S))
          rw [this]
          exact h.1
        | cons => cases h.2
      | cons => exact h.1.add later

theorem under_lie {xs : List (Nat × S)} {ys : List (Nat × Interval)} (h : LieUnder xs ys) (key : Nat) :
    Lie (under key xs) (under key ys) := by
  induction xs generalizing ys with
  | nil => cases ys with
    | nil => trivial
    | cons => cases h
  | cons x xs ih => cases ys with
    | nil => cases h
    | cons y ys =>
      rw [under_cons, under_cons, h.1.1]
      cases Nat.beq y.1 key with
      | true => exact ⟨h.1.2, ih h.2⟩
      | false => exact ih h.2

theorem totalUnder_eq (key : Nat) (pairs : List (Nat × S)) : totalUnder key pairs = (under key pairs).foldr (· + ·) 0 := by
  induction pairs with
  | nil => rfl
  | cons pair rest ih =>
    have step : totalUnder key (pair :: rest)
        = bif Nat.beq pair.1 key then pair.2 + totalUnder key rest else totalUnder key rest := boolRec_eq _ _ _
    rw [step, under_cons, ih]
    cases Nat.beq pair.1 key <;> rfl

theorem accumulated_lie {xs : List (Nat × S)} {ys : List (Nat × Interval)} (h : LieUnder xs ys) (n : Nat) :
    Lie (accumulated n xs) (accumulatedEnclosure n ys) := by
  rw [accumulated, accumulatedEnclosure, distributed_eq totalUnder_looks,
    distributed_eq (fun key pairs pairs' same => by rw [same])]
  refine Related.map _ fun position _ => ?_
  rw [totalUnder_eq]
  exact total_holds (under_lie h position)

theorem sums_lie {xs xs' : List S} {ys ys' : List Interval} (h : Lie xs ys) (h' : Lie xs' ys') :
    Lie (sums xs xs') (sumsEnclosure ys ys') := by
  have eq : sumsEnclosure ys ys' = List.zipWith Interval.add ys ys' := by
    clear h h'
    induction ys generalizing ys' with
    | nil => rfl
    | cons y ys ih =>
      cases ys' with
      | nil => rfl
      | cons y' ys' => exact congrArg (y.add y' :: ·) ih
  rw [sums_eq, eq]
  exact Related.zipWith (fun _ _ _ _ one two => one.add two) h h'

theorem given_lie {value : Nat → List S} {known : Nat → List Interval} (term : FlatTerm)
    (h : Lie (value term.operand) (known term.operand)) : LieUnder (term.given value) (term.givenEnclosure known) := by
  rw [FlatTerm.given, FlatTerm.givenEnclosure, mapped_eq, mapped_eq]
  exact Related.map _ fun move _ => ⟨rfl, (element_holds h move.2).signed term.negated⟩

theorem givenBy_lie {value : Nat → List S} {known : Nat → List Interval} (size : Nat) (terms : List FlatTerm)
    (h : ∀ id ∈ terms.map FlatTerm.operand, Lie (value id) (known id)) :
    Related Lie (FlatTerm.givenBy value size terms) (FlatTerm.enclosuresBy known size terms) := by
  rw [FlatTerm.givenBy, FlatTerm.enclosuresBy, mapped_eq, mapped_eq]
  exact Related.map _ fun term mem => accumulated_lie (given_lie term (h _ (List.mem_map_of_mem mem))) size

theorem arguments_hold {given : List (List S)} {known : List (List Interval)} (h : Related Lie given known) (i k : Nat) :
    (argumentEnclosures known i k).Holds (argumentsOf given i k) := by
  induction given generalizing known k with
  | nil => cases known with
    | nil => exact Holds.exact_zero rfl
    | cons => cases h
  | cons own rest ih => cases known with
    | nil => cases h
    | cons own' rest' =>
      cases k with
      | zero => exact element_holds h.1 i
      | succ k => exact ih h.2 k

theorem ofRat_natural (n : Nat) : (ofRat (natural n) : S) = natural n := by
  induction n with
  | zero =>
    have zero : (natural 0 : S) = 0 := Semiring.natCast_zero
    have zero' : (natural 0 : Rat) = 0 := Semiring.natCast_zero
    rw [zero, zero', ofRat_zero]
  | succ n ih =>
    have step : (natural (n + 1) : S) = natural n + 1 := Semiring.natCast_succ n
    have step' : (natural (n + 1) : Rat) = natural n + 1 := Semiring.natCast_succ n
    rw [step, step', ofRat_add, ih, ofRat_one]

/-- What a form gives is in what it may give. -/
theorem forward_lies {environment value : Nat → List S} {known known' : Nat → List Interval}
    (given : ∀ id, Lie (environment id) (known' id)) (size : Nat) (form : FlatForm)
    (h : ∀ id ∈ form.reads, Lie (value id) (known id)) :
    Lie (form.forward environment value size) (form.enclosure known' known size) := by
  cases form with
  | constant entry => exact given entry
  | literal number =>
    simp only [FlatForm.forward, FlatForm.enclosure, mapped_eq]
    exact Related.map _ fun i _ => by rw [← ofRat_natural]; exact holds_exactly _
  | linear terms | detached terms =>
    simp only [FlatForm.forward, FlatForm.enclosure, joined_eq]
    exact accumulated_lie (Related.flatMap _ fun term mem => given_lie term (h _ (List.mem_map_of_mem mem))) size
  | bilinear left right products =>
    simp only [FlatForm.forward, FlatForm.enclosure, mapped_eq]
    refine accumulated_lie ?_ size
    exact Related.map _ fun product _ => ⟨rfl, (element_holds (h left (.head _)) _).mul (element_holds (h right (.tail _ (.head _))) _)⟩
  | quotient left right =>
    simp only [FlatForm.forward, FlatForm.enclosure, mapped_eq]
    exact Related.map _ fun i _ => (element_holds (h left (.head _)) i).mul (element_holds (h right (.tail _ (.head _))) i).inverse
  | pointwise function terms =>
    simp only [FlatForm.forward, FlatForm.enclosure, mapped_eq]
    exact Related.map _ fun i _ => function.holds_enclosure (arguments_hold (givenBy_lie size terms h) i)

theorem pulledWeighted_lies {cotangent : List S} {known : List Interval} (c : Lie cotangent known) (id : Nat)
    {slope : Nat → Nat → S} {slope' : Nat → Nat → Interval} (slopes : ∀ k i, (slope' k i).Holds (slope k i))
    (terms : List FlatTerm) :
    LieUnder (FlatTerm.pulledWeighted cotangent id slope terms) (FlatTerm.pulledEnclosure known id slope' terms) := by
  induction terms generalizing slope slope' with
  | nil => trivial
  | cons term rest ih =>
    show LieUnder (appended (bif Nat.beq term.operand id then mapped _ term.moves else []) _)
      (appended (bif Nat.beq term.operand id then mapped _ term.moves else []) _)
    rw [appended_eq, appended_eq]
    refine Related.append ?_ (ih fun k i => slopes (k + 1) i)
    cases Nat.beq term.operand id with
    | false => trivial
    | true =>
      simp only [cond_true, mapped_eq, c.length]
      refine Related.map _ fun move _ => ⟨rfl, Holds.signed _ (element_holds ?_ _)⟩
      exact Related.map _ fun i _ => (element_holds c i).mul (slopes 0 i)

/-- What a form pulls back is in what it may pull back. -/
theorem pulledBack_lies {value : Nat → List S} {known : Nat → List Interval} {cotangent : List S}
    {known' : List Interval} (c : Lie cotangent known') (id : Nat) (form : FlatForm)
    (h : ∀ id ∈ form.reads, Lie (value id) (known id)) :
    LieUnder (form.pulledBack value cotangent id) (form.pulledBackEnclosure known known' id) := by
  cases form with
  | constant | detached | literal => trivial
  | linear terms =>
    simp only [FlatForm.pulledBack, FlatForm.pulledBackEnclosure, joined_eq, mapped_eq]
    refine Related.flatMap _ fun term _ => ?_
    cases Nat.beq term.operand id with
    | false => trivial
    | true => exact Related.map _ fun move _ => ⟨rfl, (element_holds c _).signed term.negated⟩
  | bilinear left right products =>
    simp only [FlatForm.pulledBack, FlatForm.pulledBackEnclosure, appended_eq, mapped_eq]
    refine Related.append ?_ ?_
    · cases Nat.beq left id with
      | false => trivial
      | true => exact Related.map _ fun p _ => ⟨rfl, (element_holds c _).mul (element_holds (h right (.tail _ (.head _))) _)⟩
    · cases Nat.beq right id with
      | false => trivial
      | true => exact Related.map _ fun p _ => ⟨rfl, (element_holds (h left (.head _)) _).mul (element_holds c _)⟩
  | quotient left right =>
    simp only [FlatForm.pulledBack, FlatForm.pulledBackEnclosure, appended_eq, mapped_eq, c.length]
    refine Related.append ?_ ?_
    · cases Nat.beq left id with
      | false => trivial
      | true => exact Related.map _ fun i _ => ⟨rfl, (element_holds c i).mul (element_holds (h right (.tail _ (.head _))) i).inverse⟩
    · cases Nat.beq right id with
      | false => trivial
      | true =>
        exact Related.map _ fun i _ =>
          ⟨rfl, (((element_holds c i).mul ((element_holds (h left (.head _)) i).mul (element_holds (h right (.tail _ (.head _))) i).inverse)).mul
            (element_holds (h right (.tail _ (.head _))) i).inverse).negative⟩
  | pointwise function terms =>
    simp only [FlatForm.pulledBack, FlatForm.pulledBackEnclosure, c.length]
    exact pulledWeighted_lies c id
      (fun k i => (function.derivative k).holds_enclosure (arguments_hold (givenBy_lie _ terms h) i)) terms

/-- What a function's node pulls back is in what it may pull back, where the slopes are known. -/
theorem pulledCalls_lie {slopes : Nat → List S} {known : Nat → List Interval} {c : List S} {known' : List Interval}
    (cotangent : Lie c known') (id : Nat) (h : ∀ i < c.length, Lie (slopes i) (known i)) (parents : List Nat) (k : Nat) :
    LieUnder (pulledCalls slopes c id parents k) (pulledCallEnclosures known known' id parents k) := by
  induction parents generalizing k with
  | nil => trivial
  | cons parent rest ih =>
    show LieUnder (appended (bif Nat.beq parent id then mapped _ _ else []) _)
      (appended (bif Nat.beq parent id then mapped _ _ else []) _)
    rw [appended_eq, appended_eq]
    refine Related.append ?_ (ih (k + 1))
    cases Nat.beq parent id with
    | false => trivial
    | true =>
      rw [cond_true, cond_true, mapped_eq, mapped_eq, numbersBetween_eq, numbersBetween_eq, cotangent.length]
      refine Related.map _ fun i mem => ⟨rfl, Holds.mul ?_ (element_holds cotangent i)⟩
      have := (List.mem_range'_1.mp mem).2
      exact (h i (by rw [cotangent.length]; omega)).getD k (Holds.exact_zero rfl)

end Adjudge
