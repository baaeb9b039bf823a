module

public import Adjudge.Replay.Facts

/-!
# A checked program, node by node

From the inputs on, each node that passes its checks extends the graph, its values and what is pulled back.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} [Scalar S]

/-- The graphs of a program, whatever the type of their context. -/
abbrev Program.GraphOver (S : Type) (p : Program) (C : ContextType) :=
  GraphData S (Context S (.ofList p.environment)) (.ofList p.inputs) C

/-- What holds when the first nodes of a program, `done`, are a graph and `rest` is to come. -/
structure Stage (p : Program) (r : Run S) (x : Context S (.ofList p.inputs)) (δ : Context S (.ofList p.environment))
    (done rest : List Instruction) {C : ContextType} (g : p.GraphOver S C) : Prop where
  nodes : p.nodes = done ++ rest
  length : C.length = p.inputs.length + done.length
  shapes : C.shapes = p.inputs ++ done.map Instruction.shape
  values : (g.eval x δ).numbers = r.values.take C.length
  /-- What the graph pulls back from the listed cotangents is what the checker adds up. -/
  gathered : ∀ cotangents : Context S C, cotangents.numbers = r.cotangents.take C.length →
    ∀ σ (place : Place C σ) (j : Fin σ.size), (place.get (g.gathered x δ cotangents)).get j
      = totalUnder j.val ((List.range' p.inputs.length done.length).flatMap (p.pulledBack r place.id))

/-- The data and the checks of a whole run. -/
structure Checked [DecidableEq S] (p : Program) (r : Run S) : Prop where
  data : checkData p r = true
  shape : ∀ id, p.inputs.length ≤ id → id < p.size → checkShape p id = true
  value : ∀ id < p.size, checkValue p r id = true
  cotangent : ∀ id < p.size, checkCotangent p r id p.edges = true

namespace Stage

variable {p : Program} {r : Run S} {x : Context S (.ofList p.inputs)} {δ : Context S (.ofList p.environment)}
  {done rest : List Instruction} {node : Instruction} {C : ContextType} {g : p.GraphOver S C}

theorem length_le (stage : Stage p r x δ done rest g) : C.length ≤ p.size := by
  have := congrArg List.length stage.nodes
  rw [List.length_append] at this
  rw [stage.length, Program.size]
  omega

theorem length_lt (stage : Stage p r x δ done (node :: rest) g) : C.length < p.size := by
  have := congrArg List.length stage.nodes
  rw [List.length_append, List.length_cons] at this
  rw [stage.length, Program.size]
  omega

theorem nodeOf (stage : Stage p r x δ done (node :: rest) g) : p.nodeOf C.length = node := by
  have bound := congrArg List.length stage.nodes
  rw [List.length_append, List.length_cons] at bound
  have index : C.length - p.inputs.length = done.length := by have := stage.length; omega
  rw [Program.nodeOf, index, entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le (by omega) (le_pow_depthOf _)), stage.nodes]
  simp

theorem shapes_eq (stage : Stage p r x δ done rest g) : p.shapes = C.shapes ++ rest.map Instruction.shape := by
  rw [Program.shapes, stage.nodes, stage.shapes, List.map_append, List.append_assoc]

theorem shapeOf (stage : Stage p r x δ done rest g) (id : Nat) (h : id < C.length) :
    C.shapes[id]? = some (p.shapeOf id) := by
  rw [p.shapeOf_eq id (Nat.lt_of_lt_of_le h stage.length_le), stage.shapes_eq,
    List.getElem?_append_left (by rw [C.length_shapes]; exact h)]
  rw [List.getElem?_eq_getElem (by rw [C.length_shapes]; exact h)]
  rfl

theorem shapeOf_next (stage : Stage p r x δ done (node :: rest) g) : p.shapeOf C.length = node.shape := by
  rw [p.shapeOf_eq _ stage.length_lt, stage.shapes_eq, List.map_cons, ← C.length_shapes]
  simp

/-- The next node has a form, of the declared shape. -/
theorem form (stage : Stage p r x δ done (node :: rest) g) (checked : checkShape p C.length = true) :
    ∃ form : Form (.ofList p.environment) C node.shape,
      node.op.form? node.parents = some ⟨node.shape, form⟩
        ∧ p.formOf? C.length = some (node.shape, form.erased) := by
  rw [checkShape, stage.nodeOf, stage.shapeOf_next, Bool.and_eq_true, every_eq, List.all_eq_true] at checked
  obtain ⟨places, found, erased⟩ := C.places?_eq p.shapeOf node.parents
    (fun parent mem => Nat.le_of_ble_eq_true (checked.1 parent mem)) stage.shapeOf
  have flat : p.formOf? C.length = (node.op.formAt? (E := .ofList p.environment) places).map erasedForm := by
    rw [Program.formOf?, mapped_eq, stage.nodeOf, p.environmentShape?_eq, ← erased, Operator.flat?_eq]
  cases at? : node.op.formAt? (E := .ofList p.environment) places with
  | none =>
    rw [at?] at flat
    simp [flat] at checked
  | some form =>
    rw [at?] at flat
    obtain ⟨τ, form⟩ := form
    have shape : τ = node.shape := by
      have := checked.2
      simp only [flat, Option.map_some, erasedForm, sameShape_eq, Bool.and_eq_true, decide_eq_true_eq] at this
      exact this.1
    subst shape
    exact ⟨form, by rw [Operator.form?, found]; exact at?, flat⟩

theorem take_next {α : Type} (default : α) (list : List α) (n : Nat) (h : n < list.length) :
    list.take (n + 1) = list.take n ++ [list[n]?.getD default] := by
  induction list generalizing n with
  | nil => cases h
  | cons entry rest ih =>
    cases n with
    | zero => rfl
    | succ n => simpa using ih n (by simpa using h)

omit [Scalar S] in
theorem listed_eq (numbers : List (List S)) (id : Nat) (h : id < p.size) :
    p.listed numbers id = numbers[id]?.getD [] :=
  entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le h (le_pow_depthOf _))

