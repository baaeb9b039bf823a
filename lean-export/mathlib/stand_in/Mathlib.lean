module

public import Init.Grind

/-!
Stands in for the theorems of Mathlib that `AdjudgeMathlib` uses, with Mathlib's names and statements, so that
its text can be checked where there is no Mathlib; the notations `ℝ` and `→L[ℝ]` are written before that text.
What they are about is not copied: the real numbers are the rational ones here, and to have a derivative means
to be built by Mathlib's rules.
-/

@[expose] public noncomputable section

/-- Stands for the real numbers. -/
abbrev Real : Type := Rat

/-- The greatest integer that is not greater. -/
def Int.floor (x : Real) : Int := Rat.floor x

/-- Nothing of a norm is needed here. -/
class NormedAddCommGroup (V : Type) : Type

class NormedSpace (S V : Type) [NormedAddCommGroup V] : Type

/-- A linear map, as a function. -/
structure ContinuousLinearMap (S V W : Type) where
  apply : V → W

variable {V : Type}

/-- The linear maps to numbers. -/
abbrev Map (V : Type) : Type := ContinuousLinearMap Real V Real

instance : CoeFun (Map V) fun _ => V → Real := ⟨ContinuousLinearMap.apply⟩
instance : Zero (Map V) := ⟨⟨fun _ => 0⟩⟩
instance : Add (Map V) := ⟨fun L M => ⟨fun u => L u + M u⟩⟩
instance : Neg (Map V) := ⟨fun L => ⟨fun u => -L u⟩⟩
instance : SMul Real (Map V) := ⟨fun c L => ⟨fun u => c * L u⟩⟩

theorem pow_two (x : Real) : x ^ 2 = x * x := by grind

theorem mul_inv (x y : Real) : (x * y)⁻¹ = x⁻¹ * y⁻¹ := by
  rw [Rat.inv_mul_rev, Rat.mul_comm]

/-- The derivatives of functions of one number that are used. -/
inductive HasDerivAt : (Real → Real) → Real → Real → Prop
  | inv {x : Real} (nonzero : x ≠ 0) : HasDerivAt (fun y => y⁻¹) (-(x ^ 2)⁻¹) x

theorem hasDerivAt_inv {x : Real} (nonzero : x ≠ 0) : HasDerivAt (fun y => y⁻¹) (-(x ^ 2)⁻¹) x := .inv nonzero

/-- What Mathlib's rules give. -/
inductive HasFDerivAt : (V → Real) → (Map V) → V → Prop
  | const (c : Real) (v : V) : HasFDerivAt (fun _ => c) 0 v
  | add {f g : V → Real} {L M : Map V} {v : V} (hf : HasFDerivAt f L v) (hg : HasFDerivAt g M v) :
    HasFDerivAt (fun w => f w + g w) (L + M) v
  | neg {f : V → Real} {L : Map V} {v : V} (hf : HasFDerivAt f L v) : HasFDerivAt (fun w => -f w) (-L) v
  | mul {f g : V → Real} {L M : Map V} {v : V} (hf : HasFDerivAt f L v) (hg : HasFDerivAt g M v) :
    HasFDerivAt (fun w => f w * g w) (f v • M + g v • L) v
  | comp {h : Real → Real} {d : Real} {f : V → Real} {L : Map V} (v : V) (hh : HasDerivAt h d (f v)) (hf : HasFDerivAt f L v) :
    HasFDerivAt (h ∘ f) (d • L) v

theorem hasFDerivAt_const (c : Real) (v : V) : HasFDerivAt (fun _ => c) (0 : Map V) v := .const c v

theorem HasDerivAt.comp_hasFDerivAt {h : Real → Real} {d : Real} {f : V → Real} {L : Map V} (v : V)
    (hh : HasDerivAt h d (f v)) (hf : HasFDerivAt f L v) : HasFDerivAt (h ∘ f) (d • L) v := .comp v hh hf
