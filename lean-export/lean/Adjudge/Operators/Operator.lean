module

public import Adjudge.Functions.Elementary
public import Adjudge.Operators.Form
public import Adjudge.Operators.Maps
public import Adjudge.Operators.Threefry

/-!
# The operators, by name

`spec/operators/` and `reference/operators/`: what an operator does to parents of given shapes, as a `Form`,
or `none` where its shape rule or an index does not fit. Names and attributes are those of the JSON graphs;
what an index entry of `Δ` holds is written at the operator.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- An operator and its attributes. -/
inductive Operator where
  /-- The entry of `Δ` with this number. -/
  | constant (entry : Nat)
  | add
  | subtract
  | negative
  | multiply
  | divide
  | stop_gradient
  | sum (axes : List Nat) (keepdims : Bool)
  | broadcast_to (shape : Shape)
  | reshape (shape : Shape)
  | permute_dims (axes : List Nat)
  | take (axis : Nat) (indices : List Nat)
  | concat (axis : Nat)
  | matmul
  | slice (starts stops steps : List Int)
  | pad (low high interior : List Nat)
  | take_along_axis (axis : Nat) (entry : Shape) (indices : List Nat)
  | gather (entry : Shape) (indices : List Nat)
  | scatter_add (entry : Shape) (indices : List Nat)
  | iota (shape : Shape) (axis : Nat)
  /-- The key's two words, and the rate as a fraction. -/
  | bernoulli_mask (shape : Shape) (first second numerator denominator : Nat)
  /-- The sums of the first elements along an axis. -/
  | cumulative_sum (axis : Nat)
  /-- A function element by element, of which `Adjudge.Functions.Graph` makes a node; it has no form. -/
  | elementary (f : Elementary)
  | relu
  | floor
  | maximum
  | less
  | equal
  /-- The second operand where the first is not zero, else the third. -/
  | «where»
  | det
  | solve
  deriving DecidableEq, Repr

/-- The place with an id. -/
def ContextType.place? : (C : ContextType) → Nat → Option ((τ : Shape) × Place C τ)
  | .nil, _ => none
  | .snoc C τ, id =>
    if id = C.length then some ⟨τ, .last⟩
    else match C.place? id with
      | some ⟨σ, place⟩ => some ⟨σ, place.earlier⟩
      | none => none

/-- The moves with these positions of result and operand; `none` if one is out of bounds. -/
def moves? (n m : Nat) : List (Nat × Nat) → Option (List (Move n m))
  | [] => some []
  | (result, operand) :: rest =>
    if h : result < n ∧ operand < m then
      match moves? n m rest with
      | some moves => some (⟨⟨result, h.1⟩, ⟨operand, h.2⟩⟩ :: moves)
      | none => none
    else none

/-- The products with these positions of result, left and right; `none` if one is out of bounds. -/
def products? (n m k : Nat) : List (Nat × Nat × Nat) → Option (List (Product n m k))
  | [] => some []
  | (result, left, right) :: rest =>
    if h : result < n ∧ left < m ∧ right < k then
      match products? n m k rest with
      | some products => some (⟨⟨result, h.1⟩, ⟨left, h.2.1⟩, ⟨right, h.2.2⟩⟩ :: products)
      | none => none
    else none

variable {E C : ContextType}

/-- The form of an operator of one operand, from its moves. -/
def moving (place : (σ : Shape) × Place C σ) (τ : Shape) (negated : Bool) (pairs : List (Nat × Nat)) :
    Option (LinearTerm C τ) :=
  match moves? τ.size place.1.size pairs with
  | some moves => some ⟨place.2, negated, moves⟩
  | none => none

/-- Each element of the result is an element of the operand. -/
def gathering (place : (σ : Shape) × Place C σ) (τ : Shape) (source : Nat → Nat) :
    Option ((τ : Shape) × Form E C τ) :=
  match moving place τ false ((below τ.size).map fun i => (i, source i)) with
  | some term => some ⟨τ, .linear [term]⟩
  | none => none

