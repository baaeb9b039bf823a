module

public import Adjudge.Operators.Operator
public import Adjudge.Replay.Accumulate

/-!
# Forms on lists of numbers

`Form` and `Operator.form?` with the types erased: operands are ids, shapes are data, positions are natural
numbers. `Adjudge.Replay.Erasure` proves that they are the same.
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
  | literal (number : Nat → Nat)
  | linear (terms : List FlatTerm)
  | detached (terms : List FlatTerm)
  | bilinear (left right : Nat) (products : List (Nat × Nat × Nat))
  | quotient (left right : Nat)
  | pointwise (function : Expression) (terms : List FlatTerm)

/-- The ids whose cotangents the form adds to. -/
def FlatForm.operands : FlatForm → List Nat
  | constant _ | detached _ => []
  | literal _ => []
  | linear terms | pointwise _ terms => terms.map FlatTerm.operand
  | bilinear left right _ | quotient left right => [left, right]

/-- An operand: its id and its shape. -/
abbrev Operand := Nat × Shape

/-- Whether all moves are within the sizes of result and operand. -/
def movesFit (n m : Nat) (moves : List (Nat × Nat)) : Bool :=
  every (fun move => Nat.blt move.1 n && Nat.blt move.2 m) moves

/-- Whether all products are within the sizes of result, left and right. -/
def productsFit (n m k : Nat) (products : List (Nat × Nat × Nat)) : Bool :=
  every (fun product => Nat.blt product.1 n && (Nat.blt product.2.1 m && Nat.blt product.2.2 k)) products

/-- `moving` -/
def flatMoving (operand : Operand) (τ : Shape) (negated : Bool) (pairs : List (Nat × Nat)) : Option FlatTerm :=
  bif movesFit (volume τ) (volume operand.2) pairs then some ⟨operand.1, negated, pairs⟩ else none

/-- `gathering` -/
def flatGathering (operand : Operand) (τ : Shape) (source : Nat → Nat) : Option (Shape × FlatForm) :=
  match flatMoving operand τ false (mapped (fun i => (i, source i)) (numbersBetween 0 (volume τ))) with
  | some term => some (τ, .linear [term])
  | none => none

/-- `scattering` -/
def flatScattering (operand : Operand) (τ : Shape) (target : Nat → Nat) : Option (Shape × FlatForm) :=
  match flatMoving operand τ false (mapped (fun j => (target j, j)) (numbersBetween 0 (volume operand.2))) with
  | some term => some (τ, .linear [term])
  | none => none

/-- `List.zipWith` -/
def zipped (pair : Nat → Nat → Nat × Nat) (numbers entries : List Nat) : List (Nat × Nat) :=
  List.rec (fun _ => []) (fun number _ ih entries => List.rec [] (fun entry rest _ => pair number entry :: ih rest) entries)
    numbers entries

/-- The pairs of each number below `n` and the list's entry there; a list that is as long is walked through once. -/
def listed (pair : Nat → Nat → Nat × Nat) (n : Nat) (entries : List Nat) (default : Nat) : List (Nat × Nat) :=
  bif Nat.beq entries.length n then zipped pair (numbersBetween 0 n) entries
  else mapped (fun i => pair i (entryAt entries i default)) (numbersBetween 0 n)

/-- `gathering`, of a list of sources. -/
def flatListing (operand : Operand) (τ : Shape) (sources : List Nat) (default : Nat) : Option (Shape × FlatForm) :=
  match flatMoving operand τ false (listed (fun i source => (i, source)) (volume τ) sources default) with
  | some term => some (τ, .linear [term])
  | none => none

/-- `placing` -/
def flatPlacing (operand : Operand) (τ : Shape) (targets : List Nat) : Option FlatTerm :=
  flatMoving operand τ false (listed (fun j target => (target, j)) (volume operand.2) targets (volume τ))

/-- `scattering`, of a list of targets. -/
def flatSpreading (operand : Operand) (τ : Shape) (targets : List Nat) : Option (Shape × FlatForm) :=
  match flatPlacing operand τ targets with
  | some term => some (τ, .linear [term])
  | none => none

/-- `elementwise` -/
def flatElementwise (operand : Operand) (τ : Shape) (negated : Bool) : Option FlatTerm :=
  bif sameShape operand.2 τ then flatMoving operand τ negated (mapped (fun i => (i, i)) (numbersBetween 0 (volume τ)))
  else none

