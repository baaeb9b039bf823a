module

public import Adjudge.Operators.IndexMap

/-!
# The index maps of `slice`, `pad`, `gather`, `scatter_add` and `take_along_axis`

Where elements come from or go, from the node's attributes and what an index entry of `Δ` holds, by the
operators' definitions (docs/operators.md), on row-major positions. An index entry is its shape and its
indices in row-major order.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- The numbers `first, …, first + n - 1`. -/
def counted : (first n : Nat) → List Nat
  | _, 0 => []
  | first, n + 1 => first :: counted (first + 1) n

/-- Each of the positions further on by an offset. -/
def movedBy (offset : Nat) : List Nat → List Nat
  | [] => []
  | position :: rest => (offset + position) :: movedBy offset rest

/-- The positions of blocks, of which block `k` begins at `offset k`. -/
def blocks (offset : Nat → Nat) (block : List Nat) : List Nat → List Nat
  | [] => []
  | k :: rest => movedBy (offset k) block ++ blocks offset block rest

/-- The smaller of two numbers. -/
def smaller (m n : Nat) : Nat := bif Nat.ble m n then m else n

/-- An index of an axis, a negative one from its end, put into `0, …, extent`. -/
def clampedUp (extent : Nat) : Int → Nat
  | .ofNat i => smaller i extent
  | .negSucc j => extent - (j + 1)

/-- One more than an index of an axis put into `-1, …, extent - 1`. -/
def clampedDown (extent : Nat) : Int → Nat
  | .ofNat i => smaller (i + 1) extent
  | .negSucc j => extent - j

/-- How many steps fit into a distance. -/
def stepsIn (distance step : Nat) : Nat := (distance + step - 1) / step

/-- The indices of an axis that a slice holds, in its order. -/
def slicedAxis (extent : Nat) (start stop : Int) : (step : Int) → List Nat
  | .ofNat step =>
    let first := clampedUp extent start
    (counted 0 (stepsIn (clampedUp extent stop - first) step)).map fun k => first + step * k
  | .negSucc step =>
    let above := clampedDown extent start
    (counted 0 (stepsIn (above - clampedDown extent stop) (step + 1))).map fun k => above - 1 - (step + 1) * k

/-- Whether a slice has a start, a stop and a step other than 0 for each axis. -/
def slices : (x : Shape) → (starts stops steps : List Int) → Bool
  | [], [], [], [] => true
  | _ :: x, _ :: starts, _ :: stops, step :: steps =>
    match step with
    | .ofNat 0 => false
    | _ => slices x starts stops steps
  | _, _, _, _ => false

/-- The shape of a slice. -/
def sliceShape : (x : Shape) → (starts stops steps : List Int) → Shape
  | extent :: x, start :: starts, stop :: stops, step :: steps =>
    (slicedAxis extent start stop step).length :: sliceShape x starts stops steps
  | _, _, _, _ => []

/-- Where the elements of a slice are in its operand. -/
def sliceSources : (x : Shape) → (starts stops steps : List Int) → List Nat
  | extent :: x, start :: starts, stop :: stops, step :: steps =>
    blocks (· * Shape.size x) (sliceSources x starts stops steps) (slicedAxis extent start stop step)
  | _, _, _, _ => [0]

/-- Whether `pad` has its three numbers for each axis. -/
def pads : (x : Shape) → (low high interior : List Nat) → Bool
  | [], [], [], [] => true
  | _ :: x, _ :: lows, _ :: highs, _ :: interiors => pads x lows highs interiors
  | _, _, _, _ => false

/-- The shape with zeros around and between the elements. -/
def padShape : (x : Shape) → (low high interior : List Nat) → Shape
  | extent :: x, low :: lows, high :: highs, interior :: interiors =>
    (low + extent + (extent - 1) * interior + high) :: padShape x lows highs interiors
  | _, _, _, _ => []