/-- Each element of the operand goes to an element of the result. -/
def scattering (place : (σ : Shape) × Place C σ) (τ : Shape) (target : Nat → Nat) :
    Option ((τ : Shape) × Form E C τ) :=
  match moving place τ false ((below place.1.size).map fun j => (target j, j)) with
  | some term => some ⟨τ, .linear [term]⟩
  | none => none

/-- The term that puts each element of the operand where a list says. -/
def placing (place : (σ : Shape) × Place C σ) (τ : Shape) (targets : List Nat) : Option (LinearTerm C τ) :=
  moving place τ false ((below place.1.size).map fun j => (entryAt targets j τ.size, j))

/-- The term of an operator that goes element by element. -/
def elementwise (place : (σ : Shape) × Place C σ) (τ : Shape) (negated : Bool) : Option (LinearTerm C τ) :=
  if place.1 = τ then moving place τ negated ((below τ.size).map fun i => (i, i)) else none

/-- The terms of the operands of `concat`, which begin at `offset`. -/
def concatTerms (axis : Nat) (τ : Shape) : Nat → List ((σ : Shape) × Place C σ) → Option (List (LinearTerm C τ))
  | _, [] => some []
  | offset, place :: rest =>
    if withEntry place.1 axis 0 ≠ withEntry τ axis 0 then none
    else
      match moving place τ false ((below place.1.size).map fun j => (concatTarget axis offset place.1 τ j, j)),
        concatTerms axis τ (offset + entryAt place.1 axis 0) rest with
      | some term, some terms => some (term :: terms)
      | _, _ => none

/-- The extents of the operands of `concat` along the axis, added up. -/
def joinedExtent (axis : Nat) : List ((σ : Shape) × Place C σ) → Nat
  | [] => 0
  | place :: rest => entryAt place.1 axis 0 + joinedExtent axis rest

/-- For each element of a matrix product of `batch` matrices which elements are multiplied and added. -/
def matmulProducts (batch rows inner columns : Nat) : List (Nat × Nat × Nat) :=
  (below (batch * rows * columns)).flatMap fun position =>
    let column := position % columns
    let row := position / columns
    (below inner).map fun k => (position, row * inner + k, (row / rows * inner + k) * columns + column)

/-- The last two extents of a shape and those before them. -/
def matrixShape : Shape → Option (Shape × Nat × Nat)
  | [] | [_] => none
  | [rows, columns] => some ([], rows, columns)
  | extent :: rest =>
    match matrixShape rest with
    | some (batch, rows, columns) => some (extent :: batch, rows, columns)
    | none => none

/-- The form of a bilinear operator. -/
def multiplying (left right : (σ : Shape) × Place C σ) (τ : Shape) (triples : List (Nat × Nat × Nat)) :
    Option ((τ : Shape) × Form E C τ) :=
  match products? τ.size left.1.size right.1.size triples with
  | some products => some ⟨τ, .bilinear left.2 right.2 products⟩
  | none => none

/-- The form of the quotient, element by element. -/
def dividing : (left right : (σ : Shape) × Place C σ) → Option ((τ : Shape) × Form E C τ)
  | ⟨σ, left⟩, ⟨ρ, right⟩ => if h : ρ = σ then some ⟨σ, .quotient left (h ▸ right)⟩ else none

/-- The positions up to and with each along an axis. -/
def runningPairs (axis : Nat) (shape : Shape) : List (Nat × Nat) :=
  (below shape.size).flatMap fun position =>
    let coordinates := coordinatesOf shape position
    (below (entryAt coordinates axis 0 + 1)).map fun i => (position, positionOf shape (withEntry coordinates axis i))

/-- The terms of operands that go element by element. -/
def elementwiseTerms (τ : Shape) : List ((σ : Shape) × Place C σ) → Option (List (LinearTerm C τ))
  | [] => some []
  | place :: rest =>
    match elementwise place τ false, elementwiseTerms τ rest with
    | some term, some terms => some (term :: terms)
    | _, _ => none

