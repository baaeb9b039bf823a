module

public import Adjudge.Operators.IndexMap

/-!
# Row-major positions and coordinates are the same thing

`spec/shapes/shape.ts` and `reference/operators/index_map.ts`: positions below the size of a shape and
coordinates below its extents correspond one to one, and so the index maps of the operators stay inside.
-/

@[expose] public noncomputable section

namespace Adjudge

/-- Coordinates below the extents, one for each. -/
def Inside : Shape → List Nat → Prop
  | [], [] => True
  | extent :: rest, coordinate :: coordinates => coordinate < extent ∧ Inside rest coordinates
  | _, _ => False

/-- The position of the coordinates of a position is the position, up to the size. -/
theorem positionOf_coordinatesOf_mod : (shape : Shape) → (position : Nat) →
    positionOf shape (coordinatesOf shape position) = position % shape.size
  | [], position => (Nat.mod_one position).symm
  | extent :: rest, position => by
    rw [coordinatesOf, positionOf, positionOf_coordinatesOf_mod rest position, Shape.size, Nat.mul_comm extent,
      Nat.mod_mul, Nat.mul_comm, Nat.add_comm]

/-- The position of the coordinates of a position below the size is the position. -/
theorem positionOf_coordinatesOf (shape : Shape) (position : Nat) (h : position < shape.size) :
    positionOf shape (coordinatesOf shape position) = position := by
  rw [positionOf_coordinatesOf_mod, Nat.mod_eq_of_lt h]

/-- The position of coordinates below the extents is below the size. -/
theorem positionOf_lt : (shape : Shape) → (coordinates : List Nat) → Inside shape coordinates →
    positionOf shape coordinates < shape.size
  | [], [], _ => Nat.one_pos
  | extent :: rest, coordinate :: coordinates, ⟨first, others⟩ => by
    have := positionOf_lt rest coordinates others
    calc positionOf (extent :: rest) (coordinate :: coordinates)
        < coordinate * Shape.size rest + Shape.size rest := Nat.add_lt_add_left this _
      _ = (coordinate + 1) * Shape.size rest := (Nat.succ_mul _ _).symm
      _ ≤ extent * Shape.size rest := Nat.mul_le_mul_right _ first

/-- Coordinates of a position of a shape without a zero extent are below the extents. -/
theorem coordinatesOf_inside : (shape : Shape) → (position : Nat) → 0 < shape.size →
    Inside shape (coordinatesOf shape position)
  | [], _, _ => trivial
  | _ :: rest, position, h =>
    ⟨Nat.mod_lt _ (Nat.pos_of_mul_pos_right h), coordinatesOf_inside rest position (Nat.pos_of_mul_pos_left h)⟩

/-- Coordinates of a position below the size are below the extents. -/
theorem coordinatesOf_inside_of_lt (shape : Shape) (position : Nat) (h : position < shape.size) :
    Inside shape (coordinatesOf shape position) :=
  coordinatesOf_inside shape position (Nat.zero_lt_of_lt h)

/-- Coordinates depend on the position up to the size. -/
theorem coordinatesOf_add : (shape : Shape) → (position times : Nat) → 0 < shape.size →
    coordinatesOf shape (times * shape.size + position) = coordinatesOf shape position
  | [], _, _, _ => rfl
  | extent :: rest, position, times, h => by
    have positive : 0 < Shape.size rest := Nat.pos_of_mul_pos_left h
    rw [coordinatesOf, coordinatesOf, Shape.size, ← Nat.mul_assoc, coordinatesOf_add rest position _ positive,
      Nat.add_comm, Nat.add_mul_div_right _ _ positive, Nat.add_mul_mod_self_right]

/-- The coordinates of the position of coordinates below the extents are the coordinates. -/
theorem coordinatesOf_positionOf : (shape : Shape) → (coordinates : List Nat) → Inside shape coordinates →
    coordinatesOf shape (positionOf shape coordinates) = coordinates
  | [], [], _ => rfl
  | extent :: rest, coordinate :: coordinates, ⟨first, others⟩ => by
    have below := positionOf_lt rest coordinates others
    have positive := Nat.zero_lt_of_lt below
    rw [positionOf, coordinatesOf, coordinatesOf_add rest _ _ positive, coordinatesOf_positionOf rest _ others,
      Nat.add_comm, Nat.add_mul_div_right _ _ positive, Nat.div_eq_of_lt below, Nat.zero_add, Nat.mod_eq_of_lt first]

/-- The numbers below `n` are those. -/
theorem mem_below (n i : Nat) : i ∈ below n ↔ i < n := by
  induction n with
  | zero => simp [below]
  | succ n hypothesis => simp [below, hypothesis]; omega

/-- Extents and coordinates mapped axis by axis stay inside if each axis does. -/
theorem inside_mapIndexed (f g : Nat → Nat → Nat) (h : ∀ axis extent i, i < extent → g axis i < f axis extent) :
    (first : Nat) → (shape : Shape) → (coordinates : List Nat) → Inside shape coordinates →
    Inside (mapIndexed first f shape) (mapIndexed first g coordinates)
  | _, [], [], _ => trivial
  | first, _ :: rest, _ :: coordinates, ⟨here, others⟩ =>
    ⟨h _ _ _ here, inside_mapIndexed f g h (first + 1) rest coordinates others⟩

/-- An element of the operand of `sum` goes to an element of the result. -/
theorem sumTarget_lt (axes : List Nat) (shape : Shape) (position : Nat) (h : position < shape.size) :
    sumTarget axes shape position < (keptShape axes shape).size :=
  positionOf_lt _ _ (inside_mapIndexed _ _ (fun _ _ _ _ => by split <;> omega) 0 _ _
    (coordinatesOf_inside_of_lt shape position h))

/-- With and without the summed axes the result of `sum` has the same number of elements. -/
theorem size_withoutAxes (axes : List Nat) : (first : Nat) → (shape : Shape) →
    (withoutAxes first axes shape).size
      = Shape.size (mapIndexed first (fun axis extent => if occurs axis axes then 1 else extent) shape)
  | _, [] => rfl
  | first, extent :: rest => by
    have := size_withoutAxes axes (first + 1) rest
    rw [withoutAxes, mapIndexed]
    split <;> simp_all [Shape.size]

/-- Whether a number occurs is whether it is in the list. -/
theorem occurs_iff (sought : Nat) (l : List Nat) : occurs sought l = true ↔ sought ∈ l := by
  induction l with
  | nil => simp [occurs]
  | cons entry rest hypothesis =>
    rw [occurs, List.mem_cons]
    split
    · next same => exact ⟨fun _ => .inl same.symm, fun _ => rfl⟩
    · next other => exact hypothesis.trans ⟨.inr, fun e => e.resolve_left fun same => other same.symm⟩

end Adjudge
