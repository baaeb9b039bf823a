module

public import Adjudge.Tensor

/-!
# Row-major positions and coordinates

`reference/operators/index_map.ts` and `spec/operators/`: the shape rules and index maps of the operators that
move elements, on natural numbers. `Adjudge.Operators.Operator` checks their bounds.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- The row-major coordinates of a position. -/
def coordinatesOf : Shape → Nat → List Nat
  | [], _ => []
  | extent :: rest, position => position / Shape.size rest % extent :: coordinatesOf rest position

/-- The row-major position of coordinates. -/
def positionOf : Shape → List Nat → Nat
  | _ :: rest, coordinate :: coordinates => coordinate * Shape.size rest + positionOf rest coordinates
  | _, _ => 0

/-- The numbers below `n`, upwards. -/
def below : Nat → List Nat
  | 0 => []
  | n + 1 => below n ++ [n]

/-- `f` of each entry and its index, which counts from `first`. -/
def mapIndexed (first : Nat) (f : Nat → Nat → Nat) : List Nat → List Nat
  | [] => []
  | entry :: rest => f first entry :: mapIndexed (first + 1) f rest

/-- The entry at an index, or a default. -/
def entryAt : List Nat → Nat → Nat → Nat
  | [], _, default => default
  | entry :: _, 0, _ => entry
  | _ :: rest, index + 1, default => entryAt rest index default

/-- Where an entry first is. -/
def indexIn : List Nat → Nat → Nat
  | [], _ => 0
  | entry :: rest, sought => if entry = sought then 0 else indexIn rest sought + 1

/-- Whether an entry occurs. -/
def occurs (sought : Nat) : List Nat → Bool
  | [] => false
  | entry :: rest => if entry = sought then true else occurs sought rest

/-- The entries whose index is not among `axes`. -/
def withoutAxes (first : Nat) (axes : List Nat) : Shape → Shape
  | [] => []
  | extent :: rest =>
    if occurs first axes then withoutAxes (first + 1) axes rest
    else extent :: withoutAxes (first + 1) axes rest

/-- The shape with extent 1 at the axes that are summed away. -/
def keptShape (axes : List Nat) (shape : Shape) : Shape :=
  mapIndexed 0 (fun axis extent => if occurs axis axes then 1 else extent) shape

/-- The result's position that an element of the operand of `sum` goes to. -/
def sumTarget (axes : List Nat) (shape : Shape) (position : Nat) : Nat :=
  positionOf (keptShape axes shape)
    (mapIndexed 0 (fun axis coordinate => if occurs axis axes then 0 else coordinate) (coordinatesOf shape position))

/-- Whether a shape broadcasts to another, both read from the right. -/
def broadcasts : List Nat → List Nat → Bool
  | [], _ => true
  | _ :: _, [] => false
  | extent :: rest, target :: targets => (extent = 1 || extent = target) && broadcasts rest targets

/-- The element of the operand that an element of `broadcast_to` repeats. -/
def broadcastSource (shape target : Shape) (position : Nat) : Nat :=
  positionOf shape
    (mapIndexed 0 (fun axis coordinate => if entryAt shape axis 0 = 1 then 0 else coordinate)
      ((coordinatesOf target position).drop (target.length - shape.length)))

/-- Axis `i` of the result is axis `axes[i]` of the operand. -/
def permutedShape (axes : List Nat) (shape : Shape) : Shape :=
  axes.map fun axis => entryAt shape axis 0

/-- The element of the operand that an element of `permute_dims` is. -/
def permuteSource (axes : List Nat) (shape : Shape) (position : Nat) : Nat :=
  let coordinates := coordinatesOf (permutedShape axes shape) position
  positionOf shape (mapIndexed 0 (fun axis _ => entryAt coordinates (indexIn axes axis) 0) shape)

/-- The list with another entry at an index. -/
def withEntry : List Nat → Nat → Nat → List Nat
  | [], _, _ => []
  | _ :: rest, 0, new => new :: rest
  | entry :: rest, index + 1, new => entry :: withEntry rest index new

/-- The element of the operand that an element of `take` is. -/
def takeSource (axis : Nat) (indices : List Nat) (shape target : Shape) (position : Nat) : Nat :=
  let coordinates := coordinatesOf target position
  positionOf shape (withEntry coordinates axis (entryAt indices (entryAt coordinates axis 0) shape.size))

/-- Where an element of an operand of `concat` goes that begins at `offset` along the axis. -/
def concatTarget (axis offset : Nat) (shape target : Shape) (position : Nat) : Nat :=
  let coordinates := coordinatesOf shape position
  positionOf target (withEntry coordinates axis (entryAt coordinates axis 0 + offset))

/-- The column that stands at an index when one column is put before all others. -/
def broughtForward (first index : Nat) : Nat :=
  if index = 0 then first else if index ≤ first then index - 1 else index

/--
Where an entry of the matrix stands, in a stack of them, that an element of the solutions of systems is made of:
the column of its unknown is put first.
-/
def systemSource (order columns entry position : Nat) : Nat :=
  (position / columns / order * order + entry / order) * order
    + broughtForward (position / columns % order) (entry % order)

/-- Where a row of the right-hand sides stands that an element of the solutions is made of. -/
def sideSource (order columns row position : Nat) : Nat :=
  (position / columns / order * order + row) * columns + position % columns

end Adjudge
