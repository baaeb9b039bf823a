module

public import Adjudge.Intervals.Facts

/-!
# Accepted enclosures hold

For all functions that meet the rows, on every ordered field, the evaluation and backpropagation of the graph are in
the intervals that the checker accepts, and so an answer that is outside of its bound around all of an interval is
wrong, and one inside right.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Interval OrderedScalar

/-- What the checks say together. -/
structure EnclosedBy (p : Program) (rows : List FunctionRow) (given : Given) (e : Enclosure) : Prop where
  inputs : fits p.inputs given.inputs = true
  environment : fits p.environment given.environment = true
  seed : fits p.shapes given.seed = true
  shape : ∀ id, p.inputs.length ≤ id → id < p.size → checkShapeBy p id = true
  value : ∀ id < p.size, checkEnclosedValue p rows given e id = true
  cotangent : ∀ id < p.size, checkEnclosedCotangent p rows given e id p.edges = true

variable {S : Type} [OrderedScalar S] {p : Program} {rows : List FunctionRow} {given : Given} {e : Enclosure}
  {F : Functions S}

namespace EnclosedBy

theorem ble_false {n m : Nat} (h : m < n) : Nat.ble n m = false := Stage.ble_false h

/-- What a form of a node reads is earlier. -/
theorem reads (checked : EnclosedBy p rows given e) {id : Nat} (low : p.inputs.length ≤ id) (high : id < p.size)
    (other : ∀ f, (p.nodeOf id).op ≠ .elementary f) :
    ∃ τ form, p.formOf? id = some (τ, form) ∧ (∀ operand ∈ form.reads, operand < id)
      ∧ form.dividesSurely (p.listed e.values) = true
      ∧ covered
          (form.enclosure
            (fun entry => mapped .exactly (entryWithin [] (depthOf p.environment.length) given.environment entry))
            (p.listed e.values) (volume τ))
          (p.listed e.values id) = true := by
  have value := checked.value id high
  rw [checkEnclosedValue, ble_false (by omega), cond_false] at value
  split at value
  · next f op => exact absurd op (other f)
  · split at value
    · next τ form found =>
      simp only [Bool.and_eq_true, every_eq, List.all_eq_true, Nat.blt_eq] at value
      exact ⟨τ, form, found, value.1, value.2.1, value.2.2⟩
    · cases value

/-- There are values, each made of earlier ones. -/
theorem exists_values (checked : EnclosedBy p rows given e) (F : Functions S) :
    ∃ V : Nat → List S, ∀ id < p.size,
      V id = p.valueBy F (lifted S given.inputs) (lifted S given.environment) V id := by
  refine exists_upward [] p.size (p.valueBy F _ _) fun V W id high same => ?_
  rw [Program.valueBy, Program.valueBy]
  by_cases input : id + 1 ≤ p.inputs.length
  · rw [Nat.ble_eq_true_of_le input, cond_true, cond_true]
  · rw [ble_false (by omega), cond_false, cond_false]
    have shape := checked.shape id (by omega) high
    split
    · have before := fun parent mem => parents_lt_by (parent := parent) shape mem
      refine List.map_congr_left fun i _ => ?_
      congr 1
      exact List.map_congr_left fun parent mem => by rw [same parent (before parent mem)]
    · next other =>
      obtain ⟨τ, form, found, before, -⟩ := checked.reads (by omega) high (fun f op => other f op)
      rw [found]
      exact form.forward_congr _ _ fun operand mem => same operand (before operand mem)

/-- The intervals of arguments hold the numbers where those of the operands do. -/
theorem arguments_lie {V : Nat → List S} {id i : Nat}
    (h : ∀ parent ∈ (p.nodeOf id).parents, Lie (V parent) (p.listed e.values parent)) :
    Lie ((p.nodeOf id).parents.map fun parent => element (V parent) i) (p.argumentEnclosures e id i) := by
  rw [Program.argumentEnclosures, mapped_eq]
  exact Related.map _ fun parent mem => element_holds (h parent mem) i