theorem parents_lt {id parent : Nat} (checked : checkShape p id = true) (mem : parent ∈ (p.nodeOf id).parents) :
    parent < id := by
  rw [checkShape, Bool.and_eq_true, every_eq, List.all_eq_true] at checked
  exact Nat.le_of_ble_eq_true (checked.1 parent mem)

omit [Scalar S] in
theorem looksUp (environment : δ.numbers = r.environment) :
    Looks (entryWithin [] (depthOf p.environment.length) r.environment) δ := by
  intro σ place
  have get := place.id_lt
  rw [ContextType.length_ofList] at get
  rw [entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le get (le_pow_depthOf _)), ← environment, δ.numbers_get place]
  rfl

variable [DecidableEq S]

theorem ble_false {n m : Nat} (h : m < n) : Nat.ble n m = false := by
  cases e : Nat.ble n m with
  | false => rfl
  | true => have := Nat.le_of_ble_eq_true e; omega

/-- The inputs alone are the first stage. -/
theorem start (checked : Checked p r) (lengths : r.values.length = p.size) (inputs : x.numbers = r.inputs) :
    Stage p r x δ [] p.nodes GraphData.nil where
  nodes := rfl
  length := ContextType.length_ofList _
  shapes := by rw [ContextType.shapes_ofList]; simp
  values := by
    show x.numbers = _
    have length : r.inputs.length = p.inputs.length := by
      rw [← inputs, x.length_numbers, ContextType.length_ofList]
    rw [inputs, ContextType.length_ofList]
    apply List.ext_getElem
    · rw [List.length_take, lengths, length, Program.size]
      omega
    · intro id low high
      have bound : id < p.size := by rw [Program.size]; omega
      have value := checked.value id bound
      rw [checkValue, Nat.ble_eq_true_of_le (show id + 1 ≤ p.inputs.length by omega), cond_true, agree_iff,
        listed_eq _ _ bound,
        entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le (show id < p.inputs.length by omega) (le_pow_depthOf _)),
        List.getElem?_eq_getElem low, List.getElem?_eq_getElem (by omega)] at value
      rw [List.getElem_take]
      exact value
  gathered := by
    intro cotangents _ σ place j
    show (place.get (Context.zeros _)).get j = (0 : S)
    rw [place.get_zeros]
    rfl

