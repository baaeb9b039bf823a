module

public import Adjudge.Replay.FunctionsStage

/-!
# Accepted traces by a table are runs

For all functions that agree with a table, a run that the checker accepts by it is the evaluation and
backpropagation of the graph that its program denotes with these functions.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} [Scalar S] [DecidableEq S] {p : Program} {table : List (TableRow S)} {r : Run S}
  {F : Functions S}

namespace CheckedBy

/-- A run that is checked by a table divides only by what has an inverse. -/
theorem divides (checked : CheckedBy p table r) : p.Divides r.values := by
  intro x y shape node divisor mem
  obtain ⟨index, bound, at?⟩ := List.mem_iff_getElem.mp node
  have size : p.inputs.length + index < p.size := by rw [Program.size]; omega
  have nodeOf : p.nodeOf (p.inputs.length + index) = ⟨.divide, [x, y], shape⟩ := by
    rw [Program.nodeOf, Nat.add_sub_cancel_left,
      entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le bound (le_pow_depthOf _)), List.getElem?_eq_getElem bound, at?]
    rfl
  have value := checked.value _ size
  rw [checkValueBy, Stage.ble_false (by omega), cond_false, nodeOf] at value
  have found : p.formOf? (p.inputs.length + index) = flatDividing (x, p.shapeOf x) (y, p.shapeOf y) := by
    rw [Program.formOf?, nodeOf]
    rfl
  have before := parents_lt_by (parent := y) (checked.shape _ (Nat.le_add_right ..) size) (by rw [nodeOf]; simp)
  simp only [checkValue] at value
  rw [Stage.ble_false (by omega), cond_false, found, flatDividing, cond_sameShape] at value
  split at value
  · next made =>
    split at made
    · cases made
      simp only [Bool.and_eq_true, FlatForm.divides, every_eq, List.all_eq_true, decide_eq_true_eq] at value
      apply value.1
      rw [Stage.listed_eq _ _ (by omega), ← List.getD_eq_getElem?_getD]
      exact mem
    · cases made
  · cases value

/-- For functions that agree with its table a checked run is the evaluation and backpropagation of its graph. -/
theorem runsWith (checked : CheckedBy p table r) (agrees : F.Agrees table) : p.RunsWith F r := by
  have data := checked.data
  simp only [checkData, Bool.and_eq_true] at data
  obtain ⟨inputs, environment, seed, values, cotangents⟩ := data
  have values := Nat.eq_of_beq_eq_true values
  have cotangents := Nat.eq_of_beq_eq_true cotangents
  obtain ⟨x, x_numbers⟩ := Context.exists_numbers (.ofList p.inputs) r.inputs
    (by rw [ContextType.shapes_ofList]; exact fits_lengths _ _ inputs)
  obtain ⟨δ, δ_numbers⟩ := Context.exists_numbers (.ofList p.environment) r.environment
    (by rw [ContextType.shapes_ofList]; exact fits_lengths _ _ environment)
  have start : StageBy p table r x δ [] p.nodes (Graph.nil : p.LawfulGraphOver S _) := {
    nodes := rfl
    length := ContextType.length_ofList _
    shapes := by rw [ContextType.shapes_ofList]; simp
    values := by
      show x.numbers = _
      have length : r.inputs.length = p.inputs.length := by
        rw [← x_numbers, x.length_numbers, ContextType.length_ofList]
      rw [x_numbers, ContextType.length_ofList]
      apply List.ext_getElem
      · rw [List.length_take, values, length, Program.size]
        omega
      · intro id low high
        have bound : id < p.size := by rw [Program.size]; omega
        have value := checked.value id bound
        have inside := Nat.ble_eq_true_of_le (show id + 1 ≤ p.inputs.length by omega)
        rw [checkValueBy, inside, cond_true, checkValue, inside, cond_true, agree_iff, Stage.listed_eq _ _ bound,
          entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le (show id < p.inputs.length by omega) (le_pow_depthOf _)),
          List.getElem?_eq_getElem low, List.getElem?_eq_getElem (by omega)] at value
        rw [List.getElem_take]
        exact value
    gathered := by
      intro cotangents _ σ place j
      show (place.get (Context.zeros _)).get j = (0 : S)
      rw [place.get_zeros]
      rfl }
  obtain ⟨C, g, graph, stage⟩ := start.all checked agrees ⟨values, cotangents⟩ δ_numbers
  have length : C.length = p.size := stage.length
  have shapes : C.shapes = p.shapes := stage.shapes
  obtain ⟨s, s_numbers⟩ := Context.exists_numbers C r.seed (by rw [shapes]; exact fits_lengths _ _ seed)
  obtain ⟨k, k_numbers⟩ := Context.exists_numbers C r.cotangents
    (by rw [shapes]; exact checked.lengths cotangents (fits_lengths _ _ seed))
  have whole : ∀ (numbers : List (List S)) (context : Context S C), context.numbers = numbers →
      context.numbers = numbers.take C.length := by
    intro numbers context same
    rw [← same, List.take_of_length_le (by rw [context.length_numbers]; omega)]
  refine ⟨⟨C, g⟩, x, δ, s, graph, x_numbers, δ_numbers, s_numbers, ?_, ?_, checked.divides⟩
  · show (g.toData.eval x δ).numbers = r.values
    rw [stage.values, List.take_of_length_le (by omega)]
  · show (g.toData.backpropAllCtx x δ s).numbers = r.cotangents
    rw [backpropAllCtx_of_balance g.toData x δ s k ?_, k_numbers]
    apply Context.ext
    intro σ place
    apply Tensor.ext
    funext j
    rw [place.get_add]
    show (place.get k).get j = (place.get s).get j + (place.get (g.toData.gathered x δ k)).get j
    rw [stage.gathered k (whole _ _ k_numbers)]
    have shape := stage.shapeOf place.id place.id_lt
    rw [place.shapes_get, Option.some.injEq] at shape
    have sum := checked.balance place.id (by have := place.id_lt; omega)
    rw [← shape, p.looks r.seed s (by omega) (whole _ _ s_numbers), accumulated_eq,
      p.looks r.cotangents k (by omega) (whole _ _ k_numbers)] at sum
    have at? := congrArg (fun list => list[j.val]?) sum
    simp [Tensor.elements] at at?
    exact at?.symm

