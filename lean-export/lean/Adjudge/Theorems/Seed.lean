module

public import Adjudge.Theorems.Compile

/-!
# Inputs alone, and one seed alone

`backpropCtx` of `reference/definition.ts`, and `backwardDenseAll` of `reference/tape.ts` on a compiled tape.
-/

@[expose] public noncomputable section

namespace Adjudge

variable {S Δ : Type} {Γ C : ContextType} {τ : Shape}

namespace GraphData

/-- The entries of the inputs, of a context of the whole graph. -/
def inputs {C : ContextType} : GraphData S Δ Γ C → Context S C → Context S Γ
  | nil, context => context
  | snoc g _, context => g.inputs context.init

/-- The entries of the inputs are the first `Γ.length` ones. -/
theorem toList_inputs (g : GraphData S Δ Γ C) (context : Context S C) :
    (g.inputs context).toList = context.toList.take Γ.length := by
  induction g with
  | nil => simp [inputs, List.take_of_length_le]
  | snoc g node ih =>
    have := g.length_context
    simp [inputs, ih, context.toList_unsnoc, List.take_append_of_le_length, this]

/-- `backpropCtx` is the part of `backpropAllCtx` that belongs to the inputs. -/
theorem backpropCtx_eq_inputs [Add S] (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ) (seed : Context S C) :
    g.backpropCtx x δ seed = g.inputs (g.backpropAllCtx x δ seed) := by
  induction g with
  | nil => rfl
  | snoc g node ih => simp [backpropCtx, backpropAllCtx, inputs, Context.init, ih]

end GraphData

/-- `backpropCtx` of a `Graph` is the part of its `backpropAllCtx` that belongs to the inputs. -/
theorem Graph.backpropCtx_eq_inputs [Zero S] [Add S] [Mul S] (g : Graph S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (seed : Context S C) : g.backpropCtx x δ seed = g.toData.inputs (g.backpropAllCtx x δ seed) :=
  g.toData.backpropCtx_eq_inputs x δ seed

section OneSeed

/-- A tape that accepts the type of a context has at each place a node of that shape. -/
theorem Tape.Accepts.shape_of_place {tape : Tape S} (accepts : tape.Accepts C) (place : Place C τ)
    {node : TapeNode S} (at_id : tape[place.id]? = some node) : τ = node.value.shape := by
  induction place with
  | last =>
    obtain ⟨_, _, at_last, _, shape⟩ := accepts
    exact shape.symm.trans (by simp_all [Place.id])
  | earlier place ih => exact ih accepts.1 at_id

variable [Zero S]

/-- Seeding an id beyond a context leaves zeros there. -/
theorem mapIdx_toList_zeros (context : Context S C) (seed : AnyTensor S) {outId : Nat}
    (beyond : C.length ≤ outId) :
    context.toList.mapIdx (fun id value => if id = outId then seed else ⟨Tensor.zeros value.shape⟩)
      = (Context.zeros C).toList := by
  induction context with
  | nil => rfl
  | snoc earlier t ih =>
    simp only [ContextType.length] at beyond
    simp only [Context.toList, Context.zeros, List.mapIdx_append, ih (by omega)]
    simp
    omega

/-- Seeding the id of a place leaves zeros everywhere else. -/
theorem mapIdx_toList_only (context : Context S C) (place : Place C τ) (t : Tensor S τ) :
    context.toList.mapIdx (fun id value => if id = place.id then ⟨t⟩ else ⟨Tensor.zeros value.shape⟩)
      = (place.only t).toList := by
  induction place with
  | last =>
    cases context
    simp [Context.toList, Place.only, Place.id, List.mapIdx_append, mapIdx_toList_zeros]
  | earlier place ih =>
    cases context
    have := place.id_lt
    simp [Context.toList, Place.only, Place.id, List.mapIdx_append, ih]
    omega

/-- The seed of `backwardDenseAll` is the context that is zero but at one place. -/
theorem seedAt_eq_only {tape : Tape S} (context : Context S C)
    (values : tape.map TapeNode.value = context.toList) (place : Place C τ) (t : Tensor S τ) :
    seedAt tape place.id ⟨t⟩ = (place.only t).toList := by
  simp [← mapIdx_toList_only context place t, ← values, seedAt, List.mapIdx_eq_zipIdx_map, Function.comp_def,
    List.zipIdx_map]

variable [Add S]

/--
`backwardDenseAll` from one id of a tape that realises a graph is `backpropAllCtx` of a seed that is zero
elsewhere.
-/
theorem Tape.Realises.backwardDenseAll_eq_backpropAllCtx {tape : Tape S} {g : GraphData S Δ Γ C}
    {x : Context S Γ} {δ : Δ} (h : tape.Realises g x δ) (place : Place C τ) (t : Tensor S τ) :
    backwardDenseAll tape place.id ⟨t⟩ = .ok (g.backpropAllCtx x δ (place.only t)).toList := by
  rw [← h.backwardDenseFrom_eq_backpropAllCtx, ← seedAt_eq_only _ h.values, backwardDenseAll,
    if_pos (by simpa [h.length] using place.id_lt)]

/-- `backwardDenseAll` from one id of a compiled tape is `backpropAllCtx` of a seed that is zero elsewhere. -/
theorem GraphData.backwardDenseAll_compile_eq_backpropAllCtx (g : GraphData S Δ Γ C) (x : Context S Γ) (δ : Δ)
    (place : Place C τ) (t : Tensor S τ) :
    backwardDenseAll (compile g x δ).tape place.id ⟨t⟩ = .ok (g.backpropAllCtx x δ (place.only t)).toList :=
  (realises_compile g x δ).backwardDenseAll_eq_backpropAllCtx place t

end OneSeed

end Adjudge
