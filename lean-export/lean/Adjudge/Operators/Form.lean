module

public import Adjudge.Graph
public import Adjudge.Operators.Expression

/-!
# The forms of the operators

Every operator here is the value of an entry of `Δ`, or of its attributes, or *linear* (moves elements, adds
them, changes their sign), or *bilinear* (adds products of elements of two operands), or divides, or is
*pointwise*: a function of what operands give at a position. A form lists which element goes
where; `Adjudge.Operators.Operator` has each operator's list, as `reference/operators/` has its index map.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

/-- A matrix of zeros and ones as the list of its ones: `result` gets the element `operand`. -/
structure Move (results operands : Nat) where
  result : Fin results
  operand : Fin operands

/-- The element `result` gets the product of the elements `left` and `right` of two operands. -/
structure Product (results lefts rights : Nat) where
  result : Fin results
  left : Fin lefts
  right : Fin rights

/-- What one operand gives to a result of shape `τ`. -/
structure LinearTerm (C : ContextType) (τ : Shape) where
  {σ : Shape}
  place : Place C σ
  negated : Bool
  moves : List (Move τ.size σ.size)

/-- How a node of a context of type `C` with environment of type `E` computes its value. -/
inductive Form (E C : ContextType) (τ : Shape) where
  /-- An entry of `Δ`, which is never differentiated. -/
  | constant (entry : Place E τ)
  /-- A natural number at each position, which is never differentiated. -/
  | literal (number : Nat → Nat)
  /-- The sum of what the operands give. -/
  | linear (terms : List (LinearTerm C τ))
  /-- The same, and nothing of it is differentiated. -/
  | detached (terms : List (LinearTerm C τ))
  /-- The sum of products. -/
  | bilinear {σ ρ : Shape} (left : Place C σ) (right : Place C ρ)
      (products : List (Product τ.size σ.size ρ.size))
  /-- The quotient, element by element. -/
  | quotient (left right : Place C τ)
  /-- A function, element by element, of what the operands give. -/
  | pointwise (function : Expression) (terms : List (LinearTerm C τ))

variable {S : Type} {E C : ContextType} {τ σ ρ : Shape}

section Ring

variable [CommRing S]

/-- The sum of the elements that go to each element of the result. -/
def moved {n m : Nat} (moves : List (Move n m)) (x : Fin m → S) (i : Fin n) : S :=
  match moves with
  | [] => 0
  | ⟨result, operand⟩ :: rest => (if result = i then x operand else 0) + moved rest x i

/-- The transposed matrix. -/
def transposed {n m : Nat} (moves : List (Move n m)) : List (Move m n) :=
  moves.map fun ⟨result, operand⟩ => ⟨operand, result⟩

/-- The sum of the products that go to each element of the result. -/
def multiplied {n m k : Nat} (products : List (Product n m k)) (x : Fin m → S) (y : Fin k → S) (i : Fin n) : S :=
  match products with
  | [] => 0
  | ⟨result, left, right⟩ :: rest =>
    (if result = i then x left * y right else 0) + multiplied rest x y i

/-- The products of cotangents and right elements that go to each left element. -/
def towardsLeft {n m k : Nat} (products : List (Product n m k)) : List (Product m n k) :=
  products.map fun ⟨result, left, right⟩ => ⟨left, result, right⟩

/-- The products of left elements and cotangents that go to each right element. -/
def towardsRight {n m k : Nat} (products : List (Product n m k)) : List (Product k m n) :=
  products.map fun ⟨result, left, right⟩ => ⟨right, left, result⟩

namespace LinearTerm

/-- What the operand gives. -/
def forward (term : LinearTerm C τ) (ctx : Context S C) : Tensor S τ where
  get i :=
    let sum := moved term.moves (term.place.get ctx).get i
    if term.negated then -sum else sum

/-- What the operand gets. -/
def vjp (term : LinearTerm C τ) (c : Tensor S τ) : Context S C :=
  term.place.only ⟨fun j =>
    let sum := moved (transposed term.moves) c.get j
    if term.negated then -sum else sum⟩

/-- The sum of what all operands give. -/
def forwardAll (terms : List (LinearTerm C τ)) (ctx : Context S C) : Tensor S τ :=
  match terms with
  | [] => Tensor.zeros τ
  | term :: rest => term.forward ctx + forwardAll rest ctx