/-- The form of a function, element by element. -/
def applying (function : Expression) (τ : Shape) (places : List ((σ : Shape) × Place C σ)) :
    Option ((τ : Shape) × Form E C τ) :=
  match elementwiseTerms τ places with
  | some terms => some ⟨τ, .pointwise function terms⟩
  | none => none

/-- For each source the term that gives, at each position, the element of the operand there. -/
def gatheredTerms (place : (σ : Shape) × Place C σ) (τ : Shape) : List (Nat → Nat) → Option (List (LinearTerm C τ))
  | [] => some []
  | source :: rest =>
    match moving place τ false ((below τ.size).map fun i => (i, source i)), gatheredTerms place τ rest with
    | some term, some terms => some (term :: terms)
    | _, _ => none

/-- Where the entries of a square matrix stand, row by row, in a stack of them. -/
def entrySources (order : Nat) : List (Nat → Nat) :=
  (below (order * order)).map fun entry => fun index => index * (order * order) + entry

/-- The form of the determinants of a stack of square matrices. -/
def determining (place : (σ : Shape) × Place C σ) : Option ((τ : Shape) × Form E C τ) :=
  match matrixShape place.1 with
  | some (batch, rows, columns) =>
    if rows = columns then
      match gatheredTerms place batch (entrySources rows) with
      | some terms => some ⟨batch, .pointwise (Expression.determinantOf rows) terms⟩
      | none => none
    else none
  | none => none