/-- `concatTerms` -/
def flatConcatTerms (axis : Nat) (τ : Shape) : Nat → List Operand → Option (List FlatTerm)
  | _, [] => some []
  | offset, operand :: rest =>
    if withEntry operand.2 axis 0 ≠ withEntry τ axis 0 then none
    else
      match
        flatMoving operand τ false
          (mapped (fun j => (concatTarget axis offset operand.2 τ j, j)) (numbersBetween 0 (volume operand.2))),
        flatConcatTerms axis τ (offset + entryAt operand.2 axis 0) rest with
      | some term, some terms => some (term :: terms)
      | _, _ => none

/-- `joinedExtent` -/
def flatJoinedExtent (axis : Nat) : List Operand → Nat
  | [] => 0
  | operand :: rest => entryAt operand.2 axis 0 + flatJoinedExtent axis rest

/-- `matmulProducts` -/
def flatMatmulProducts (batch rows inner columns : Nat) : List (Nat × Nat × Nat) :=
  joined
    (fun position =>
      let column := position % columns
      let row := position / columns
      mapped (fun k => (position, row * inner + k, (row / rows * inner + k) * columns + column))
        (numbersBetween 0 inner))
    (numbersBetween 0 (batch * rows * columns))

/-- `multiplying` -/
def flatMultiplying (left right : Operand) (τ : Shape) (triples : List (Nat × Nat × Nat)) :
    Option (Shape × FlatForm) :=
  bif productsFit (volume τ) (volume left.2) (volume right.2) triples then some (τ, .bilinear left.1 right.1 triples) else none

/-- `dividing` -/
def flatDividing (left right : Operand) : Option (Shape × FlatForm) :=
  bif sameShape right.2 left.2 then some (left.2, .quotient left.1 right.1) else none

/-- `runningPairs` -/
def flatRunningPairs (axis : Nat) (shape : Shape) : List (Nat × Nat) :=
  joined
    (fun position =>
      let coordinates := coordinatesOf shape position
      mapped (fun i => (position, positionOf shape (withEntry coordinates axis i)))
        (numbersBetween 0 (entryAt coordinates axis 0 + 1)))
    (numbersBetween 0 (volume shape))

/-- Two operands element by element, the second with a sign. -/
def flatAdding (negated : Bool) : List Operand → Option (Shape × FlatForm)
  | [x, y] =>
    match flatElementwise x x.2 false, flatElementwise y x.2 negated with
    | some left, some right => some (x.2, .linear [left, right])
    | _, _ => none
  | _ => none

/-- `negative` -/
def flatNegative : List Operand → Option (Shape × FlatForm)
  | [x] =>
    match flatElementwise x x.2 true with
    | some term => some (x.2, .linear [term])
    | none => none
  | _ => none

/-- `multiply` -/
def flatMultiply : List Operand → Option (Shape × FlatForm)
  | [x, y] =>
    bif sameShape x.2 y.2 then
      flatMultiplying x y x.2 (mapped (fun i => (i, i, i)) (numbersBetween 0 (volume x.2)))
    else none
  | _ => none

/-- `divide` -/
def flatDivide : List Operand → Option (Shape × FlatForm)
  | [x, y] => flatDividing x y
  | _ => none

/-- `stop_gradient` -/
def flatStopGradient : List Operand → Option (Shape × FlatForm)
  | [x] =>
    match flatElementwise x x.2 false with
    | some term => some (x.2, .detached [term])
    | none => none
  | _ => none

/-- `sum` -/
def flatSum (axes : List Nat) (keepdims : Bool) : List Operand → Option (Shape × FlatForm)
  | [x] => flatScattering x (if keepdims then keptShape axes x.2 else withoutAxes 0 axes x.2) (sumTarget axes x.2)
  | _ => none

/-- `broadcast_to` -/
def flatBroadcast (shape : Shape) : List Operand → Option (Shape × FlatForm)
  | [x] => if broadcasts x.2.reverse shape.reverse then flatGathering x shape (broadcastSource x.2 shape) else none
  | _ => none

/-- `reshape` -/
def flatReshape (shape : Shape) : List Operand → Option (Shape × FlatForm)
  | [x] => if shape.size = x.2.size then flatGathering x shape id else none
  | _ => none

/-- `permute_dims` -/
def flatPermute (axes : List Nat) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if axes.length = x.2.length ∧ (below x.2.length).all (occurs · axes) then
      flatGathering x (permutedShape axes x.2) (permuteSource axes x.2)
    else none
  | _ => none

