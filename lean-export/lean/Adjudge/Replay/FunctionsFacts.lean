module

public import Adjudge.Replay
public import Adjudge.Replay.FunctionsCheck

/-!
# What the checks by a table say

A table that says one thing of the same arguments has functions that agree with it, and all that do have the
values that are looked up.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} [Scalar S] [DecidableEq S] {p : Program} {table : List (TableRow S)} {r : Run S}
  {F : Functions S}

omit [Scalar S] in
theorem rowFor_cons (f : Elementary) (arguments : List S) (row : TableRow S) (rest : List (TableRow S)) :
    rowFor f arguments (row :: rest)
      = bif decide (row.f = f) && agree row.arguments arguments then some row else rowFor f arguments rest :=
  boolRec_eq _ _ _

omit [Scalar S] in
/-- A row that is found is in the table, and is one for the function and arguments. -/
theorem rowFor_mem {f : Elementary} {arguments : List S} {row : TableRow S}
    (found : rowFor f arguments table = some row) : row ∈ table ∧ row.f = f ∧ row.arguments = arguments := by
  induction table with
  | nil => cases found
  | cons first rest ih =>
    rw [rowFor_cons] at found
    cases here : decide (first.f = f) && agree first.arguments arguments with
    | true =>
      rw [here, cond_true, Option.some.injEq] at found
      rw [Bool.and_eq_true, decide_eq_true_eq, agree_iff] at here
      exact found ▸ ⟨List.mem_cons_self, here⟩
    | false =>
      rw [here, cond_false] at found
      exact ⟨List.mem_cons_of_mem _ (ih found).1, (ih found).2⟩

omit [Scalar S] in
/-- Functions that agree with a table have the value of a row that is found. -/
theorem Functions.Agrees.value (agrees : F.Agrees table) {f : Elementary} {arguments : List S} {row : TableRow S}
    (found : rowFor f arguments table = some row) :
    F.value f arguments = row.value ∧ F.slopes f arguments = row.slopes := by
  obtain ⟨mem, rfl, rfl⟩ := rowFor_mem found
  exact agrees row mem

/-- Of a consistent table there are functions. -/
theorem TableConsistent.exists_functions (holds : TableConsistent table) : ∃ F : Functions S, F.Agrees table := by
  refine ⟨⟨fun f arguments => ((rowFor f arguments table).map TableRow.value).getD 0,
    fun f arguments => ((rowFor f arguments table).map TableRow.slopes).getD []⟩, ?_⟩
  intro row mem
  rw [TableConsistent, consistent, every_eq, List.all_eq_true] at holds
  have own := holds row mem
  cases found : rowFor row.f row.arguments table with
  | none => rw [found] at own; cases own
  | some first =>
    rw [found] at own
    simp only [Bool.and_eq_true, decide_eq_true_eq, agree_iff] at own
    simp only [found, Option.map_some, Option.getD_some]
    exact own

/-- The data and the checks of a whole run by a table. -/
structure CheckedBy (p : Program) (table : List (TableRow S)) (r : Run S) : Prop where
  data : checkData p r = true
  shape : ∀ id, p.inputs.length ≤ id → id < p.size → checkShapeBy p id = true
  value : ∀ id < p.size, checkValueBy p table r id = true
  cotangent : ∀ id < p.size, checkCotangentBy p table r id p.edges = true

theorem parents_lt_by {id parent : Nat} (checked : checkShapeBy p id = true)
    (mem : parent ∈ (p.nodeOf id).parents) : parent < id := by
  rw [checkShapeBy] at checked
  split at checked
  · rw [Bool.and_eq_true, every_eq, List.all_eq_true] at checked
    exact Nat.le_of_ble_eq_true (checked.1 parent mem)
  · exact Stage.parents_lt checked mem