/-- The form of the solutions of systems of equations, each element of them by Cramer's rule. -/
def solving (matrices sides : (σ : Shape) × Place C σ) : Option ((τ : Shape) × Form E C τ) :=
  match matrixShape matrices.1, matrixShape sides.1 with
  | some (batch, rows, columns), some (batch', rows', columns') =>
    if batch = batch' ∧ rows = columns ∧ rows = rows' then
      match gatheredTerms matrices sides.1 ((below (rows * rows)).map (systemSource rows columns')),
        gatheredTerms sides sides.1 ((below rows).map (sideSource rows columns')) with
      | some entries, some numbers => some ⟨sides.1, .pointwise (Expression.cramer rows) (entries ++ numbers)⟩
      | _, _ => none
    else none
  | _, _ => none

/-- The places with these ids. -/
def ContextType.places? (C : ContextType) : List Nat → Option (List ((τ : Shape) × Place C τ))
  | [] => some []
  | id :: rest =>
    match C.place? id, C.places? rest with
    | some place, some places => some (place :: places)
    | _, _ => none

/-- What the operator does to operands at these places; `none` where they do not fit. -/
def Operator.formAt? (op : Operator) (places : List ((τ : Shape) × Place C τ)) : Option ((τ : Shape) × Form E C τ) :=
  match op, places with
  | constant entry, [] =>
    match E.place? entry with
    | some ⟨τ, place⟩ => some ⟨τ, .constant place⟩
    | none => none
  | add, [x, y] =>
    match elementwise x x.1 false, elementwise y x.1 false with
    | some left, some right => some ⟨x.1, .linear [left, right]⟩
    | _, _ => none
  | subtract, [x, y] =>
    match elementwise x x.1 false, elementwise y x.1 true with
    | some left, some right => some ⟨x.1, .linear [left, right]⟩
    | _, _ => none
  | negative, [x] =>
    match elementwise x x.1 true with
    | some term => some ⟨x.1, .linear [term]⟩
    | none => none
  | multiply, [x, y] =>
    if x.1 = y.1 then multiplying x y x.1 ((below x.1.size).map fun i => (i, i, i)) else none
  | divide, [x, y] => dividing x y
  | stop_gradient, [x] =>
    match elementwise x x.1 false with
    | some term => some ⟨x.1, .detached [term]⟩
    | none => none
  | sum axes keepdims, [x] =>
    scattering x (if keepdims then keptShape axes x.1 else withoutAxes 0 axes x.1) (sumTarget axes x.1)
  | broadcast_to shape, [x] =>
    if broadcasts x.1.reverse shape.reverse then gathering x shape (broadcastSource x.1 shape) else none
  | reshape shape, [x] => if shape.size = x.1.size then gathering x shape id else none
  | permute_dims axes, [x] =>
    if axes.length = x.1.length ∧ (below x.1.length).all (occurs · axes) then
      gathering x (permutedShape axes x.1) (permuteSource axes x.1)
    else none
  | take axis indices, [x] =>
    if axis < x.1.length ∧ indices.all (· < entryAt x.1 axis 0) then
      let shape := withEntry x.1 axis indices.length
      gathering x shape (takeSource axis indices x.1 shape)
    else none
  | concat axis, first :: rest =>
    if axis < first.1.length then
      let shape := withEntry first.1 axis (joinedExtent axis (first :: rest))
      match concatTerms axis shape 0 (first :: rest) with
      | some terms => some ⟨shape, .linear terms⟩
      | none => none
    else none
  | matmul, [x, y] =>
    match matrixShape x.1, matrixShape y.1 with
    | some (batch, rows, inner), some (batch', inner', columns) =>
      if batch = batch' ∧ inner = inner' then
        multiplying x y (batch ++ [rows, columns]) (matmulProducts batch.size rows inner columns)
      else none
    | _, _ => none
  | slice starts stops steps, [x] =>
    if slices x.1 starts stops steps then
      gathering x (sliceShape x.1 starts stops steps)
        (fun i => entryAt (sliceSources x.1 starts stops steps) i x.1.size)
    else none
  | pad low high interior, [x] =>
    if pads x.1 low high interior then
      let shape := padShape x.1 low high interior
      scattering x shape (fun j => entryAt (padTargets x.1 low high interior) j shape.size)
    else none
  | take_along_axis axis entry indices, [x] =>
    if namesAlong x.1 axis entry indices then
      gathering x entry (fun i => entryAt (alongSources x.1 axis entry indices) i x.1.size)
    else none
  | gather entry indices, [x] =>
    if namesBlocks x.1 entry indices then
      gathering x (blocksShape x.1 entry) (fun i => entryAt (blockSources x.1 entry indices) i x.1.size)
    else none
  | scatter_add entry indices, [x, updates] =>
    if namesBlocks x.1 entry indices ∧ updates.1 = blocksShape x.1 entry then
      match elementwise x x.1 false, placing updates x.1 (blockSources x.1 entry indices) with
      | some kept, some placed => some ⟨x.1, .linear [kept, placed]⟩
      | _, _ => none
    else none
  | iota shape axis, [] =>
    if axis < shape.length then some ⟨shape, .literal (coordinateAlong shape axis)⟩ else none
  | bernoulli_mask shape first second numerator denominator, [] =>
    if first < Threefry.words ∧ second < Threefry.words ∧ 0 < denominator then
      some ⟨shape, .literal (Threefry.maskAt (first, second) numerator denominator)⟩
    else none
  | cumulative_sum axis, [x] =>
    if axis < x.1.length then
      match moving x x.1 false (runningPairs axis x.1) with
      | some term => some ⟨x.1, .linear [term]⟩
      | none => none
    else none
  | relu, [x] => applying .relu x.1 [x]
  | floor, [x] => applying (.floor (.argument 0)) x.1 [x]
  | maximum, [x, y] => applying .maximum x.1 [x, y]
  | less, [x, y] => applying .less x.1 [x, y]
  | equal, [x, y] => applying .equal x.1 [x, y]
  | «where», [condition, x, y] => applying .select x.1 [condition, x, y]
  | det, [x] => determining x
  | solve, [matrices, sides] => solving matrices sides
  | _, _ => none

/-- What the operator does to the parents with these ids. -/
def Operator.form? (op : Operator) (parents : List Nat) : Option ((τ : Shape) × Form E C τ) :=
  match C.places? parents with
  | some places => op.formAt? places
  | none => none

end Adjudge
