module

public import Adjudge.Operators.Operator
public import Adjudge.Replay.Accumulate

/-!
# Forms on lists of numbers

`Form` and `Operator.form?` with the types erased: operands are ids, shapes are data, positions are natural numbers.
`Adjudge.Replay.Erasure` proves that they are the same.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- `LinearTerm` with the id of its operand; a move is the pair of `result` and `operand`. -/
structure FlatTerm where
  operand : Nat
  negated : Bool
  moves : List (Nat × Nat)

/-- `Form` with ids for places; a product is `result`, `left` and `right`. -/
inductive FlatForm where
  | constant (entry : Nat)
  | linear (terms : List FlatTerm)
  | detached (terms : List FlatTerm)
  | bilinear (left right : Nat) (products : List (Nat × Nat × Nat))
  | quotient (left right : Nat)

/-- The ids whose cotangents the form adds to. -/
def FlatForm.operands : FlatForm → List Nat
  | constant _ | detached _ => []
  | linear terms => terms.map FlatTerm.operand
  | bilinear left right _ | quotient left right => [left, right]

/-- An operand: its id and its shape. -/
abbrev Operand := Nat × Shape

/-- Whether all moves are within the sizes of result and operand. -/
def movesFit (n m : Nat) (moves : List (Nat × Nat)) : Bool :=
  moves.all fun move => Nat.blt move.1 n && Nat.blt move.2 m

/-- Whether all products are within the sizes of result, left and right. -/
def productsFit (n m k : Nat) (products : List (Nat × Nat × Nat)) : Bool :=
  products.all fun product => Nat.blt product.1 n && (Nat.blt product.2.1 m && Nat.blt product.2.2 k)

/-- `moving` -/
def flatMoving (operand : Operand) (τ : Shape) (negated : Bool) (pairs : List (Nat × Nat)) : Option FlatTerm :=
  bif movesFit τ.size operand.2.size pairs then some ⟨operand.1, negated, pairs⟩ else none

/-- `gathering` -/
def flatGathering (operand : Operand) (τ : Shape) (source : Nat → Nat) : Option (Shape × FlatForm) :=
  match flatMoving operand τ false ((numbersBetween 0 τ.size).map fun i => (i, source i)) with
  | some term => some (τ, .linear [term])
  | none => none

/-- `scattering` -/
def flatScattering (operand : Operand) (τ : Shape) (target : Nat → Nat) : Option (Shape × FlatForm) :=
  match flatMoving operand τ false ((numbersBetween 0 operand.2.size).map fun j => (target j, j)) with
  | some term => some (τ, .linear [term])
  | none => none

/-- `elementwise` -/
def flatElementwise (operand : Operand) (τ : Shape) (negated : Bool) : Option FlatTerm :=
  if operand.2 = τ then flatMoving operand τ negated ((numbersBetween 0 τ.size).map fun i => (i, i)) else none

/-- `concatTerms` -/
def flatConcatTerms (axis : Nat) (τ : Shape) : Nat → List Operand → Option (List FlatTerm)
  | _, [] => some []
  | offset, operand :: rest =>
    if withEntry operand.2 axis 0 ≠ withEntry τ axis 0 then none
    else
      match
        flatMoving operand τ false
          ((numbersBetween 0 operand.2.size).map fun j => (concatTarget axis offset operand.2 τ j, j)),
        flatConcatTerms axis τ (offset + entryAt operand.2 axis 0) rest with
      | some term, some terms => some (term :: terms)
      | _, _ => none

/-- `joinedExtent` -/
def flatJoinedExtent (axis : Nat) : List Operand → Nat
  | [] => 0
  | operand :: rest => entryAt operand.2 axis 0 + flatJoinedExtent axis rest

/-- `matmulProducts` -/
def flatMatmulProducts (batch rows inner columns : Nat) : List (Nat × Nat × Nat) :=
  (numbersBetween 0 (batch * rows * columns)).flatMap fun position =>
    let column := position % columns
    let row := position / columns
    (numbersBetween 0 inner).map fun k => (position, row * inner + k, (row / rows * inner + k) * columns + column)

/-- `multiplying` -/
def flatMultiplying (left right : Operand) (τ : Shape) (triples : List (Nat × Nat × Nat)) :
    Option (Shape × FlatForm) :=
  bif productsFit τ.size left.2.size right.2.size triples then some (τ, .bilinear left.1 right.1 triples) else none

/-- `dividing` -/
def flatDividing (left right : Operand) : Option (Shape × FlatForm) :=
  if right.2 = left.2 then some (left.2, .quotient left.1 right.1) else none

/-- `runningPairs` -/
def flatRunningPairs (axis : Nat) (shape : Shape) : List (Nat × Nat) :=
  (numbersBetween 0 shape.size).flatMap fun position =>
    let coordinates := coordinatesOf shape position
    (numbersBetween 0 (entryAt coordinates axis 0 + 1)).map fun i =>
      (position, positionOf shape (withEntry coordinates axis i))