end CheckedBy

theorem shapesAgreeBy_iff {first last : Nat} :
    ShapesAgreeBy p first last ↔ ∀ id, first ≤ id → id < last → checkShapeBy p id = true := by
  rw [ShapesAgreeBy, every_eq, numbersBetween_eq, List.all_eq_true]
  simp only [List.mem_range'_1]
  exact ⟨fun h id low high => h id ⟨low, by omega⟩, fun h id mem => h id mem.1 (by omega)⟩

theorem valuesAgreeBy_iff {first last : Nat} :
    ValuesAgreeBy p table r first last ↔ ∀ id, first ≤ id → id < last → checkValueBy p table r id = true := by
  rw [ValuesAgreeBy, every_eq, numbersBetween_eq, List.all_eq_true]
  simp only [List.mem_range'_1]
  exact ⟨fun h id low high => h id ⟨low, by omega⟩, fun h id mem => h id mem.1 (by omega)⟩

theorem checkCotangentBy_looks : LooksUnder (checkCotangentBy p table r) := by
  intro id edges edges' h
  rw [checkCotangentBy, checkCotangentBy, h]

theorem cotangentsAgreeBy_iff {first last : Nat} :
    CotangentsAgreeBy p table r first last
      ↔ ∀ id, first ≤ id → id < last → checkCotangentBy p table r id p.edges = true := by
  rw [CotangentsAgreeBy, every_eq, distributed_eq checkCotangentBy_looks, List.all_eq_true]
  simp only [List.mem_map, List.mem_range'_1]
  exact ⟨fun h id low high => h _ ⟨id, ⟨low, by omega⟩, rfl⟩,
    fun h checked mem => by obtain ⟨id, mem, rfl⟩ := mem; exact h id mem.1 (by omega)⟩

/-- Two segments of shapes that meet are one. -/
theorem ShapesAgreeBy.trans {first middle last : Nat} (low : ShapesAgreeBy p first middle)
    (high : ShapesAgreeBy p middle last) : ShapesAgreeBy p first last := by
  rw [shapesAgreeBy_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Two segments of values that meet are one. -/
theorem ValuesAgreeBy.trans {first middle last : Nat} (low : ValuesAgreeBy p table r first middle)
    (high : ValuesAgreeBy p table r middle last) : ValuesAgreeBy p table r first last := by
  rw [valuesAgreeBy_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Two segments of cotangents that meet are one. -/
theorem CotangentsAgreeBy.trans {first middle last : Nat} (low : CotangentsAgreeBy p table r first middle)
    (high : CotangentsAgreeBy p table r middle last) : CotangentsAgreeBy p table r first last := by
  rw [cotangentsAgreeBy_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Segments that cover all ids make a run for all functions that agree with a consistent table. -/
theorem runsBy_of_segments {m n : Nat} (consistent : TableConsistent table) (data : DataFits p r m n)
    (shapes : ShapesAgreeBy p m n) (values : ValuesAgreeBy p table r 0 n)
    (cotangents : CotangentsAgreeBy p table r 0 n) : p.RunsBy table r := by
  refine ⟨consistent.exists_functions, fun F agrees => ?_⟩
  simp only [DataFits, Bool.and_eq_true] at data
  obtain ⟨⟨inputs, size⟩, data⟩ := data
  have inputs := Nat.eq_of_beq_eq_true inputs
  have size := Nat.eq_of_beq_eq_true size
  subst inputs size
  exact CheckedBy.runsWith {
    data := data
    shape := shapesAgreeBy_iff.mp shapes
    value := fun id h => valuesAgreeBy_iff.mp values id (Nat.zero_le _) h
    cotangent := fun id h => cotangentsAgreeBy_iff.mp cotangents id (Nat.zero_le _) h } agrees

end Adjudge