/-- `take` -/
def flatTake (axis : Nat) (indices : List Nat) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if axis < x.2.length ∧ indices.all (· < entryAt x.2 axis 0) then
      let shape := withEntry x.2 axis indices.length
      flatGathering x shape (takeSource axis indices x.2 shape)
    else none
  | _ => none

/-- `concat` -/
def flatConcat (axis : Nat) : List Operand → Option (Shape × FlatForm)
  | first :: rest =>
    if axis < first.2.length then
      let shape := withEntry first.2 axis (flatJoinedExtent axis (first :: rest))
      match flatConcatTerms axis shape 0 (first :: rest) with
      | some terms => some (shape, .linear terms)
      | none => none
    else none
  | [] => none

/-- `matmul` -/
def flatMatmul : List Operand → Option (Shape × FlatForm)
  | [x, y] =>
    match matrixShape x.2, matrixShape y.2 with
    | some (batch, rows, inner), some (batch', inner', columns) =>
      if batch = batch' ∧ inner = inner' then
        flatMultiplying x y (batch ++ [rows, columns]) (flatMatmulProducts batch.size rows inner columns)
      else none
    | _, _ => none
  | _ => none

/-- `slice` -/
def flatSlice (starts stops steps : List Int) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if slices x.2 starts stops steps then
      flatListing x (sliceShape x.2 starts stops steps) (sliceSources x.2 starts stops steps) x.2.size
    else none
  | _ => none

/-- `pad` -/
def flatPad (low high interior : List Nat) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if pads x.2 low high interior then
      flatSpreading x (padShape x.2 low high interior) (padTargets x.2 low high interior)
    else none
  | _ => none

/-- `take_along_axis` -/
def flatTakeAlongAxis (axis : Nat) (entry : Shape) (indices : List Nat) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if namesAlong x.2 axis entry indices then
      flatListing x entry (alongSources x.2 axis entry indices) x.2.size
    else none
  | _ => none

/-- `gather` -/
def flatGather (entry : Shape) (indices : List Nat) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if namesBlocks x.2 entry indices then
      flatListing x (blocksShape x.2 entry) (blockSources x.2 entry indices) x.2.size
    else none
  | _ => none

/-- `scatter_add` -/
def flatScatterAdd (entry : Shape) (indices : List Nat) : List Operand → Option (Shape × FlatForm)
  | [x, updates] =>
    if namesBlocks x.2 entry indices ∧ updates.2 = blocksShape x.2 entry then
      match flatElementwise x x.2 false, flatPlacing updates x.2 (blockSources x.2 entry indices) with
      | some kept, some placed => some (x.2, .linear [kept, placed])
      | _, _ => none
    else none
  | _ => none

/-- `iota` -/
def flatIota (shape : Shape) (axis : Nat) : List Operand → Option (Shape × FlatForm)
  | [] => if axis < shape.length then some (shape, .literal (coordinateAlong shape axis)) else none
  | _ => none

/-- `bernoulli_mask` -/
def flatBernoulliMask (shape : Shape) (first second numerator denominator : Nat) :
    List Operand → Option (Shape × FlatForm)
  | [] =>
    if first < Threefry.words ∧ second < Threefry.words ∧ 0 < denominator then
      some (shape, .literal (Threefry.maskAt (first, second) numerator denominator))
    else none
  | _ => none

/-- `cumulative_sum` -/
def flatCumulativeSum (axis : Nat) : List Operand → Option (Shape × FlatForm)
  | [x] =>
    if axis < x.2.length then
      match flatMoving x x.2 false (flatRunningPairs axis x.2) with
      | some term => some (x.2, .linear [term])
      | none => none
    else none
  | _ => none

/-- `elementwiseTerms` -/
def flatElementwiseTerms (τ : Shape) : List Operand → Option (List FlatTerm)
  | [] => some []
  | operand :: rest =>
    match flatElementwise operand τ false, flatElementwiseTerms τ rest with
    | some term, some terms => some (term :: terms)
    | _, _ => none

/-- `applying` -/
def flatApplying (function : Expression) (τ : Shape) (operands : List Operand) : Option (Shape × FlatForm) :=
  match flatElementwiseTerms τ operands with
  | some terms => some (τ, .pointwise function terms)
  | none => none

