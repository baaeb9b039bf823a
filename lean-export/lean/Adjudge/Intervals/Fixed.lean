module

public import Adjudge.Intervals.Check
public import Adjudge.Replay.Functions

/-!
# The run with any functions

Whatever the elementary functions are, a program whose ids read earlier ones alone has a run by them: each value is
made of earlier ones, each cotangent of later ones.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- Where each entry is made of earlier ones there are entries that are all made so. -/
theorem exists_upward {α : Type} (default : α) (n : Nat) (step : (Nat → α) → Nat → α)
    (causal : ∀ V W id, id < n → (∀ k < id, V k = W k) → step V id = step W id) :
    ∃ V : Nat → α, ∀ id < n, V id = step V id := by
  induction n with
  | zero => exact ⟨fun _ => default, fun _ h => absurd h (Nat.not_lt_zero _)⟩
  | succ n ih =>
    obtain ⟨V, fixed⟩ := ih fun V W id h => causal V W id (by omega)
    refine ⟨fun k => if k = n then step V n else V k, fun id h => ?_⟩
    by_cases last : id = n
    · subst last
      show (if id = id then step V id else V id) = _
      rw [if_pos rfl]
      exact causal _ _ _ (by omega) fun k less => by rw [if_neg (by omega)]
    · show (if id = n then step V n else V id) = _
      rw [if_neg last, fixed id (by omega)]
      exact causal _ _ _ (by omega) fun k less => by rw [if_neg (by omega)]

/-- The same where each is made of later ones. -/
theorem exists_downward {α : Type} (default : α) (n : Nat) (step : (Nat → α) → Nat → α)
    (causal : ∀ V W id, id < n → (∀ k, id < k → k < n → V k = W k) → step V id = step W id) :
    ∃ V : Nat → α, ∀ id < n, V id = step V id := by
  obtain ⟨V, fixed⟩ := exists_upward default n (fun V id => step (fun k => V (n - 1 - k)) (n - 1 - id))
    fun V W id h same => causal _ _ _ (by omega) fun k low high => same _ (by omega)
  refine ⟨fun k => V (n - 1 - k), fun id h => ?_⟩
  have := fixed (n - 1 - id) (by omega)
  have back : n - 1 - (n - 1 - id) = id := by omega
  rw [back] at this
  exact this

variable {S : Type} [Scalar S]

theorem given_congr {value other : Nat → List S} (terms : List FlatTerm)
    (same : ∀ id ∈ terms.map FlatTerm.operand, value id = other id) :
    ∀ term ∈ terms, term.given value = term.given other := by
  intro term mem
  rw [FlatTerm.given, FlatTerm.given, same _ (List.mem_map_of_mem mem)]

/-- A form gives the same of the same values of what it reads. -/
theorem FlatForm.forward_congr {value other : Nat → List S} (environment : Nat → List S) (size : Nat) (form : FlatForm)
    (same : ∀ id ∈ form.reads, value id = other id) :
    form.forward environment value size = form.forward environment other size := by
  cases form with
  | constant | literal => rfl
  | linear terms | detached terms =>
    simp only [forward, joined_eq]
    congr 1
    rw [List.flatMap_def, List.flatMap_def]
    congr 1
    exact List.map_congr_left (given_congr terms same)
  | bilinear left right products =>
    have l := same left (by simp [reads])
    have r := same right (by simp [reads])
    simp only [forward, l, r]
  | quotient left right =>
    have l := same left (by simp [reads])
    have r := same right (by simp [reads])
    simp only [forward, l, r]
  | pointwise function terms =>
    have given : FlatTerm.givenBy value size terms = FlatTerm.givenBy other size terms := by
      rw [FlatTerm.givenBy, FlatTerm.givenBy, mapped_eq, mapped_eq]
      exact List.map_congr_left fun term mem => by rw [given_congr terms same term mem]
    simp only [forward, given]

end Adjudge
