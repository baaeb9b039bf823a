module

public import Adjudge.Intervals.Interval
public import Adjudge.Replay.FunctionsCheck

/-!
# What nodes make of intervals

As `FlatForm.forward` and `FlatForm.pulledBack`, of what is known of the operands. `Adjudge.Intervals.FormsHold`
proves that the numbers of any ordered field are in what comes out.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- What an expression may be, by what its arguments may be. -/
def Expression.enclosure (x : Nat → Interval) : Expression → Interval
  | argument k => x k
  | zero => .exactly 0
  | one => .exactly 1
  | add a b => (a.enclosure x).add (b.enclosure x)
  | negative a => (a.enclosure x).negative
  | multiply a b => (a.enclosure x).mul (b.enclosure x)
  | inverse a => (a.enclosure x).inverse
  | floor a => (a.enclosure x).floor
  | ifLess a b yes no => (a.enclosure x).ifLess (b.enclosure x) (yes.enclosure x) (no.enclosure x)

/-- The interval at a position below the length. -/
def intervalAt (elements : List Interval) (position : Nat) : Interval :=
  entryWithin (.exactly 0) (depthOf elements.length) elements position

/-- What a sum may be. -/
def totalEnclosure (entries : List Interval) : Interval :=
  List.rec (.exactly 0) (fun first rest ih => List.rec first (fun _ _ _ => first.add ih) rest) entries

/-- For each position below `n` what the sum of what the pairs have there may be. -/
def accumulatedEnclosure (n : Nat) (pairs : List (Nat × Interval)) : List Interval :=
  distributed (fun position all => totalEnclosure (under position all)) 0 n pairs

/-- What the sums of two lists may be. -/
def sumsEnclosure (xs ys : List Interval) : List Interval :=
  List.rec (fun _ => []) (fun x _ ih ys => List.rec [] (fun y rest _ => x.add y :: ih rest) ys) xs ys

/-- `FlatTerm.given` -/
def FlatTerm.givenEnclosure (value : Nat → List Interval) (term : FlatTerm) : List (Nat × Interval) :=
  mapped (fun move => (move.1, (intervalAt (value term.operand) move.2).signed term.negated)) term.moves

/-- `argumentsOf` -/
def argumentEnclosures (given : List (List Interval)) (i : Nat) : Nat → Interval :=
  List.rec (fun _ => .exactly 0) (fun own _ ih k => Nat.rec (intervalAt own i) (fun k _ => ih k) k) given

/-- `FlatTerm.givenBy` -/
def FlatTerm.enclosuresBy (value : Nat → List Interval) (size : Nat) (terms : List FlatTerm) : List (List Interval) :=
  mapped (fun term => accumulatedEnclosure size (term.givenEnclosure value)) terms

/-- `FlatTerm.pulledWeighted` -/
def FlatTerm.pulledEnclosure (cotangent : List Interval) (id : Nat) (slope : Nat → Nat → Interval)
    (terms : List FlatTerm) : List (Nat × Interval) :=
  List.rec (fun _ => [])
    (fun term _ ih slope =>
      appended
        (bif Nat.beq term.operand id then
          mapped
            (fun move =>
              (move.2,
                (intervalAt
                  (mapped (fun i => (intervalAt cotangent i).mul (slope 0 i)) (numbersBetween 0 cotangent.length))
                  move.1).signed term.negated))
            term.moves
        else [])
        (ih fun k => slope (Nat.succ k)))
    terms slope

/-- The ids whose values the form reads. -/
def FlatForm.reads : FlatForm → List Nat
  | constant _ => []
  | literal _ => []
  | linear terms | detached terms | pointwise _ terms => terms.map FlatTerm.operand
  | bilinear left right _ | quotient left right => [left, right]

/-- `FlatForm.forward` -/
def FlatForm.enclosure (environment value : Nat → List Interval) (size : Nat) : FlatForm → List Interval
  | constant entry => environment entry
  | literal number => mapped (fun i => .exactly (natural (number i))) (numbersBetween 0 size)
  | linear terms | detached terms => accumulatedEnclosure size (joined (FlatTerm.givenEnclosure value) terms)
  | bilinear left right products =>
    accumulatedEnclosure size
      (mapped
        (fun product =>
          (product.1, (intervalAt (value left) product.2.1).mul (intervalAt (value right) product.2.2)))
        products)
  | quotient left right =>
    mapped (fun i => (intervalAt (value left) i).mul (intervalAt (value right) i).inverse) (numbersBetween 0 size)
  | pointwise function terms =>
    let given := FlatTerm.enclosuresBy value size terms
    mapped (fun i => function.enclosure (argumentEnclosures given i)) (numbersBetween 0 size)

/-- Whether every number that the form divides by is surely not zero; of expressions none may divide. -/
def FlatForm.dividesSurely (value : Nat → List Interval) : FlatForm → Bool
  | constant _ | linear _ | detached _ | bilinear .. => true
  | literal _ => true
  | quotient _ right => every Interval.isNonzero (value right)
  | pointwise function _ => !function.hasInverse

/-- `FlatForm.pulledBack` -/
def FlatForm.pulledBackEnclosure (value : Nat → List Interval) (cotangent : List Interval) (id : Nat) :
    FlatForm → List (Nat × Interval)
  | constant _ | detached _ => []
  | literal _ => []
  | linear terms =>
    joined
      (fun term =>
        bif Nat.beq term.operand id then
          mapped (fun move => (move.2, (intervalAt cotangent move.1).signed term.negated)) term.moves
        else [])
      terms
  | bilinear left right products =>
    appended
      (bif Nat.beq left id then
        mapped
          (fun product =>
            (product.2.1, (intervalAt cotangent product.1).mul (intervalAt (value right) product.2.2)))
          products
      else [])
      (bif Nat.beq right id then
        mapped
          (fun product =>
            (product.2.2, (intervalAt (value left) product.2.1).mul (intervalAt cotangent product.1)))
          products
      else [])
  | quotient left right =>
    appended
      (bif Nat.beq left id then
        mapped (fun i => (i, (intervalAt cotangent i).mul (intervalAt (value right) i).inverse))
          (numbersBetween 0 cotangent.length)
      else [])
      (bif Nat.beq right id then
        mapped
          (fun i =>
            (i,
              (((intervalAt cotangent i).mul
                ((intervalAt (value left) i).mul (intervalAt (value right) i).inverse)).mul
                (intervalAt (value right) i).inverse).negative))
          (numbersBetween 0 cotangent.length)
      else [])
  | pointwise function terms =>
    let given := FlatTerm.enclosuresBy value cotangent.length terms
    FlatTerm.pulledEnclosure cotangent id (fun k i => (function.derivative k).enclosure (argumentEnclosures given i))
      terms

/-- The slope in the operand with a number. -/
def slopeEnclosure (slopes : List Interval) (k : Nat) : Interval := (slopes[k]?).getD (.exactly 0)

/-- `pulledCalls` -/
def pulledCallEnclosures (slopes : Nat → List Interval) (c : List Interval) (id : Nat) (parents : List Nat) :
    Nat → List (Nat × Interval) :=
  List.rec (fun _ => [])
    (fun parent _ ih k =>
      appended
        (bif Nat.beq parent id then
          mapped (fun i => (i, (slopeEnclosure (slopes i) k).mul (intervalAt c i))) (numbersBetween 0 c.length)
        else [])
        (ih (Nat.succ k)))
    parents

end Adjudge
