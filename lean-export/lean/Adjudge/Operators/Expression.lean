module

public import Adjudge.Operators.Scalar

/-!
# Functions of numbers, as expressions

What an operator does to numbers that stand at the same position is an expression, so that it can be
differentiated by rules: `derivative` writes the slope by an argument as an expression again. Of a choice it
differentiates the branch that is chosen, and of `floor` nothing. `reference/operators/choices.ts` has what
is made of them, `reference/operators/det.ts` and `solve.ts` the other two.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- How a number is made of arguments. -/
inductive Expression where
  /-- The argument with this number. -/
  | argument (k : Nat)
  | zero
  | one
  | add (a b : Expression)
  | negative (a : Expression)
  | multiply (a b : Expression)
  | inverse (a : Expression)
  /-- The greatest integer that is not greater. -/
  | floor (a : Expression)
  /-- `yes` where `a < b`, else `no`. -/
  | ifLess (a b yes no : Expression)

namespace Expression

variable {S : Type} [Scalar S]

/-- The number that is made of arguments. -/
def value (x : Nat → S) : Expression → S
  | argument k => x k
  | zero => 0
  | one => 1
  | add a b => a.value x + b.value x
  | negative a => -a.value x
  | multiply a b => a.value x * b.value x
  | inverse a => (a.value x)⁻¹
  | floor a => Scalar.floor (a.value x)
  | ifLess a b yes no => bif Scalar.less (a.value x) (b.value x) then yes.value x else no.value x

/-- All that is divided by: of a choice what is asked, and what the chosen branch divides by. -/
def divisors (x : Nat → S) : Expression → List S
  | argument _ | zero | one => []
  | add a b | multiply a b => a.divisors x ++ b.divisors x
  | negative a | floor a => a.divisors x
  | inverse a => a.value x :: a.divisors x
  | ifLess a b yes no =>
    a.divisors x ++ b.divisors x
      ++ bif Scalar.less (a.value x) (b.value x) then yes.divisors x else no.divisors x

/-- Whether anything is divided by. -/
def hasInverse : Expression → Bool
  | argument _ | zero | one => false
  | add a b | multiply a b => a.hasInverse || b.hasInverse
  | negative a | floor a => a.hasInverse
  | inverse _ => true
  | ifLess a b yes no => a.hasInverse || b.hasInverse || yes.hasInverse || no.hasInverse

/-- The product, where a factor that is written as zero or one is not multiplied by. -/
def times : Expression → Expression → Expression
  | zero, _ | _, zero => zero
  | one, b => b
  | a, one => a
  | a, b => multiply a b

/-- The sum, where a summand that is written as zero is not added. -/
def plus : Expression → Expression → Expression
  | zero, b => b
  | a, zero => a
  | a, b => add a b

/-- The negative, but of what is written as zero. -/
def minus : Expression → Expression
  | zero => zero
  | a => negative a

/-- The slope by an argument, by the rules of derivation. -/
def derivative (k : Nat) : Expression → Expression
  | argument j => if j = k then one else zero
  | zero | one | floor _ => zero
  | add a b => plus (a.derivative k) (b.derivative k)
  | negative a => minus (a.derivative k)
  | multiply a b => plus (times (a.derivative k) b) (times a (b.derivative k))
  | inverse a => minus (times (a.derivative k) (multiply (inverse a) (inverse a)))
  | ifLess a b yes no => ifLess a b (yes.derivative k) (no.derivative k)

/-- The tangent along tangents of the arguments, by the rules of derivation. -/
def tangent (x dx : Nat → S) : Expression → S
  | argument k => dx k
  | zero | one | floor _ => 0
  | add a b => a.tangent x dx + b.tangent x dx
  | negative a => -a.tangent x dx
  | multiply a b => a.tangent x dx * b.value x + a.value x * b.tangent x dx
  | inverse a => -(a.tangent x dx * ((a.value x)⁻¹ * (a.value x)⁻¹))
  | ifLess a b yes no =>
    bif Scalar.less (a.value x) (b.value x) then yes.tangent x dx else no.tangent x dx

/-- The same expression of the arguments from the second on. -/
def shifted : Expression → Expression
  | argument k => argument (k + 1)
  | zero => zero
  | one => one
  | add a b => add a.shifted b.shifted
  | negative a => negative a.shifted
  | multiply a b => multiply a.shifted b.shifted
  | inverse a => inverse a.shifted
  | floor a => floor a.shifted
  | ifLess a b yes no => ifLess a.shifted b.shifted yes.shifted no.shifted