/-- What all operands get. -/
def vjpAll (terms : List (LinearTerm C τ)) (c : Tensor S τ) : Context S C :=
  match terms with
  | [] => Context.zeros C
  | term :: rest => term.vjp c + vjpAll rest c

/-- What the operands give at a position, as arguments of a function; those that are missing are zero. -/
def arguments : List (LinearTerm C τ) → Context S C → Fin τ.size → Nat → S
  | [], _, _, _ => 0
  | term :: _, ctx, i, 0 => (term.forward ctx).get i
  | _ :: rest, ctx, i, k + 1 => arguments rest ctx i k

/-- What the operands give at a position, each times its slope, added up. -/
def weighted (slope : Nat → S) : List (LinearTerm C τ) → Context S C → Fin τ.size → S
  | [], _, _ => 0
  | term :: rest, dctx, i => slope 0 * (term.forward dctx).get i + weighted (fun k => slope (k + 1)) rest dctx i

/-- What the operands get of a cotangent, each of it times its slope. -/
def vjpWeighted (slope : Nat → Fin τ.size → S) : List (LinearTerm C τ) → Tensor S τ → Context S C
  | [], _ => Context.zeros C
  | term :: rest, c => term.vjp ⟨fun i => c.get i * slope 0 i⟩ + vjpWeighted (fun k => slope (k + 1)) rest c

end LinearTerm

end Ring

namespace Form

variable [Scalar S]

/-- The value. -/
def forward (form : Form E C τ) (ctx : Context S C) (δ : Context S E) : Tensor S τ :=
  match form with
  | constant entry => entry.get δ
  | literal number => ⟨fun i => natural (number i.val)⟩
  | linear terms | detached terms => LinearTerm.forwardAll terms ctx
  | bilinear left right products => ⟨multiplied products (left.get ctx).get (right.get ctx).get⟩
  | quotient left right => ⟨fun i => (left.get ctx).get i * ((right.get ctx).get i)⁻¹⟩
  | pointwise function terms => ⟨fun i => function.value (LinearTerm.arguments terms ctx i)⟩

/-- The tangent of the value along `dctx`. -/
def jvp (form : Form E C τ) (ctx dctx : Context S C) : Tensor S τ :=
  match form with
  | constant _ | detached _ => Tensor.zeros τ
  | literal _ => Tensor.zeros τ
  | linear terms => LinearTerm.forwardAll terms dctx
  | bilinear left right products =>
    ⟨fun i => multiplied products (left.get dctx).get (right.get ctx).get i
      + multiplied products (left.get ctx).get (right.get dctx).get i⟩
  | quotient left right =>
    let x := (left.get ctx).get
    let y := (right.get ctx).get
    ⟨fun i => (left.get dctx).get i * (y i)⁻¹ + -(x i * (y i)⁻¹ * (right.get dctx).get i * (y i)⁻¹)⟩
  | pointwise function terms =>
    ⟨fun i =>
      LinearTerm.weighted (fun k => (function.derivative k).value (LinearTerm.arguments terms ctx i)) terms dctx i⟩

/-- The cotangent of the value, pulled back. -/
def vjp (form : Form E C τ) (ctx : Context S C) (c : Tensor S τ) : Context S C :=
  match form with
  | constant _ | detached _ => Context.zeros C
  | literal _ => Context.zeros C
  | linear terms => LinearTerm.vjpAll terms c
  | bilinear left right products =>
    left.only ⟨multiplied (towardsLeft products) c.get (right.get ctx).get⟩
      + right.only ⟨multiplied (towardsRight products) (left.get ctx).get c.get⟩
  | quotient left right =>
    let x := (left.get ctx).get
    let y := (right.get ctx).get
    left.only ⟨fun i => c.get i * (y i)⁻¹⟩ + right.only ⟨fun i => -(c.get i * (x i * (y i)⁻¹) * (y i)⁻¹)⟩
  | pointwise function terms =>
    LinearTerm.vjpWeighted (fun k i => (function.derivative k).value (LinearTerm.arguments terms ctx i)) terms c

/-- The node of a form. -/
def nodeData (name : String) (reads : List Nat) (form : Form E C τ) : NodeData S (Context S E) C τ where
  name := name
  reads := reads
  forward ctx δ := form.forward ctx δ
  jvp ctx dctx _ := form.jvp ctx dctx
  vjp ctx _ c := form.vjp ctx c

end Form

end Adjudge
