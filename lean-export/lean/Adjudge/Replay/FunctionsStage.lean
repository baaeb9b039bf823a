module

public import Adjudge.Replay.FunctionsFacts

/-!
# A program checked by a table, node by node

As `Adjudge.Replay.Stage`: each node that passes its checks extends the graph, its values and what is pulled
back, for all functions that agree with the table.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} [Scalar S] [DecidableEq S] {p : Program} {table : List (TableRow S)} {r : Run S}
  {F : Functions S} {x : Context S (.ofList p.inputs)} {δ : Context S (.ofList p.environment)}
  {done rest : List Instruction} {instruction : Instruction} {C : ContextType}

/-- The lawful graphs of a program, whatever the type of their context. -/
abbrev Program.LawfulGraphOver (S : Type) [Scalar S] (p : Program) (C : ContextType) :=
  Graph S (Context S (.ofList p.environment)) (.ofList p.inputs) C

/-- What holds when the first nodes of a program, `done`, are a graph and `rest` is to come. -/
structure StageBy (p : Program) (table : List (TableRow S)) (r : Run S) (x : Context S (.ofList p.inputs))
    (δ : Context S (.ofList p.environment)) (done rest : List Instruction) {C : ContextType}
    (g : p.LawfulGraphOver S C) : Prop where
  nodes : p.nodes = done ++ rest
  length : C.length = p.inputs.length + done.length
  shapes : C.shapes = p.inputs ++ done.map Instruction.shape
  values : (g.toData.eval x δ).numbers = r.values.take C.length
  gathered : ∀ cotangents : Context S C, cotangents.numbers = r.cotangents.take C.length →
    ∀ σ (place : Place C σ) (j : Fin σ.size), (place.get (g.toData.gathered x δ cotangents)).get j
      = totalUnder j.val ((List.range' p.inputs.length done.length).flatMap (p.pulledBackBy table r place.id))

/-- A node gives what the checks say of the next id. -/
structure Gives (p : Program) (table : List (TableRow S)) (r : Run S) (ctx : Context S C)
    (δ : Context S (.ofList p.environment)) {τ : Shape}
    (node : NodeData S (Context S (.ofList p.environment)) C τ) : Prop where
  forward : (node.forward ctx δ).elements = p.listed r.values C.length
  vjp : ∀ c : Tensor S τ, c.elements = p.listed r.cotangents C.length → ∀ σ (place : Place C σ) (j : Fin σ.size),
    (place.get (node.vjp ctx δ c)).get j = totalUnder j.val (p.pulledBackBy table r place.id C.length)

namespace StageBy

variable {g : p.LawfulGraphOver S C}

theorem bounds (stage : StageBy p table r x δ done (instruction :: rest) g) :
    C.length < p.size ∧ p.inputs.length ≤ C.length := by
  have := congrArg List.length stage.nodes
  rw [List.length_append, List.length_cons] at this
  rw [stage.length, Program.size]
  omega

theorem nodeOf (stage : StageBy p table r x δ done (instruction :: rest) g) : p.nodeOf C.length = instruction := by
  have bound := congrArg List.length stage.nodes
  rw [List.length_append, List.length_cons] at bound
  have index : C.length - p.inputs.length = done.length := by have := stage.length; omega
  rw [Program.nodeOf, index, entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le (by omega) (le_pow_depthOf _)), stage.nodes]
  simp

theorem shapes_eq (stage : StageBy p table r x δ done rest g) :
    p.shapes = C.shapes ++ rest.map Instruction.shape := by
  rw [Program.shapes, stage.nodes, stage.shapes, List.map_append, List.append_assoc]

theorem length_le (stage : StageBy p table r x δ done rest g) : C.length ≤ p.size := by
  have := congrArg List.length stage.nodes
  rw [List.length_append] at this
  rw [stage.length, Program.size]
  omega

theorem shapeOf (stage : StageBy p table r x δ done rest g) (id : Nat) (h : id < C.length) :
    C.shapes[id]? = some (p.shapeOf id) := by
  rw [p.shapeOf_eq id (Nat.lt_of_lt_of_le h stage.length_le), stage.shapes_eq,
    List.getElem?_append_left (by rw [C.length_shapes]; exact h)]
  rw [List.getElem?_eq_getElem (by rw [C.length_shapes]; exact h)]
  rfl

theorem shapeOf_next (stage : StageBy p table r x δ done (instruction :: rest) g) :
    p.shapeOf C.length = instruction.shape := by
  rw [p.shapeOf_eq _ stage.bounds.1, stage.shapes_eq, List.map_cons, ← C.length_shapes]
  simp

/-- Parents of one listed shape have places of that shape. -/
theorem placesOf? (stage : StageBy p table r x δ done rest g) (τ : Shape) (parents : List Nat)
    (before : ∀ parent ∈ parents, parent < C.length) (same : ∀ parent ∈ parents, p.shapeOf parent = τ) :
    ∃ operands, C.placesOf? τ parents = some operands ∧ operands.map Place.id = parents := by
  induction parents with
  | nil => exact ⟨[], rfl, rfl⟩
  | cons parent others ih =>
    obtain ⟨operands, found, ids⟩ :=
      ih (fun q mem => before q (List.mem_cons_of_mem _ mem)) (fun q mem => same q (List.mem_cons_of_mem _ mem))
    have shape := stage.shapeOf parent (before parent List.mem_cons_self)
    rw [same parent List.mem_cons_self, ← C.shapeAt?_eq, ContextType.shapeAt?] at shape
    cases here : C.place? parent with
    | none => rw [here] at shape; cases shape
    | some place =>
      obtain ⟨σ, place⟩ := place
      rw [here, Option.map_some, Option.some.injEq] at shape
      have shape : σ = τ := shape
      subst shape
      have id := C.place?_id _ _ here
      exact ⟨place :: operands, by rw [ContextType.placesOf?, here, found]; simp, by
        rw [List.map_cons, ids]; exact congrArg (· :: others) id⟩

omit [DecidableEq S] in
/-- The listed elements of operands at a position are those of their tensors. -/
theorem argumentsOf_eq {ctx : Context S C} (looks : Looks (p.listed r.values) ctx) {τ : Shape}
    (operands : List (Place C τ)) (i : Fin τ.size) :
    (operands.map Place.id).map (fun parent => element (p.listed r.values parent) i.val)
      = argumentsAt operands ctx i := by
  rw [List.map_map, argumentsAt]
  apply List.map_congr_left
  intro place _
  exact element_value looks place i

omit [DecidableEq S] in
theorem pulledCalls_eq {τ σ : Shape} (c : Tensor S τ) (slopes : Nat → List S) (own : Fin τ.size → List S)
    (same : ∀ i : Fin τ.size, slopes i.val = own i) (operands : List (Place C τ)) (k : Nat) (place : Place C σ)
    (j : Fin σ.size) :
    totalUnder j.val (pulledCalls slopes c.elements place.id (operands.map Place.id) k)
      = (place.get (pullbackFrom own c k operands)).get j := by
  induction operands generalizing k with
  | nil =>
    show (0 : S) = (place.get (Context.zeros C)).get j
    rw [place.get_zeros]
    rfl
  | cons operand others ih =>
    rw [List.map_cons, pulledCalls_cons, totalUnder_append, ih, pullbackFrom, place.get_add]
    show _ = (place.get (operand.only _)).get j + (place.get (pullbackFrom own c (k + 1) others)).get j
    congr 1
    apply totalUnder_only
    intro i
    rw [c.length_elements, totalUnder_listed, if_pos i.isLt, element_elements, same]

/-- A function's node that passes its checks gives what they say. -/
theorem function (stage : StageBy p table r x δ done (instruction :: rest) g) (agrees : F.Agrees table)
    {f : Elementary} (op : instruction.op = .elementary f) (shape : checkShapeBy p C.length = true)
    (value : checkValueBy p table r C.length = true) :
    ∃ node : Node S (Context S (.ofList p.environment)) C instruction.shape,
      instruction.node? F C = some node ∧ Gives p table r (g.toData.eval x δ) δ node.toNodeData := by
  have nodeOf := stage.nodeOf
  have looks := p.looks r.values (g.toData.eval x δ) stage.length_le stage.values

  obtain ⟨_, parents, τ⟩ := instruction
  subst op
  rw [checkShapeBy, nodeOf] at shape
  simp only [Bool.and_eq_true, every_eq, List.all_eq_true, sameShape_eq, decide_eq_true_eq] at shape
  obtain ⟨before, same, arity⟩ := shape
  obtain ⟨operands, found, ids⟩ :=
    stage.placesOf? τ parents (fun parent mem => Nat.le_of_ble_eq_true (before parent mem)) same
  have count : operands.length = f.arity := by
    rw [← Nat.eq_of_beq_eq_true arity, ← ids, List.length_map]
  have arguments (i : Fin τ.size) : p.argumentsOf r C.length i.val = argumentsAt operands (g.toData.eval x δ) i := by
    rw [Program.argumentsOf, mapped_eq, nodeOf]
    show parents.map _ = _
    rw [← ids]
    exact argumentsOf_eq looks operands i
  have outside : Nat.ble (C.length + 1) p.inputs.length = false := Stage.ble_false (by have := stage.bounds; omega)
  rw [checkValueBy, outside, cond_false, nodeOf] at value
  simp only [Bool.and_eq_true, every_eq, List.all_eq_true, numbersBetween_eq, volume_eq] at value
  obtain ⟨length, value⟩ := value
  have length : (p.listed r.values C.length).length = τ.size := Nat.eq_of_beq_eq_true length
  have rows (i : Fin τ.size) : ∃ row, rowFor f (argumentsAt operands (g.toData.eval x δ) i) table = some row
      ∧ row.value = element (p.listed r.values C.length) i.val := by
    have own := value i.val (List.mem_range'_1.mpr ⟨Nat.zero_le _, by have := i.isLt; omega⟩)
    rw [arguments] at own
    cases found : rowFor f (argumentsAt operands (g.toData.eval x δ) i) table with
    | none => rw [found] at own; cases own
    | some row =>
      rw [found, decide_eq_true_eq] at own
      exact ⟨row, rfl, own⟩
  refine ⟨F.node f parents operands, by rw [Instruction.node?, found]; simp only [count, if_true], ?_, ?_⟩
  · apply List.ext_getElem
    · rw [Tensor.length_elements, length]
    · intro i low high
      rw [Tensor.length_elements] at low
      obtain ⟨row, found, own⟩ := rows ⟨i, low⟩
      rw [← element_eq _ _ high]
      rw [element_eq _ _ high] at own
      simp only [Tensor.elements, List.getElem_ofFn]
      show F.value f (argumentsAt operands (g.toData.eval x δ) ⟨i, low⟩) = _
      rw [(agrees.value found).1, own, element_eq _ _ high]
  · intro c listed σ place j
    have calls : p.pulledBackBy table r place.id C.length
        = pulledCalls (p.slopesBy table r f C.length) c.elements place.id (operands.map Place.id) 0 := by
      rw [Program.pulledBackBy, nodeOf, listed, ids]
    rw [calls, pulledCalls_eq c _ (fun i => F.slopes f (argumentsAt operands (g.toData.eval x δ) i))]
    · rfl
    · intro i
      obtain ⟨row, found, _⟩ := rows i
      rw [Program.slopesBy, arguments, found, (agrees.value found).2]

/-- A node of a form that passes its checks gives what they say. -/
theorem formed (stage : StageBy p table r x δ done (instruction :: rest) g)
    (other : ∀ f, instruction.op ≠ .elementary f) (environment : δ.numbers = r.environment)
    (shape : checkShapeBy p C.length = true) (value : checkValueBy p table r C.length = true) :
    ∃ node : Node S (Context S (.ofList p.environment)) C instruction.shape,
      instruction.node? F C = some node ∧ Gives p table r (g.toData.eval x δ) δ node.toNodeData := by
  have nodeOf := stage.nodeOf
  have looks := p.looks r.values (g.toData.eval x δ) stage.length_le stage.values
  have bounds := stage.bounds
  have outside : Nat.ble (C.length + 1) p.inputs.length = false := Stage.ble_false (by omega)
  have plainShape : checkShape p C.length = true := by
    rw [checkShapeBy, nodeOf] at shape
    split at shape
    · next f op => exact absurd op (other f)
    · exact shape
  have plainValue : checkValue p r C.length = true := by
    rw [checkValueBy, outside, cond_false, nodeOf] at value
    split at value
    · next f op => exact absurd op (other f)
    · exact value
  have plainPulled (id : Nat) : p.pulledBackBy table r id C.length = p.pulledBack r id C.length := by
    rw [Program.pulledBackBy, nodeOf]
    split
    · next f op => exact absurd op (other f)
    · rfl
  have checked := plainShape
  rw [checkShape, nodeOf, stage.shapeOf_next, Bool.and_eq_true, every_eq, List.all_eq_true] at checked
  obtain ⟨places, found, erased⟩ := C.places?_eq p.shapeOf instruction.parents
    (fun parent mem => Nat.le_of_ble_eq_true (checked.1 parent mem)) stage.shapeOf
  have flat : p.formOf? C.length
      = (instruction.op.formAt? (E := .ofList p.environment) places).map erasedForm := by
    rw [Program.formOf?, mapped_eq, nodeOf, p.environmentShape?_eq, ← erased, Operator.flat?_eq]
  cases at? : instruction.op.formAt? (E := .ofList p.environment) places with
  | none =>
    rw [at?] at flat
    simp [flat] at checked
  | some form =>
    rw [at?] at flat
    obtain ⟨τ, form⟩ := form
    have same : τ = instruction.shape := by
      have := checked.2
      simp only [flat, Option.map_some, erasedForm, sameShape_eq, Bool.and_eq_true, decide_eq_true_eq] at this
      exact this.1
    have formed : instruction.op.form? (E := .ofList p.environment) (C := C) instruction.parents
        = some ⟨τ, form⟩ := by rw [Operator.form?, found]; exact at?
    obtain ⟨op, parents, _⟩ := instruction
    subst same
    refine ⟨form.node (reprStr op) parents, ?_, ?_, ?_⟩
    · rw [Instruction.node?, formed]
      · simp
      · exact other
    · rw [checkValue, outside, cond_false, flat] at plainValue
      obtain ⟨_, value⟩ := Bool.and_eq_true_iff.mp plainValue
      rw [agree_iff] at value
      exact (forward_erased looks (Stage.looksUp environment) form).symm.trans (by rw [← volume_eq]; exact value)
    · intro c listed σ place j
      rw [plainPulled, Program.pulledBack, flat, ← listed]
      exact (pulledBack_erased looks form c place j).symm

/-- The next node makes the next stage. -/
theorem step (checked : CheckedBy p table r) (lengths : r.values.length = p.size ∧ r.cotangents.length = p.size)
    (stage : StageBy p table r x δ done (instruction :: rest) g)
    (node : Node S (Context S (.ofList p.environment)) C instruction.shape)
    (gives : Gives p table r (g.toData.eval x δ) δ node.toNodeData) :
    StageBy p table r x δ (done ++ [instruction]) rest (g.snoc node) where
  nodes := by rw [stage.nodes]; simp
  length := by rw [ContextType.length, stage.length]; simp; omega
  shapes := by rw [ContextType.shapes, stage.shapes]; simp
  values := by
    show (g.toData.eval x δ).numbers ++ [(node.forward (g.toData.eval x δ) δ).elements]
      = r.values.take (C.length + 1)
    rw [Stage.take_next [] _ _ (by rw [lengths.1]; exact stage.bounds.1), stage.values, gives.forward,
      Stage.listed_eq _ _ stage.bounds.1]
  gathered := by
    intro cotangents listed σ place j
    cases cotangents with | snoc cotangents c =>
    have listed : cotangents.numbers ++ [c.elements] = r.cotangents.take (C.length + 1) := listed
    rw [Stage.take_next [] _ _ (by rw [lengths.2]; exact stage.bounds.1)] at listed
    obtain ⟨earlier, last⟩ := List.append_inj' listed rfl
    rw [List.length_append, List.length_singleton]
    cases place with
    | last =>
      have nothing : (List.range' p.inputs.length (done.length + 1)).flatMap (p.pulledBackBy table r C.length)
          = [] := by
        rw [List.flatMap_eq_nil_iff]
        intro reader mem
        have mem := List.mem_range'_1.mp mem
        have := stage.length
        have := stage.bounds
        have shape := checked.shape reader mem.1 (by omega)
        exact p.pulledBackBy_nil _ _ shape fun parent => by have := parents_lt_by shape parent; omega
      show (0 : S) = totalUnder j.val (List.flatMap (p.pulledBackBy table r C.length) _)
      rw [nothing]
      rfl
    | earlier place =>
      show (place.get (g.toData.gathered x δ cotangents + node.vjp (g.toData.eval x δ) δ c)).get j
        = totalUnder j.val (List.flatMap (p.pulledBackBy table r place.id) _)
      rw [place.get_add, List.range'_1_concat, List.flatMap_append, totalUnder_append,
        ← stage.gathered cotangents earlier σ place j, ← stage.length]
      show _ + (place.get (node.vjp (g.toData.eval x δ) δ c)).get j
        = _ + totalUnder j.val (p.pulledBackBy table r place.id C.length ++ [])
      rw [List.append_nil, gives.vjp c (by
        rw [List.singleton_inj.mp last, Stage.listed_eq _ _ stage.bounds.1]) σ place j]

/-- All nodes of a checked program are a graph. -/
theorem all (checked : CheckedBy p table r) (agrees : F.Agrees table)
    (lengths : r.values.length = p.size ∧ r.cotangents.length = p.size) (environment : δ.numbers = r.environment)
    (stage : StageBy p table r x δ done rest g) :
    ∃ (C : ContextType) (whole : p.LawfulGraphOver S C),
      SomeLawfulGraph.extendedWith? F ⟨_, g⟩ rest = some ⟨C, whole⟩ ∧ StageBy p table r x δ p.nodes [] whole := by
  induction rest generalizing done C with
  | nil =>
    have nodes := stage.nodes
    rw [List.append_nil] at nodes
    exact ⟨C, g, rfl, nodes ▸ stage⟩
  | cons instruction rest ih =>
    have bounds := stage.bounds
    have shape := checked.shape _ bounds.2 bounds.1
    have value := checked.value _ bounds.1
    obtain ⟨node, found, gives⟩ : ∃ node : Node S (Context S (.ofList p.environment)) C instruction.shape,
        instruction.node? F C = some node ∧ Gives p table r (g.toData.eval x δ) δ node.toNodeData := by
      by_cases call : ∃ f, instruction.op = .elementary f
      · obtain ⟨f, op⟩ := call
        exact stage.function agrees op shape value
      · exact stage.formed (fun f op => call ⟨f, op⟩) environment shape value
    obtain ⟨C', whole, extended, final⟩ := ih (stage.step checked lengths node gives)
    refine ⟨C', whole, ?_, final⟩
    rw [SomeLawfulGraph.extendedWith?, found]
    exact extended

end StageBy

end Adjudge
