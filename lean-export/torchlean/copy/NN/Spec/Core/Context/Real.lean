module

public import NN.Spec.Core.Context.Rational

/-!
Real numbers, and the operations of tensors that a graph's meaning is made of. There are none without Mathlib:
here their name stands for the rational numbers, and elementary functions are any functions. No theorem of a
witness looks into either.
-/

@[expose] public noncomputable section

/-- Stands for the real numbers. -/
abbrev Real : Type := Rat

/-- Mathlib's theorem of this name. -/
theorem one_div (x : Real) : 1 / x = x⁻¹ := by rw [Rat.div_def, Rat.one_mul]

open scoped Spec.RationalAlgebraic in
/-- The real numbers are scalars. -/
instance : Context Real := inferInstance

namespace MathFunctions

opaque exp (x : Real) : Real
opaque tanh (x : Real) : Real
opaque sin (x : Real) : Real
opaque cos (x : Real) : Real
opaque sqrt (x : Real) : Real

end MathFunctions

/-- Mathlib's function of this name. -/
def Real.sqrt (x : Real) : Real := MathFunctions.sqrt x

namespace TorchLean.Tensor

open Spec

variable {α : Type} [Storage α] {s : Shape}

def mapSpec (f : α → α) (x : Tensor α s) : Tensor α s := x.map f
def map2Spec (f : α → α → α) (x y : Tensor α s) : Tensor α s := x.zip f y
def addSpec [Add α] (x y : Tensor α s) : Tensor α s := map2Spec (fun u v => u + v) x y
def subSpec [Sub α] (x y : Tensor α s) : Tensor α s := map2Spec (fun u v => u - v) x y
def mulSpec [Mul α] (x y : Tensor α s) : Tensor α s := map2Spec (fun u v => u * v) x y
def invSpec (x : Tensor Real s) : Tensor Real s := mapSpec (fun x => 1 / x) x
def sqrtSpec (x : Tensor Real s) : Tensor Real s := mapSpec (fun x => MathFunctions.sqrt x) x
def expSpec (x : Tensor Real s) : Tensor Real s := mapSpec (fun x => MathFunctions.exp x) x
def detachSpec (x : Tensor α s) : Tensor α s := x
def sumSpec [Add α] [Zero α] (x : Tensor α s) : α := x.total
def unflattenSpec (s : Shape) (x : Tensor α [s.size]) : Tensor α s := ⟨x.entries⟩

end TorchLean.Tensor

namespace Activation

open Spec TorchLean

variable {s : Shape}

def reluSpec (x : Tensor Real s) : Tensor Real s := Tensor.mapSpec (fun v => max v 0) x
def tanhSpec (x : Tensor Real s) : Tensor Real s := Tensor.mapSpec (fun v => MathFunctions.tanh v) x

end Activation