/-- Where the elements of the operand of `pad` go. -/
def padTargets : (x : Shape) → (low high interior : List Nat) → List Nat
  | extent :: x, low :: lows, _ :: highs, interior :: interiors =>
    blocks (fun k => (low + k * (interior + 1)) * Shape.size (padShape x lows highs interiors))
      (padTargets x lows highs interiors) (counted 0 extent)
  | _, _, _, _ => [0]

/-- The last extent of an index entry's shape: how many axes of the operand a row of indices names. -/
def depthIn : (entry : Shape) → Nat
  | [] => 0
  | [depth] => depth
  | _ :: rest => depthIn rest

/-- The extents of an index entry's shape but for the last: its rows. -/
def rowsIn : (entry : Shape) → Shape
  | [] | [_] => []
  | extent :: rest => extent :: rowsIn rest

/-- Whether the indices from a place on are below the extents of their axes; `depth` of them are a row. -/
def areIndices (x : Shape) (depth : Nat) : (place : Nat) → (indices : List Nat) → Bool
  | _, [] => true
  | place, index :: rest => Nat.blt index (entryAt x (place % depth) 0) && areIndices x depth (place + 1) rest

/-- Whether the rows of an index entry name blocks of a tensor of shape `x`. -/
def namesBlocks (x entry : Shape) (indices : List Nat) : Bool :=
  Nat.ble 1 (depthIn entry) && Nat.ble (depthIn entry) x.length && Nat.beq indices.length (Shape.size entry)
    && areIndices x (depthIn entry) 0 indices

/-- The shape of what the rows of an index entry name: a block for each. -/
def blocksShape (x entry : Shape) : Shape := rowsIn entry ++ x.drop (depthIn entry)

/-- The position of the first indices of a list in a shape, and the other indices. -/
def rowPosition : Shape → List Nat → (before : Nat) → Nat × List Nat
  | [], indices, before => (before, indices)
  | extent :: rest, index :: indices, before => rowPosition rest indices (before * extent + index)
  | _ :: _, [], before => (before, [])

/-- The positions of blocks that rows of indices name: `outer` are a row's axes, `inner` a block's size. -/
def rowSources (outer : Shape) (inner : Nat) : (rows : Nat) → (indices : List Nat) → List Nat
  | 0, _ => []
  | rows + 1, indices =>
    let row := rowPosition outer indices 0
    movedBy (row.1 * inner) (counted 0 inner) ++ rowSources outer inner rows row.2

/-- Where `gather` finds its elements, and `scatter_add` puts its updates. -/
def blockSources (x entry : Shape) (indices : List Nat) : List Nat :=
  rowSources (x.take (depthIn entry)) (Shape.size (x.drop (depthIn entry))) (Shape.size (rowsIn entry)) indices

/-- Whether an index entry has an index of the axis for each place beside it. -/
def namesAlong (x : Shape) (axis : Nat) (entry : Shape) (indices : List Nat) : Bool :=
  Nat.blt axis x.length && decide (withEntry entry axis 0 = withEntry x axis 0)
    && Nat.beq indices.length (Shape.size entry) && areIndices [entryAt x axis 0] 1 0 indices

/-- Where the elements from a position on are: at their own coordinates, but for the axis an index. -/
def alongFrom (x : Shape) (axis : Nat) (entry : Shape) : (position : Nat) → (indices : List Nat) → List Nat
  | _, [] => []
  | position, index :: indices =>
    positionOf x (withEntry (coordinatesOf entry position) axis index)
      :: alongFrom x axis entry (position + 1) indices

/-- Where `take_along_axis` finds its elements. -/
def alongSources (x : Shape) (axis : Nat) (entry : Shape) (indices : List Nat) : List Nat :=
  alongFrom x axis entry 0 indices

/-- The coordinate of a position along an axis: what `iota` is there. -/
def coordinateAlong (shape : Shape) (axis position : Nat) : Nat := entryAt (coordinatesOf shape position) axis 0

end Adjudge
