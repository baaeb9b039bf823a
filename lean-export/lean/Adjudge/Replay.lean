module

public import Adjudge.Replay.Stage
public import Adjudge.Replay.Residue

/-!
# Accepted traces are runs

A run that the checker accepts is the evaluation and backpropagation of the graph that its program denotes.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} [Scalar S] [DecidableEq S] {p : Program} {r : Run S}

namespace Checked

/-- The checker's sums over the readers of an id are sums over all nodes. -/
theorem balance (checked : Checked p r) (id : Nat) (h : id < p.size) :
    List.zipWith (· + ·) (p.listed r.seed id)
      (accumulated (p.shapeOf id).size
        ((List.range' p.inputs.length p.nodes.length).flatMap (p.pulledBack r id)))
      = p.listed r.cotangents id := by
  have cotangent := checked.cotangent id h
  have count : p.size - p.inputs.length = p.nodes.length := by rw [Program.size]; omega
  simp only [checkCotangent, agree_iff, Program.edges, numbersBetween_eq, count, sums_eq, volume_eq, joined_eq,
    mapped_eq] at cotangent
  rw [under_edges id (fun reader => (p.nodeOf reader).parents)] at cotangent
  · exact cotangent
  · intro reader mem
    have mem := List.mem_range'_1.mp mem
    exact p.pulledBack_nil r id reader (checked.shape reader mem.1 (by omega))

/-- A cotangent has as many numbers as its seed. -/
theorem lengths (checked : Checked p r) (cotangents : r.cotangents.length = p.size)
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

/-- A checked run divides only by what has an inverse. -/
theorem divides (checked : Checked p r) : p.Divides r.values := by
  intro x y shape node divisor mem
  obtain ⟨index, bound, at?⟩ := List.mem_iff_getElem.mp node
  have size : p.inputs.length + index < p.size := by rw [Program.size]; omega
  have nodeOf : p.nodeOf (p.inputs.length + index) = ⟨.divide, [x, y], shape⟩ := by
    rw [Program.nodeOf, Nat.add_sub_cancel_left,
      entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le bound (le_pow_depthOf _)), List.getElem?_eq_getElem bound, at?]
    rfl
  have value := checked.value _ size
  have found : p.formOf? (p.inputs.length + index) = flatDividing (x, p.shapeOf x) (y, p.shapeOf y) := by
    rw [Program.formOf?, nodeOf]
    rfl
  have before := Stage.parents_lt (parent := y) (checked.shape _ (Nat.le_add_right ..) size) (by rw [nodeOf]; simp)
  rw [checkValue, Stage.ble_false (by omega), cond_false, found, flatDividing, cond_sameShape] at value
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

/-- A checked run solves only with matrices whose determinants have inverses. -/
theorem solves (checked : Checked p r) (lengths : r.values.map List.length = p.shapes.map Shape.size) :
    p.Solves r.values := by
  intro matrices sides shape batch rows columns node matrix position small
  obtain ⟨index, bound, at?⟩ := List.mem_iff_getElem.mp node
  have size : p.inputs.length + index < p.size := by rw [Program.size]; omega
  have nodeOf : p.nodeOf (p.inputs.length + index) = ⟨.solve, [matrices, sides], shape⟩ := by
    rw [Program.nodeOf, Nat.add_sub_cancel_left,
      entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le bound (le_pow_depthOf _)), List.getElem?_eq_getElem bound, at?]
    rfl
  have found : p.formOf? (p.inputs.length + index) = flatSolve [(matrices, p.shapeOf matrices), (sides, p.shapeOf sides)] := by
    rw [Program.formOf?, nodeOf]
    rfl
  have shaped := checked.shape _ (Nat.le_add_right ..) size
  have before := Stage.parents_lt (parent := matrices) shaped (by rw [nodeOf]; simp)
  have own : p.shapeOf (p.inputs.length + index) = shape := by
    rw [p.shapeOf_eq _ size, Program.shapes, List.getElem?_append_right (Nat.le_add_right ..), Nat.add_sub_cancel_left,
      List.getElem?_map, List.getElem?_eq_getElem bound, at?]
    rfl
  have value := checked.value _ size
  rw [checkValue, Stage.ble_false (by omega), cond_false, found, flatSolve] at value
  rw [checkShape, found, flatSolve, own] at shaped
  cases first : matrixShape (p.shapeOf matrices) with
  | none => simp [first] at value
  | some extents =>
    obtain ⟨batch', rows', columns'⟩ := extents
    cases second : matrixShape (p.shapeOf sides) with
    | none => simp [first, second] at value
    | some extents =>
      obtain ⟨batch'', rows'', columns''⟩ := extents
      simp only [first, second] at value shaped
      by_cases fit : batch' = batch'' ∧ rows' = columns' ∧ rows' = rows''
      · rw [if_pos fit] at value shaped
        cases entries : flatGatheredTerms (matrices, p.shapeOf matrices) (p.shapeOf sides)
            ((below (rows' * rows')).map (systemSource rows' columns'')) with
        | none => simp [entries] at value
        | some terms =>
          cases numbers : flatGatheredTerms (sides, p.shapeOf sides) (p.shapeOf sides)
              ((below rows').map (sideSource rows' columns'')) with
          | none => simp [entries, numbers] at value
          | some others =>
            simp only [entries, numbers] at value shaped
            have same : p.shapeOf sides = shape := by
              have := shaped
              simp only [sameShape_eq, Bool.and_eq_true, decide_eq_true_eq] at this
              exact this.2.1
            rw [same] at second entries value
            rw [matrix] at second
            cases second
            obtain ⟨-, -, equal_rows⟩ := fit
            subst equal_rows
            simp only [Bool.and_eq_true, FlatForm.divides, Expression.cramer, Expression.hasInverse, Bool.or_true, cond_true,
              every_eq, List.all_eq_true, decide_eq_true_eq] at value
            have inverse := value.1 position
              (by rw [numbersBetween_eq, volume_eq]; simpa using small)
              ((Expression.determinantOf rows').value
                (argumentsOf (FlatTerm.givenBy (p.listed r.values) (volume shape) (terms ++ others)) position))
              (by simp [Expression.divisors])
            intro determinant
            have equal : determinant = (Expression.determinantOf rows').value
                (argumentsOf (FlatTerm.givenBy (p.listed r.values) (volume shape) (terms ++ others)) position) := by
              refine Expression.value_determinant_congr rows' fun row small' column small'' => ?_
              have entry : row * rows' + column < rows' * rows' := by
                have := Nat.mul_le_mul_right rows' (show row + 1 ≤ rows' by omega)
                rw [Nat.succ_mul] at this
                omega
              have bounded : position < volume shape := by rw [volume_eq]; exact small
              have inside := (flatGatheredTerms_eq _ _ _ _ entries).2 (systemSource rows' columns (row * rows' + column))
                (List.mem_map_of_mem (by rw [below_eq, numbersBetween_eq]; simpa using entry)) position bounded
              have length := congrArg (fun list => list[matrices]?) lengths
              have at_shape := p.shapeOf_eq matrices (by omega)
              have known : matrices < r.values.length := by
                have := congrArg List.length lengths
                have total : p.shapes.length = p.size := by simp [Program.shapes, Program.size]
                rw [List.length_map, List.length_map, total] at this
                omega
              have shape_known : matrices < p.shapes.length := by simp [Program.shapes, Program.size] at *; omega
              rw [List.getElem?_eq_getElem shape_known] at at_shape
              simp only [List.getElem?_map, List.getElem?_eq_getElem known, List.getElem?_eq_getElem shape_known,
                Option.map_some, Option.some.injEq] at length
              have few : systemSource rows' columns (row * rows' + column) position < (r.values[matrices]).length := by
                rw [length, ← volume_eq]
                simpa [at_shape] using inside
              show (r.values.getD matrices []).getD _ 0 = argumentsOf _ position _
              rw [argumentsOf_gathered (systemSource rows' columns) (rows' * rows') entries others position bounded _ entry,
                Stage.listed_eq _ _ (by omega), List.getElem?_eq_getElem known, Option.getD_some, element_eq _ _ few,
                List.getD_eq_getElem?_getD, List.getD_eq_getElem?_getD, List.getElem?_eq_getElem known, Option.getD_some,
                List.getElem?_eq_getElem few, Option.getD_some]
            rw [equal]
            exact inverse
      · simp [fit] at value

/-- A checked run is the evaluation and backpropagation of its graph. -/
theorem runs (checked : Checked p r) : p.Runs r := by
  have data := checked.data
  simp only [checkData, Bool.and_eq_true] at data
  obtain ⟨inputs, environment, seed, values, cotangents⟩ := data
  have values := Nat.eq_of_beq_eq_true values
  have cotangents := Nat.eq_of_beq_eq_true cotangents
  obtain ⟨x, x_numbers⟩ := Context.exists_numbers (.ofList p.inputs) r.inputs
    (by rw [ContextType.shapes_ofList]; exact fits_lengths _ _ inputs)
  obtain ⟨δ, δ_numbers⟩ := Context.exists_numbers (.ofList p.environment) r.environment
    (by rw [ContextType.shapes_ofList]; exact fits_lengths _ _ environment)
  obtain ⟨C, g, graph, stage⟩ :=
    (Stage.start (δ := δ) checked values x_numbers).all checked ⟨values, cotangents⟩ δ_numbers
  have length : C.length = p.size := stage.length
  have shapes : C.shapes = p.shapes := stage.shapes
  obtain ⟨s, s_numbers⟩ := Context.exists_numbers C r.seed (by rw [shapes]; exact fits_lengths _ _ seed)
  obtain ⟨k, k_numbers⟩ := Context.exists_numbers C r.cotangents
    (by rw [shapes]; exact checked.lengths cotangents (fits_lengths _ _ seed))
  have whole : ∀ (numbers : List (List S)) (context : Context S C), context.numbers = numbers →
      context.numbers = numbers.take C.length := by
    intro numbers context same
    rw [← same, List.take_of_length_le (by rw [context.length_numbers]; omega)]
  refine ⟨⟨C, g⟩, x, δ, s, graph, x_numbers, δ_numbers, s_numbers, ?_, ?_, checked.divides, checked.solves ?_⟩
  · show (g.eval x δ).numbers = r.values
    rw [stage.values, List.take_of_length_le (by omega)]
  · show (g.backpropAllCtx x δ s).numbers = r.cotangents
    rw [backpropAllCtx_of_balance g x δ s k ?_, k_numbers]
    apply Context.ext
    intro σ place
    apply Tensor.ext
    funext j
    rw [place.get_add]
    show (place.get k).get j = (place.get s).get j + (place.get (g.gathered x δ k)).get j
    rw [stage.gathered k (whole _ _ k_numbers)]
    have shape := stage.shapeOf place.id place.id_lt
    rw [place.shapes_get, Option.some.injEq] at shape
    have sum := checked.balance place.id (by have := place.id_lt; omega)
    rw [← shape, p.looks r.seed s (by omega) (whole _ _ s_numbers), accumulated_eq,
      p.looks r.cotangents k (by omega) (whole _ _ k_numbers)] at sum
    have at? := congrArg (fun list => list[j.val]?) sum
    simp [Tensor.elements] at at?
    exact at?.symm
  · have all : (g.eval x δ).numbers = r.values := by rw [stage.values, List.take_of_length_le (by omega)]
    rw [← all, Context.lengths_numbers, shapes]

end Checked

/-- Segments that cover all ids make a run. -/
theorem runs_of_segments {m n : Nat} (data : DataFits p r m n) (shapes : ShapesAgree p m n)
    (values : ValuesAgree p r 0 n) (cotangents : CotangentsAgree p r 0 n) : p.Runs r := by
  simp only [DataFits, Bool.and_eq_true] at data
  obtain ⟨⟨inputs, size⟩, data⟩ := data
  have inputs := Nat.eq_of_beq_eq_true inputs
  have size := Nat.eq_of_beq_eq_true size
  subst inputs size
  exact Checked.runs {
    data := data
    shape := shapesAgree_iff.mp shapes
    value := fun id h => valuesAgree_iff.mp values id (Nat.zero_le _) h
    cotangent := fun id h => cotangentsAgree_iff.mp cotangents id (Nat.zero_le _) h }

/-- A run that the checker accepts is the evaluation and backpropagation of the graph of its program. -/
theorem replay_sound (p : Program) (r : Run S) (accepted : replay p r = true) : p.Runs r := by
  rw [replay, Option.isNone_iff_eq_none, firstFault] at accepted
  cases data : checkData p r with
  | false => simp [data] at accepted
  | true =>
    rw [data, cond_true] at accepted
    split at accepted
    · cases accepted
    · rename_i shapes
      split at accepted
      · cases accepted
      · rename_i values
        split at accepted
        · cases accepted
        · rename_i cotangents
          rw [numbersBetween_eq, List.find?_eq_none] at shapes values
          rw [distributed_eq (fun id edges edges' h => by rw [checkCotangent_looks id edges edges' h]),
            List.find?_eq_none] at cotangents
          simp only [List.mem_reverse, List.mem_map, List.mem_range'_1, Bool.not_eq_true', Bool.not_eq_false] at *
          exact Checked.runs {
            data := data
            shape := fun id low high => shapes id ⟨low, by omega⟩
            value := fun id high => values id ⟨Nat.zero_le _, by omega⟩
            cotangent := fun id high => cotangents _ ⟨id, ⟨Nat.zero_le _, by omega⟩, rfl⟩ }

end Adjudge