/-- The values are in their intervals. -/
theorem values_lie (checked : EnclosedBy p rows given e) (meets : F.Meets rows) {V : Nat → List S}
    (fixed : ∀ id < p.size, V id = p.valueBy F (lifted S given.inputs) (lifted S given.environment) V id) (id : Nat)
    (high : id < p.size) : Lie (V id) (p.listed e.values id) := by
  induction id using Nat.strongRecOn with
  | ind id ih =>
    rw [fixed id high, Program.valueBy]
    have value := checked.value id high
    by_cases input : id + 1 ≤ p.inputs.length
    · rw [checkEnclosedValue, Nat.ble_eq_true_of_le input, cond_true] at value
      rw [Nat.ble_eq_true_of_le input, cond_true, lifted_entry]
      exact (lie_exactly _).covered value
    · rw [ble_false (by omega), cond_false]
      have shape := checked.shape id (by omega) high
      have before := fun parent mem => parents_lt_by (parent := parent) shape mem
      split
      · next f op =>
        rw [checkEnclosedValue, ble_false (by omega), cond_false, op] at value
        simp only [Bool.and_eq_true, every_eq, List.all_eq_true, numbersBetween_eq, List.mem_range'_1] at value
        obtain ⟨length, value⟩ := value
        have length := Nat.eq_of_beq_eq_true length
        refine Related.ofForall (by simp [numbersBetween_eq, length]) fun i x y hx hy => ?_
        have inside : i < volume (p.nodeOf id).shape := by
          have := (List.getElem?_eq_some_iff.mp hy).1
          omega
        rw [numbersBetween_eq, List.getElem?_map, List.getElem?_range' (by omega)] at hx
        simp only [Option.map_some, Option.some.injEq, Nat.zero_add, Nat.one_mul] at hx
        have own := value i ⟨Nat.zero_le _, by omega⟩
        have at? : intervalAt (p.listed e.values id) i = y := by
          rw [intervalAt, entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le (by omega) (le_pow_depthOf _)), hy]
          rfl
        rw [at?] at own
        cases found : p.functionRowAt rows e f id i with
        | none => rw [found] at own; cases own
        | some row =>
          rw [found] at own
          have := (meets.found found (arguments_lie (i := i) (V := V) fun parent mem =>
            ih parent (before parent mem) (by have := before parent mem; omega))).1
          rw [← hx]
          exact this.within own
      · next other =>
        obtain ⟨τ, form, found, early, -, cover⟩ := checked.reads (by omega) high (fun f op => other f op)
        rw [found]
        refine (forward_lies (fun entry => ?_) _ form fun operand mem =>
          ih operand (early operand mem) (by have := early operand mem; omega)).covered cover
        rw [lifted_entry]
        exact lie_exactly _

/-- The cotangent of an id by those of later ones. -/
def cotangentBy [DecidableEq S] (p : Program) (table : List (TableRow S)) (r : Run S) (id : Nat) : List S :=
  sums (p.listed r.seed id)
    (accumulated (volume (p.shapeOf id)) (joined (p.pulledBackBy table r id) (under id p.edges)))

/-- The run with these functions. -/
def runOf (p : Program) (given : Given) (V K : Nat → List S) : Run S where
  inputs := lifted S given.inputs
  environment := lifted S given.environment
  seed := lifted S given.seed
  values := (List.range p.size).map V
  cotangents := (List.range p.size).map K

omit [OrderedScalar S] in
theorem listed_range (V : Nat → List S) {id : Nat} (high : id < p.size) :
    p.listed ((List.range p.size).map V) id = V id := by
  rw [Stage.listed_eq _ _ high, List.getElem?_map, List.getElem?_range high]
  rfl

/-- There are cotangents, each made of later ones. -/
theorem exists_cotangents [DecidableEq S] (p : Program) (table : List (TableRow S)) (given : Given)
    (shape : ∀ id, p.inputs.length ≤ id → id < p.size → checkShapeBy p id = true) (V : Nat → List S) :
    ∃ K : Nat → List S, ∀ id < p.size, K id = cotangentBy p table (runOf p given V K) id := by
  refine exists_downward [] p.size (fun K => cotangentBy p table (runOf p given V K)) fun K L id high same => ?_
  simp only [cotangentBy, joined_eq]
  congr 2
  rw [List.flatMap_def, List.flatMap_def]
  congr 1
  refine List.map_congr_left fun reader mem => ?_
  obtain ⟨low, small, parent⟩ := p.reader_of mem
  have later := parents_lt_by (shape reader low small) parent
  refine p.pulledBackBy_congr table id reader rfl ?_
  simp only [runOf, listed_range _ small, same reader later small]

/-- The run with these functions passes its checks by a table of all its calls. -/
theorem checkedBy [DecidableEq S] (checked : EnclosedBy p rows given e) (meets : F.Meets rows) {V K : Nat → List S}
    (values : ∀ id < p.size, V id = p.valueBy F (lifted S given.inputs) (lifted S given.environment) V id)
    (cotangents : ∀ id < p.size, K id = cotangentBy p (p.tableBy F V) (runOf p given V K) id) :
    CheckedBy p (p.tableBy F V) (runOf p given V K) where
  data := by
    simp only [checkData, runOf, lifted, fits_map, checked.inputs, checked.environment, checked.seed, Bool.true_and,
      List.length_map, List.length_range, Nat.beq_refl]
  shape := checked.shape
  value id high := by
    have own := values id high
    rw [Program.valueBy] at own
    by_cases input : id + 1 ≤ p.inputs.length
    · rw [Nat.ble_eq_true_of_le input, cond_true] at own
      rw [checkValueBy, checkValue, Nat.ble_eq_true_of_le input, cond_true, cond_true, agree_iff]
      exact own.symm.trans (listed_range V high).symm
    · have shape := checked.shape id (by omega) high
      have before := fun parent mem => parents_lt_by (parent := parent) shape mem
      rw [ble_false (by omega), cond_false] at own
      rw [checkValueBy, ble_false (by omega), cond_false]
      split at own
      · next f op =>
        simp only [op]
        have listed : p.listed (runOf p given V K).values id = V id := listed_range V high
        have length : (V id).length = volume (p.nodeOf id).shape := by rw [own]; simp [numbersBetween_eq]
        simp only [Bool.and_eq_true, every_eq, List.all_eq_true, numbersBetween_eq, List.mem_range'_1, listed, length,
          Nat.beq_refl, true_and]
        intro i inside
        have arguments : p.argumentsOf (runOf p given V K) id i
            = (p.nodeOf id).parents.map fun parent => element (V parent) i := by
          rw [Program.argumentsOf, mapped_eq]
          exact List.map_congr_left fun parent mem => by
            rw [show p.listed (runOf p given V K).values parent = V parent from
              listed_range V (by have := before parent mem; omega)]
        obtain ⟨row, found, value, -⟩ := p.tableBy_has F V op high (i := i) (by omega)
        rw [arguments, found]
        simp only [decide_eq_true_eq]
        rw [value, element_eq _ _ (by omega)]
        simp only [own, List.getElem_map, numbersBetween_eq, List.getElem_range', Nat.zero_add, Nat.one_mul]
      · next other =>
        obtain ⟨τ, form, found, early, sure, -⟩ := checked.reads (by omega) high (fun f op => other f op)
        rw [found] at own
        have same : ∀ operand ∈ form.reads, p.listed (runOf p given V K).values operand = V operand :=
          fun operand mem => listed_range V (by have := early operand mem; omega)
        have value : checkValue p (runOf p given V K) id = true := by
          rw [checkValue, ble_false (by omega), cond_false, found]
          simp only [Bool.and_eq_true, agree_iff]
          refine ⟨form.divides_of_surely _ (fun operand mem => ?_) sure, ?_⟩
          · rw [same operand mem]
            exact checked.values_lie meets values operand (by have := early operand mem; omega)
          · rw [form.forward_congr _ _ same]
            exact own.symm.trans (listed_range V high).symm
        split
        · next f op => exact absurd op (other f)
        · exact value
  cotangent id high := by
    rw [checkCotangentBy, agree_iff]
    exact (cotangents id high).symm.trans (listed_range K high).symm

/-- The cotangents are in their intervals. -/
theorem cotangents_lie [DecidableEq S] (checked : EnclosedBy p rows given e) (meets : F.Meets rows)
    {V K : Nat → List S}
    (values : ∀ id < p.size, V id = p.valueBy F (lifted S given.inputs) (lifted S given.environment) V id)
    (cotangents : ∀ id < p.size, K id = cotangentBy p (p.tableBy F V) (runOf p given V K) id) (n : Nat) :
    ∀ id, id < p.size → p.size ≤ id + n → Lie (K id) (p.listed e.cotangents id) := by
  induction n with
  | zero => intro id high low; omega
  | succ n ih =>
    intro id high low
    rw [cotangents id high, cotangentBy]
    refine (sums_lie ?_ (accumulated_lie ?_ _)).covered (checked.cotangent id high)
    · rw [show (runOf p given V K).seed = lifted S given.seed from rfl, Program.listed, lifted_entry]
      exact lie_exactly _
    · rw [joined_eq, joined_eq]
      refine Related.flatMap _ fun reader mem => ?_
      obtain ⟨first, small, parent⟩ := p.reader_of mem
      have shape := checked.shape reader first small
      have later := parents_lt_by shape parent
      have cotangent := ih reader small (by omega)
      have listed : p.listed (runOf p given V K).cotangents reader = K reader := listed_range K small
      have before := fun parent mem => parents_lt_by (parent := parent) shape mem
      rw [Program.pulledBackBy, Program.pulledBackEnclosure, listed]
      split
      · next f op =>
        simp only [op]
        refine pulledCalls_lie cotangent id (fun i inside => ?_) _ _
        have bounded : i < volume (p.nodeOf reader).shape := by
          rw [← p.shapeOf_node reader first small]
          have length := congrArg List.length (cotangents reader small)
          rw [cotangentBy, sums_eq, List.length_zipWith, accumulated_eq, List.length_ofFn] at length
          omega
        obtain ⟨row, found, -, slopes⟩ := p.tableBy_has F V op small bounded
        have arguments : p.argumentsOf (runOf p given V K) reader i
            = (p.nodeOf reader).parents.map fun parent => element (V parent) i := by
          rw [Program.argumentsOf, mapped_eq]
          exact List.map_congr_left fun parent mem => by
            rw [show p.listed (runOf p given V K).values parent = V parent from
              listed_range V (by have := before parent mem; omega)]
        rw [Program.slopesBy, arguments, found, Program.slopeEnclosuresBy]
        have value := checked.value reader small
        rw [checkEnclosedValue, ble_false (by omega), cond_false, op] at value
        simp only [Bool.and_eq_true, every_eq, List.all_eq_true, numbersBetween_eq, List.mem_range'_1] at value
        have own := value.2 i ⟨Nat.zero_le _, by omega⟩
        cases found' : p.functionRowAt rows e f reader i with
        | none => rw [found'] at own; cases own
        | some row' =>
          simp only [slopes]
          exact (meets.found found' (arguments_lie (i := i) (V := V) fun parent mem =>
            checked.values_lie meets values parent (by have := before parent mem; omega))).2
      · next other =>
        obtain ⟨τ, form, found, early, -⟩ := checked.reads first small (fun f op => other f op)
        split
        · next f op => exact absurd op (other f)
        rw [Program.pulledBack, found]
        simp only [listed]
        refine pulledBack_lies cotangent id form fun operand mem => ?_
        have : operand < p.size := by have := early operand mem; omega
        rw [show p.listed (runOf p given V K).values operand = V operand from listed_range V this]
        exact checked.values_lie meets values operand this

end EnclosedBy

/-- What is seen of an answer holds of all numbers in the interval. -/
theorem Answer.holds_of {answer : Answer} {e : Enclosure} {r : Run S}
    (lie : ∀ id < p.size, Lie (r.values.getD id []) (e.values.getD id [])
      ∧ Lie (r.cotangents.getD id []) (e.cotangents.getD id []))
    (small : answer.id < p.size) (seen : answer.isSeen (answer.intervalIn e) = true) : answer.Holds r := by
  obtain ⟨isCotangent, id, position, number, bound, isRefuted⟩ := answer
  have holds : (Answer.intervalIn ⟨isCotangent, id, position, number, bound, isRefuted⟩ e).Holds
      (slotAt (bif isCotangent then r.cotangents else r.values) id position : S) := by
    unfold Answer.intervalIn slotAt
    cases isCotangent with
    | true =>
      simp only [cond_true]
      rw [List.getD_eq_getElem?_getD, List.getD_eq_getElem?_getD]
      exact (lie id small).2.getD position (y := Interval.unknown) trivial
    | false =>
      simp only [cond_false]
      rw [List.getD_eq_getElem?_getD, List.getD_eq_getElem?_getD]
      exact (lie id small).1.getD position (y := Interval.unknown) trivial
  generalize Answer.intervalIn _ e = interval at holds seen
  show bif isRefuted then _ else _
  generalize (slotAt (bif isCotangent then r.cotangents else r.values) id position : S) = truth at holds
  cases interval with
  | unknown => cases seen
  | between low high =>
    obtain ⟨least, most⟩ := holds
    cases isRefuted with
    | true =>
      simp only [Answer.isSeen, cond_true, Bool.or_eq_true, decide_eq_true_eq] at seen
      show _ ∨ _
      rcases seen with h | h
      · exact Or.inl (Std.lt_of_lt_of_le (ofRat_lt h) least)
      · exact Or.inr (Std.lt_of_le_of_lt most (ofRat_lt h))
    | false =>
      simp only [Answer.isSeen, cond_false, Bool.and_eq_true, decide_eq_true_eq] at seen
      exact ⟨Std.le_trans (ofRat_le seen.1) least, Std.le_trans most (ofRat_le seen.2)⟩

theorem valuesEnclosed_iff {first last : Nat} : ValuesEnclosed p rows given e first last
    ↔ ∀ id, first ≤ id → id < last → checkEnclosedValue p rows given e id = true := by
  rw [ValuesEnclosed, every_eq, numbersBetween_eq, List.all_eq_true]
  simp only [List.mem_range'_1]
  exact ⟨fun h id low high => h id ⟨low, by omega⟩, fun h id mem => h id mem.1 (by omega)⟩

theorem checkEnclosedCotangent_looks : LooksUnder (checkEnclosedCotangent p rows given e) := by
  intro id edges edges' h
  rw [checkEnclosedCotangent, checkEnclosedCotangent, h]

theorem cotangentsEnclosed_iff {first last : Nat} : CotangentsEnclosed p rows given e first last
    ↔ ∀ id, first ≤ id → id < last → checkEnclosedCotangent p rows given e id p.edges = true := by
  rw [CotangentsEnclosed, every_eq, distributed_eq checkEnclosedCotangent_looks, List.all_eq_true]
  simp only [List.mem_map, List.mem_range'_1]
  exact ⟨fun h id low high => h _ ⟨id, ⟨low, by omega⟩, rfl⟩,
    fun h checked mem => by obtain ⟨id, mem, rfl⟩ := mem; exact h id mem.1 (by omega)⟩

/-- Two segments of values that meet are one. -/
theorem ValuesEnclosed.trans {first middle last : Nat} (low : ValuesEnclosed p rows given e first middle)
    (high : ValuesEnclosed p rows given e middle last) : ValuesEnclosed p rows given e first last := by
  rw [valuesEnclosed_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Two segments of cotangents that meet are one. -/
theorem CotangentsEnclosed.trans {first middle last : Nat} (low : CotangentsEnclosed p rows given e first middle)
    (high : CotangentsEnclosed p rows given e middle last) : CotangentsEnclosed p rows given e first last := by
  rw [cotangentsEnclosed_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Segments that cover all ids judge the answers. -/
theorem judges_of_segments {answers : List Answer} {m n : Nat} (fit : GivenFits p given m n)
    (shapes : ShapesAgreeBy p m n) (values : ValuesEnclosed p rows given e 0 n)
    (cotangents : CotangentsEnclosed p rows given e 0 n) (seen : AnswersSeen p e answers) :
    p.Judges rows given e answers := by
  intro S _ F meets
  simp only [GivenFits, Bool.and_eq_true] at fit
  obtain ⟨inputs, size, fit⟩ := fit
  have inputs := Nat.eq_of_beq_eq_true inputs
  have size := Nat.eq_of_beq_eq_true size
  subst inputs size
  have checked : EnclosedBy p rows given e := {
    inputs := fit.1
    environment := fit.2.1
    seed := fit.2.2
    shape := shapesAgreeBy_iff.mp shapes
    value := fun id h => valuesEnclosed_iff.mp values id (Nat.zero_le _) h
    cotangent := fun id h => cotangentsEnclosed_iff.mp cotangents id (Nat.zero_le _) h }
  letI : DecidableEq S := fun _ _ => Classical.propDecidable _
  obtain ⟨V, fixed⟩ := checked.exists_values F
  obtain ⟨K, fixed'⟩ := EnclosedBy.exists_cotangents p (p.tableBy F V) given checked.shape V
  have lie : ∀ id < p.size, Lie ((EnclosedBy.runOf p given V K).values.getD id []) (e.values.getD id [])
      ∧ Lie ((EnclosedBy.runOf p given V K).cotangents.getD id []) (e.cotangents.getD id []) := by
    intro id high
    have value := checked.values_lie meets fixed id high
    have cotangent := checked.cotangents_lie meets fixed fixed' p.size id high (by omega)
    rw [← EnclosedBy.listed_range V high, Stage.listed_eq _ _ high, Stage.listed_eq _ _ high] at value
    rw [← EnclosedBy.listed_range K high, Stage.listed_eq _ _ high, Stage.listed_eq _ _ high] at cotangent
    simp only [List.getD_eq_getElem?_getD]
    exact ⟨value, cotangent⟩
  refine ⟨EnclosedBy.runOf p given V K, rfl, rfl, rfl,
    (checked.checkedBy meets fixed fixed').runsWith (p.tableBy_agrees F V), lie, fun answer mem => ?_⟩
  rw [AnswersSeen, every_eq, List.all_eq_true] at seen
  have own := seen answer mem
  rw [Bool.and_eq_true, Nat.blt_eq] at own
  exact answer.holds_of lie own.1 own.2

end Adjudge