/-- `formAt?`, where `environment` has the shapes of the entries of `Δ`. -/
def Operator.flat? (environment : Nat → Option Shape) (op : Operator) (operands : List Operand) :
    Option (Shape × FlatForm) :=
  match op, operands with
  | constant entry, [] =>
    match environment entry with
    | some τ => some (τ, .constant entry)
    | none => none
  | add, [x, y] =>
    match flatElementwise x x.2 false, flatElementwise y x.2 false with
    | some left, some right => some (x.2, .linear [left, right])
    | _, _ => none
  | subtract, [x, y] =>
    match flatElementwise x x.2 false, flatElementwise y x.2 true with
    | some left, some right => some (x.2, .linear [left, right])
    | _, _ => none
  | negative, [x] =>
    match flatElementwise x x.2 true with
    | some term => some (x.2, .linear [term])
    | none => none
  | multiply, [x, y] =>
    if x.2 = y.2 then flatMultiplying x y x.2 ((numbersBetween 0 x.2.size).map fun i => (i, i, i)) else none
  | divide, [x, y] => flatDividing x y
  | stop_gradient, [x] =>
    match flatElementwise x x.2 false with
    | some term => some (x.2, .detached [term])
    | none => none
  | sum axes keepdims, [x] =>
    flatScattering x (if keepdims then keptShape axes x.2 else withoutAxes 0 axes x.2) (sumTarget axes x.2)
  | broadcast_to shape, [x] =>
    if broadcasts x.2.reverse shape.reverse then flatGathering x shape (broadcastSource x.2 shape) else none
  | reshape shape, [x] => if shape.size = x.2.size then flatGathering x shape id else none
  | permute_dims axes, [x] =>
    if axes.length = x.2.length ∧ (below x.2.length).all (occurs · axes) then
      flatGathering x (permutedShape axes x.2) (permuteSource axes x.2)
    else none
  | take axis indices, [x] =>
    if axis < x.2.length ∧ indices.all (· < entryAt x.2 axis 0) then
      let shape := withEntry x.2 axis indices.length
      flatGathering x shape (takeSource axis indices x.2 shape)
    else none
  | concat axis, first :: rest =>
    if axis < first.2.length then
      let shape := withEntry first.2 axis (flatJoinedExtent axis (first :: rest))
      match flatConcatTerms axis shape 0 (first :: rest) with
      | some terms => some (shape, .linear terms)
      | none => none
    else none
  | matmul, [x, y] =>
    match matrixShape x.2, matrixShape y.2 with
    | some (batch, rows, inner), some (batch', inner', columns) =>
      if batch = batch' ∧ inner = inner' then
        flatMultiplying x y (batch ++ [rows, columns]) (flatMatmulProducts batch.size rows inner columns)
      else none
    | _, _ => none
  | gather shape sources, [x] =>
    if sources.length = shape.size then flatGathering x shape (fun i => entryAt sources i x.2.size) else none
  | scatter shape targets, [x] =>
    if targets.length = x.2.size then flatScattering x shape (fun j => entryAt targets j shape.size) else none
  | cumulative_sum axis, [x] =>
    if axis < x.2.length then
      match flatMoving x x.2 false (flatRunningPairs axis x.2) with
      | some term => some (x.2, .linear [term])
      | none => none
    else none
  | _, _ => none

variable {S : Type} [Scalar S]

/-- A number or its negative. -/
def signed (negated : Bool) (x : S) : S := bif negated then -x else x

/-- The terms of the elements of the value, each under its position. -/
def FlatTerm.given (value : Nat → List S) (term : FlatTerm) : List (Nat × S) :=
  term.moves.map fun move => (move.1, signed term.negated (element (value term.operand) move.2))

/-- The elements of the value, from those of the operands and of `Δ`. -/
def FlatForm.forward (environment value : Nat → List S) (size : Nat) : FlatForm → List S
  | constant entry => environment entry
  | linear terms | detached terms => accumulated size (terms.flatMap (FlatTerm.given value))
  | bilinear left right products =>
    accumulated size (products.map fun product =>
      (product.1, element (value left) product.2.1 * element (value right) product.2.2))
  | quotient left right =>
    (numbersBetween 0 size).map fun i => element (value left) i * (element (value right) i)⁻¹

/-- Whether every number that the form divides by has an inverse. -/
def FlatForm.divides [DecidableEq S] (value : Nat → List S) : FlatForm → Bool
  | constant _ | linear _ | detached _ | bilinear .. => true
  | quotient _ right => (value right).all fun divisor => decide (divisor * divisor⁻¹ = 1)

/-- The terms of the elements of the cotangent that the operand `id` gets, each under its position. -/
def FlatForm.pulledBack (value : Nat → List S) (cotangent : List S) (id : Nat) : FlatForm → List (Nat × S)
  | constant _ | detached _ => []
  | linear terms =>
    terms.flatMap fun term =>
      bif Nat.beq term.operand id then
        term.moves.map fun move => (move.2, signed term.negated (element cotangent move.1))
      else []
  | bilinear left right products =>
    (bif Nat.beq left id then
      products.map fun product => (product.2.1, element cotangent product.1 * element (value right) product.2.2)
    else [])
    ++ (bif Nat.beq right id then
      products.map fun product => (product.2.2, element (value left) product.2.1 * element cotangent product.1)
    else [])
  | quotient left right =>
    (bif Nat.beq left id then
      (numbersBetween 0 cotangent.length).map fun i => (i, element cotangent i * (element (value right) i)⁻¹)
    else [])
    ++ (bif Nat.beq right id then
      (numbersBetween 0 cotangent.length).map fun i =>
        (i, -(element cotangent i * (element (value left) i * (element (value right) i)⁻¹) * (element (value right) i)⁻¹))
    else [])

end Adjudge