/-- A function of one operand, element by element. -/
def flatUnary (function : Expression) : List Operand → Option (Shape × FlatForm)
  | [x] => flatApplying function x.2 [x]
  | _ => none

/-- A function of two operands, element by element. -/
def flatBinary (function : Expression) : List Operand → Option (Shape × FlatForm)
  | [x, y] => flatApplying function x.2 [x, y]
  | _ => none

/-- `where` -/
def flatWhere : List Operand → Option (Shape × FlatForm)
  | [condition, x, y] => flatApplying .select x.2 [condition, x, y]
  | _ => none

/-- `gatheredTerms` -/
def flatGatheredTerms (operand : Operand) (τ : Shape) : List (Nat → Nat) → Option (List FlatTerm)
  | [] => some []
  | source :: rest =>
    match flatMoving operand τ false (mapped (fun i => (i, source i)) (numbersBetween 0 (volume τ))),
      flatGatheredTerms operand τ rest with
    | some term, some terms => some (term :: terms)
    | _, _ => none

/-- `det` -/
def flatDet : List Operand → Option (Shape × FlatForm)
  | [x] =>
    match matrixShape x.2 with
    | some (batch, rows, columns) =>
      if rows = columns then
        match flatGatheredTerms x batch (entrySources rows) with
        | some terms => some (batch, .pointwise (Expression.determinantOf rows) terms)
        | none => none
      else none
    | none => none
  | _ => none