omit [DecidableEq S] in
theorem pulledCalls_cons (slopes : Nat → List S) (c : List S) (id parent : Nat) (rest : List Nat) (k : Nat) :
    pulledCalls slopes c id (parent :: rest) k
      = (bif Nat.beq parent id then
          (numbersBetween 0 c.length).map (fun i => (i, slopeAt (slopes i) k * element c i)) else [])
        ++ pulledCalls slopes c id rest (k + 1) := by
  show appended (bif Nat.beq parent id then mapped _ _ else []) _ = _
  rw [appended_eq, mapped_eq]
  rfl

/-- A node gives nothing to an id that it does not read. -/
theorem Program.pulledBackBy_nil (id reader : Nat) (checked : checkShapeBy p reader = true)
    (h : id ∉ (p.nodeOf reader).parents) : p.pulledBackBy table r id reader = [] := by
  rw [checkShapeBy] at checked
  rw [pulledBackBy]
  split at checked
  · next f op =>
    show pulledCalls _ _ id (p.nodeOf reader).parents 0 = []
    generalize (p.nodeOf reader).parents = parents at h
    generalize 0 = k
    induction parents generalizing k with
    | nil => rfl
    | cons parent rest ih =>
      rw [List.mem_cons, _root_.not_or] at h
      rw [pulledCalls_cons, ih h.2]
      have other : Nat.beq parent id = false := by
        cases e : Nat.beq parent id with
        | false => rfl
        | true => exact absurd (Nat.eq_of_beq_eq_true e).symm h.1
      rw [other]
      rfl
  · exact p.pulledBack_nil r id reader checked h

/-- The checker's sums over the readers of an id are sums over all nodes. -/
theorem CheckedBy.balance (checked : CheckedBy p table r) (id : Nat) (h : id < p.size) :
    List.zipWith (· + ·) (p.listed r.seed id)
      (accumulated (p.shapeOf id).size
        ((List.range' p.inputs.length p.nodes.length).flatMap (p.pulledBackBy table r id)))
      = p.listed r.cotangents id := by
  have cotangent := checked.cotangent id h
  have count : p.size - p.inputs.length = p.nodes.length := by rw [Program.size]; omega
  simp only [checkCotangentBy, agree_iff, Program.edges, numbersBetween_eq, count, sums_eq, volume_eq, joined_eq,
    mapped_eq] at cotangent
  rw [under_edges id (fun reader => (p.nodeOf reader).parents)] at cotangent
  · exact cotangent
  · intro reader mem
    have mem := List.mem_range'_1.mp mem
    exact p.pulledBackBy_nil id reader (checked.shape reader mem.1 (by omega))

/-- A cotangent has as many numbers as its seed. -/
theorem CheckedBy.lengths (checked : CheckedBy p table r) (cotangents : r.cotangents.length = p.size)
    (seed : r.seed.map List.length = p.shapes.map Shape.size) :
    r.cotangents.map List.length = p.shapes.map Shape.size := by
  have size : p.shapes.length = p.size := by simp [Program.shapes, Program.size]
  have seeds : r.seed.length = p.size := by have := congrArg List.length seed; simpa [size] using this
  rw [← seed]
  apply List.ext_getElem
  · simp [cotangents, seeds]
  · intro id low high
    rw [List.length_map, cotangents] at low
    have at? := congrArg (fun list => list[id]?) seed
    have sum := congrArg List.length (checked.balance id low)
    rw [Stage.listed_eq _ _ low, Stage.listed_eq _ _ low, accumulated_eq, p.shapeOf_eq id low,
      List.getElem?_eq_getElem (by omega), List.getElem?_eq_getElem (by omega),
      List.getElem?_eq_getElem (by omega)] at sum
    simp only [List.getElem?_map, List.getElem?_eq_getElem (show id < r.seed.length by omega),
      List.getElem?_eq_getElem (show id < p.shapes.length by omega), Option.map_some, Option.some.injEq] at at?
    simp only [Option.getD_some, List.length_zipWith, List.length_ofFn] at sum
    simp only [List.getElem_map]
    omega

end Adjudge