/-- The value of a product. -/
theorem value_times (x : Nat → S) (a b : Expression) : (times a b).value x = a.value x * b.value x := by
  unfold times
  split <;> simp only [value] <;> grind

/-- The value of a sum. -/
theorem value_plus (x : Nat → S) (a b : Expression) : (plus a b).value x = a.value x + b.value x := by
  unfold plus
  split <;> simp only [value] <;> grind

/-- The value of a negative. -/
theorem value_minus (x : Nat → S) (a : Expression) : (minus a).value x = -a.value x := by
  unfold minus
  split <;> simp only [value] <;> grind

/-- The shifted expression of arguments is the expression of those from the second on. -/
theorem value_shifted (x : Nat → S) (e : Expression) : e.shifted.value x = e.value fun k => x (k + 1) := by
  induction e with
  | argument | zero | one => rfl
  | add a b ha hb | multiply a b ha hb => simp only [shifted, value, ha, hb]
  | negative a ha | inverse a ha | floor a ha => simp only [shifted, value, ha]
  | ifLess a b yes no ha hb hyes hno => simp only [shifted, value, ha, hb, hyes, hno]

/-- `max x y`, which is `x` where they are equal. -/
def maximum : Expression := .ifLess (.argument 0) (.argument 1) (.argument 1) (.argument 0)

/-- The positive part, which is `0` at zero. -/
def relu : Expression := .ifLess .zero (.argument 0) (.argument 0) .zero

/-- One where the first is less, else zero. -/
def less : Expression := .ifLess (.argument 0) (.argument 1) .one .zero

/-- One where neither is less, else zero. -/
def equal : Expression := .ifLess (.argument 0) (.argument 1) .zero (.ifLess (.argument 1) (.argument 0) .zero .one)

/-- The second where the first is not zero, else the third. -/
def select : Expression :=
  .ifLess (.argument 0) .zero (.argument 1) (.ifLess .zero (.argument 0) (.argument 1) (.argument 2))

/-- `term 0 - term 1 + term 2 - …`, of so many terms. -/
def alternating (term : Nat → Expression) : Nat → Expression
  | 0 => zero
  | j + 1 => plus (alternating term j) (if j % 2 = 0 then term j else minus (term j))

/-- The determinant of a matrix of so many rows, expanded along the first. -/
def determinant : (order : Nat) → (entry : Nat → Nat → Expression) → Expression
  | 0, _ => one
  | n + 1, entry =>
    alternating
      (fun j => times (entry 0 j) (determinant n fun row column => entry (row + 1) (if column < j then column else column + 1)))
      (n + 1)

/-- The determinant of the matrix whose entries are the arguments, row by row. -/
def determinantOf (order : Nat) : Expression := determinant order fun row column => argument (row * order + column)

/-- Sums of terms with the same values have the same value. -/
theorem value_alternating_congr {x y : Nat → S} {f g : Nat → Expression} (n : Nat)
    (same : ∀ j < n, (f j).value x = (g j).value y) : (alternating f n).value x = (alternating g n).value y := by
  induction n with
  | zero => rfl
  | succ n hypothesis =>
    have last := same n (Nat.lt_succ_self n)
    simp only [alternating, value_plus, hypothesis fun j small => same j (by omega)]
    split <;> simp only [value_minus, last]

/-- Matrices whose entries have the same values have the same determinant. -/
theorem value_determinant_congr {x y : Nat → S} {f g : Nat → Nat → Expression} (n : Nat)
    (same : ∀ row < n, ∀ column < n, (f row column).value x = (g row column).value y) :
    (determinant n f).value x = (determinant n g).value y := by
  induction n generalizing f g with
  | zero => rfl
  | succ n hypothesis =>
    refine value_alternating_congr (n + 1) fun j small => ?_
    rw [value_times, value_times, same 0 (by omega) j small]
    congr 1
    refine hypothesis fun row small' column small'' => same (row + 1) (by omega) _ ?_
    split <;> omega

/--
The first unknown of a system of so many equations, by Cramer's rule: the arguments are the entries of the
matrix, row by row, then the right-hand side.
-/
def cramer (order : Nat) : Expression :=
  multiply
    (determinant order fun row column =>
      argument (if column = 0 then order * order + row else row * order + column))
    (inverse (determinantOf order))

end Expression

end Adjudge