/-- `solve` -/
def flatSolve : List Operand → Option (Shape × FlatForm)
  | [matrices, sides] =>
    match matrixShape matrices.2, matrixShape sides.2 with
    | some (batch, rows, columns), some (batch', rows', columns') =>
      if batch = batch' ∧ rows = columns ∧ rows = rows' then
        match flatGatheredTerms matrices sides.2 ((below (rows * rows)).map (systemSource rows columns')),
          flatGatheredTerms sides sides.2 ((below rows).map (sideSource rows columns')) with
        | some entries, some numbers => some (sides.2, .pointwise (Expression.cramer rows) (entries ++ numbers))
        | _, _ => none
      else none
    | _, _ => none
  | _ => none

/-- `constant` -/
def flatConstant (environment : Nat → Option Shape) (entry : Nat) : List Operand → Option (Shape × FlatForm)
  | [] =>
    match environment entry with
    | some τ => some (τ, .constant entry)
    | none => none
  | _ => none

/--
`formAt?`, where `environment` has the shapes of the entries of `Δ`. Each operator has a function of its own,
since the kernel would copy all of them to unfold one.
-/
def Operator.flat? (environment : Nat → Option Shape) (op : Operator) (operands : List Operand) :
    Option (Shape × FlatForm) :=
  match op with
  | constant entry => flatConstant environment entry operands
  | add => flatAdding false operands
  | subtract => flatAdding true operands
  | negative => flatNegative operands
  | multiply => flatMultiply operands
  | divide => flatDivide operands
  | stop_gradient => flatStopGradient operands
  | sum axes keepdims => flatSum axes keepdims operands
  | broadcast_to shape => flatBroadcast shape operands
  | reshape shape => flatReshape shape operands
  | permute_dims axes => flatPermute axes operands
  | take axis indices => flatTake axis indices operands
  | concat axis => flatConcat axis operands
  | matmul => flatMatmul operands
  | slice starts stops steps => flatSlice starts stops steps operands
  | pad low high interior => flatPad low high interior operands
  | take_along_axis axis entry indices => flatTakeAlongAxis axis entry indices operands
  | gather entry indices => flatGather entry indices operands
  | scatter_add entry indices => flatScatterAdd entry indices operands
  | iota shape axis => flatIota shape axis operands
  | bernoulli_mask shape first second numerator denominator =>
    flatBernoulliMask shape first second numerator denominator operands
  | cumulative_sum axis => flatCumulativeSum axis operands
  | elementary _ => none
  | relu => flatUnary .relu operands
  | floor => flatUnary (.floor (.argument 0)) operands
  | maximum => flatBinary .maximum operands
  | less => flatBinary .less operands
  | equal => flatBinary .equal operands
  | «where» => flatWhere operands
  | det => flatDet operands
  | solve => flatSolve operands

variable {S : Type} [Scalar S]

/-- A number or its negative. -/
def signed (negated : Bool) (x : S) : S := bif negated then -x else x

/-- The terms of the elements of the value, each under its position. -/
def FlatTerm.given (value : Nat → List S) (term : FlatTerm) : List (Nat × S) :=
  mapped (fun move => (move.1, signed term.negated (element (value term.operand) move.2))) term.moves

/-- `LinearTerm.arguments`, of what the terms give as lists. -/
def argumentsOf (given : List (List S)) (i : Nat) : Nat → S :=
  List.rec (fun _ => 0) (fun own _ ih k => Nat.rec (element own i) (fun k _ => ih k) k) given

/-- What each term gives, as a list of so many elements. -/
def FlatTerm.givenBy (value : Nat → List S) (size : Nat) (terms : List FlatTerm) : List (List S) :=
  mapped (fun term => accumulated size (term.given value)) terms

/-- `LinearTerm.vjpWeighted` of the operand `id`. -/
def FlatTerm.pulledWeighted (cotangent : List S) (id : Nat) (slope : Nat → Nat → S) (terms : List FlatTerm) :
    List (Nat × S) :=
  List.rec (fun _ => [])
    (fun term _ ih slope =>
      appended
        (bif Nat.beq term.operand id then
          mapped
            (fun move =>
              (move.2, signed term.negated
                (element
                  (mapped (fun i => element cotangent i * slope 0 i) (numbersBetween 0 cotangent.length)) move.1)))
            term.moves
        else [])
        (ih fun k => slope (Nat.succ k)))
    terms slope

/-- The elements of the value, from those of the operands and of `Δ`. -/
def FlatForm.forward (environment value : Nat → List S) (size : Nat) : FlatForm → List S
  | constant entry => environment entry
  | literal number => mapped (fun i => natural (number i)) (numbersBetween 0 size)
  | linear terms | detached terms => accumulated size (joined (FlatTerm.given value) terms)
  | bilinear left right products =>
    accumulated size
      (mapped (fun product => (product.1, element (value left) product.2.1 * element (value right) product.2.2))
        products)
  | quotient left right =>
    mapped (fun i => element (value left) i * (element (value right) i)⁻¹) (numbersBetween 0 size)
  | pointwise function terms =>
    let given := FlatTerm.givenBy value size terms
    mapped (fun i => function.value (argumentsOf given i)) (numbersBetween 0 size)

/-- Whether every number that the form divides by has an inverse. -/
def FlatForm.divides [DecidableEq S] (value : Nat → List S) (size : Nat) : FlatForm → Bool
  | constant _ | linear _ | detached _ | bilinear .. => true
  | literal _ => true
  | quotient _ right => every (fun divisor => decide (divisor * divisor⁻¹ = 1)) (value right)
  | pointwise function terms =>
    bif function.hasInverse then
      let given := FlatTerm.givenBy value size terms
      every (fun i => every (fun divisor => decide (divisor * divisor⁻¹ = 1)) (function.divisors (argumentsOf given i)))
        (numbersBetween 0 size)
    else true

/-- The terms of the elements of the cotangent that the operand `id` gets, each under its position. -/
def FlatForm.pulledBack (value : Nat → List S) (cotangent : List S) (id : Nat) : FlatForm → List (Nat × S)
  | constant _ | detached _ => []
  | literal _ => []
  | linear terms =>
    joined
      (fun term =>
        bif Nat.beq term.operand id then
          mapped (fun move => (move.2, signed term.negated (element cotangent move.1))) term.moves
        else [])
      terms
  | bilinear left right products =>
    appended
      (bif Nat.beq left id then
        mapped (fun product => (product.2.1, element cotangent product.1 * element (value right) product.2.2)) products
      else [])
      (bif Nat.beq right id then
        mapped (fun product => (product.2.2, element (value left) product.2.1 * element cotangent product.1)) products
      else [])
  | quotient left right =>
    appended
      (bif Nat.beq left id then
        mapped (fun i => (i, element cotangent i * (element (value right) i)⁻¹)) (numbersBetween 0 cotangent.length)
      else [])
      (bif Nat.beq right id then
        mapped
          (fun i =>
            (i, -(element cotangent i * (element (value left) i * (element (value right) i)⁻¹) * (element (value right) i)⁻¹)))
          (numbersBetween 0 cotangent.length)
      else [])
  | pointwise function terms =>
    let given := FlatTerm.givenBy value cotangent.length terms
    FlatTerm.pulledWeighted cotangent id (fun k i => (function.derivative k).value (argumentsOf given i)) terms

end Adjudge