/-- The next node makes the next stage. -/
theorem step (checked : Checked p r) (lengths : r.values.length = p.size ∧ r.cotangents.length = p.size)
    (environment : δ.numbers = r.environment) (stage : Stage p r x δ done (node :: rest) g)
    (form : Form (.ofList p.environment) C node.shape) (formOf : p.formOf? C.length = some (node.shape, form.erased)) :
    Stage p r x δ (done ++ [node]) rest (g.snoc (form.nodeData (reprStr node.op) node.parents)) where
  nodes := by rw [stage.nodes]; simp
  length := by rw [ContextType.length, stage.length]; simp; omega
  shapes := by rw [ContextType.shapes, stage.shapes]; simp
  values := by
    have looks := p.looks r.values (g.eval x δ) stage.length_le stage.values
    have value := checked.value C.length stage.length_lt
    rw [checkValue, ble_false (by have := stage.length; omega), cond_false, formOf] at value
    obtain ⟨_, value⟩ := Bool.and_eq_true_iff.mp value
    rw [agree_iff, volume_eq, forward_erased looks (looksUp environment), listed_eq _ _ stage.length_lt] at value
    show (g.eval x δ).numbers ++ [(form.forward (g.eval x δ) δ).elements] = r.values.take (C.length + 1)
    rw [take_next [] _ _ (by rw [lengths.1]; exact stage.length_lt), stage.values, value]
  gathered := by
    intro cotangents listed σ place j
    cases cotangents with | snoc cotangents c =>
    have listed : cotangents.numbers ++ [c.elements] = r.cotangents.take (C.length + 1) := listed
    rw [take_next [] _ _ (by rw [lengths.2]; exact stage.length_lt)] at listed
    obtain ⟨earlier, last⟩ := List.append_inj' listed rfl
    rw [List.length_append, List.length_singleton]
    cases place with
    | last =>
      -- no node up to this one reads it
      have nothing : (List.range' p.inputs.length (done.length + 1)).flatMap (p.pulledBack r C.length) = [] := by
        rw [List.flatMap_eq_nil_iff]
        intro reader mem
        have mem := List.mem_range'_1.mp mem
        have := stage.length
        have := stage.length_lt
        have shape := checked.shape reader mem.1 (by omega)
        exact p.pulledBack_nil r _ _ shape fun parent => by have := parents_lt shape parent; omega
      show (0 : S) = totalUnder j.val (List.flatMap (p.pulledBack r C.length) _)
      rw [nothing]
      rfl
    | earlier place =>
      have looks := p.looks r.values (g.eval x δ) stage.length_le stage.values
      show (place.get (g.gathered x δ cotangents + form.vjp (g.eval x δ) c)).get j
        = totalUnder j.val (List.flatMap (p.pulledBack r place.id) _)
      rw [place.get_add, List.range'_1_concat, List.flatMap_append, totalUnder_append,
        ← stage.gathered cotangents earlier σ place j, ← stage.length]
      show _ + (place.get (form.vjp (g.eval x δ) c)).get j
        = _ + totalUnder j.val (p.pulledBack r place.id C.length ++ [])
      rw [List.append_nil, Program.pulledBack, formOf, listed_eq _ _ stage.length_lt, ← List.singleton_inj.mp last,
        ← pulledBack_erased looks form c place j]

/-- All nodes of a checked program are a graph. -/
theorem all (checked : Checked p r) (lengths : r.values.length = p.size ∧ r.cotangents.length = p.size)
    (environment : δ.numbers = r.environment) (stage : Stage p r x δ done rest g) :
    ∃ (C : ContextType) (whole : p.GraphOver S C),
      SomeGraph.extended? S ⟨_, g⟩ rest = some ⟨C, whole⟩ ∧ Stage p r x δ p.nodes [] whole := by
  induction rest generalizing done C with
  | nil =>
    have nodes := stage.nodes
    rw [List.append_nil] at nodes
    exact ⟨C, g, rfl, nodes ▸ stage⟩
  | cons node rest ih =>
    obtain ⟨form, found, formOf⟩ :=
      stage.form (checked.shape _ (by have := stage.length; omega) stage.length_lt)
    obtain ⟨C', whole, extended, final⟩ := ih (stage.step checked lengths environment form formOf)
    refine ⟨C', whole, ?_, final⟩
    obtain ⟨op, parents, shape⟩ := node
    rw [SomeGraph.extended?, found]
    simp only [if_true]
    exact extended

end Stage

end Adjudge
