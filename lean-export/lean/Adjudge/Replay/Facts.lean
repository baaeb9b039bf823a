module

public import Adjudge.Operators.Positions
public import Adjudge.Replay.Check
public import Adjudge.Replay.Numbers

/-!
# What the checks say

The look-ups of the checker in terms of lists and contexts, its claims id by id, and segments that chain.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} {C : ContextType} {σ : Shape}

/-- The shapes of the entries in the order of their ids. -/
def ContextType.shapes : ContextType → List Shape
  | nil => []
  | snoc earlier last => earlier.shapes ++ [last]

theorem ContextType.length_shapes (C : ContextType) : C.shapes.length = C.length := by
  induction C with
  | nil => rfl
  | snoc C τ ih => simp [shapes, ContextType.length, ih]

theorem ContextType.shapes_extended (C : ContextType) (list : List Shape) :
    (C.extended list).shapes = C.shapes ++ list := by
  induction list generalizing C with
  | nil => simp [extended]
  | cons shape rest ih => rw [extended, ih]; simp [shapes]

theorem ContextType.shapes_ofList (list : List Shape) : (ofList list).shapes = list := by
  rw [ofList, shapes_extended]
  rfl

theorem ContextType.length_ofList (list : List Shape) : (ofList list).length = list.length := by
  rw [← length_shapes, shapes_ofList]

theorem ContextType.shapeAt?_eq (C : ContextType) (id : Nat) : C.shapeAt? id = C.shapes[id]? := by
  induction C with
  | nil => rfl
  | snoc C τ ih =>
    rw [shapeAt?, place?, shapes]
    by_cases h : id = C.length
    · rw [if_pos h, h, ← C.length_shapes, List.getElem?_concat_length]
      rfl
    · rw [if_neg h]
      have earlier : Option.map Sigma.fst
          (match C.place? id with
          | some ⟨σ, place⟩ => some (⟨σ, place.earlier⟩ : (σ : Shape) × Place (.snoc C τ) σ)
          | none => none) = C.shapeAt? id := by
        rw [shapeAt?]
        cases C.place? id <;> rfl
      refine earlier.trans ?_
      rw [ih, List.getElem?_append]
      split
      · rfl
      · rename_i out
        rw [C.length_shapes] at out
        rw [List.getElem?_eq_none (by rw [C.length_shapes]; omega),
          List.getElem?_eq_none (by rw [C.length_shapes]; simp; omega)]

theorem Place.shapes_get (place : Place C σ) : C.shapes[place.id]? = some σ := by
  induction place with
  | last => rw [id, ContextType.shapes, ← ContextType.length_shapes, List.getElem?_concat_length]
  | earlier place ih =>
    rw [id, ContextType.shapes, List.getElem?_append_left (by rw [ContextType.length_shapes]; exact place.id_lt), ih]

/-- Parents that come before have places, with the shapes that are listed. -/
theorem ContextType.places?_eq (C : ContextType) (shapeOf : Nat → Shape) (parents : List Nat)
    (before : ∀ parent ∈ parents, parent < C.length)
    (listed : ∀ id < C.length, C.shapes[id]? = some (shapeOf id)) :
    ∃ places, C.places? parents = some places
      ∧ places.map operandAt = parents.map fun parent => (parent, shapeOf parent) := by
  induction parents with
  | nil => exact ⟨[], rfl, rfl⟩
  | cons parent rest ih =>
    obtain ⟨places, found, erased⟩ := ih fun q mem => before q (List.mem_cons_of_mem _ mem)
    have shape := listed parent (before parent List.mem_cons_self)
    rw [← C.shapeAt?_eq, shapeAt?] at shape
    cases here : C.place? parent with
    | none => rw [here] at shape; cases shape
    | some place =>
      rw [here] at shape
      refine ⟨place :: places, ?_, ?_⟩
      · rw [places?, here, found]
      · have := C.place?_id _ _ here
        injection shape with shape
        rw [List.map_cons, erased, List.map_cons, operandAt, this, shape]

/-- Lists of as many numbers as the shapes have elements are a context. -/
theorem Context.exists_numbers (C : ContextType) (numbers : List (List S))
    (h : numbers.map List.length = C.shapes.map Shape.size) : ∃ context : Context S C, context.numbers = numbers := by
  induction C generalizing numbers with
  | nil =>
    refine ⟨.nil, ?_⟩
    have : numbers = [] := by simpa [ContextType.shapes] using h
    rw [this]
    rfl
  | snoc C τ ih =>
    rw [ContextType.shapes, List.map_append, List.map_eq_append_iff] at h
    obtain ⟨first, last, rfl, before, size⟩ := h
    obtain ⟨context, numbers⟩ := ih first before
    obtain ⟨elements, rfl, fit⟩ := List.map_eq_singleton_iff.mp (size : _ = [τ.size])
    refine ⟨context.snoc ⟨fun i => elements[i.val]'(by rw [fit]; exact i.isLt)⟩, ?_⟩
    rw [Context.numbers, numbers]
    congr 2
    apply List.ext_getElem
    · simp [Tensor.elements, fit]
    · intro i _ _
      simp [Tensor.elements]

/-- A context lists for each entry as many numbers as its shape has elements. -/
theorem Context.lengths_numbers (context : Context S C) :
    context.numbers.map List.length = C.shapes.map Shape.size := by
  induction C with
  | nil => cases context; rfl
  | snoc C τ ih =>
    cases context with | snoc earlier t =>
    simp [Context.numbers, ContextType.shapes, ih, t.length_elements]

theorem fits_lengths (shapes : List Shape) (numbers : List (List S)) (h : fits shapes numbers = true) :
    numbers.map List.length = shapes.map Shape.size := by
  induction shapes generalizing numbers with
  | nil =>
    cases numbers with
    | nil => rfl
    | cons => cases h
  | cons shape rest ih =>
    cases numbers with
    | nil => cases h
    | cons first numbers =>
      have step : fits (shape :: rest) (first :: numbers)
          = bif Nat.beq first.length (volume shape) then fits rest numbers else false := boolRec_eq _ _ _
      rw [step] at h
      cases size : Nat.beq first.length (volume shape) with
      | false => simp [size] at h
      | true =>
        rw [size, cond_true] at h
        rw [List.map_cons, List.map_cons, Nat.eq_of_beq_eq_true size, volume_eq, ih _ h]

/-- Of lists of which a context is the beginning, the look-up by id is that of the context. -/
theorem Program.looks (p : Program) (numbers : List (List S)) (context : Context S C) (short : C.length ≤ p.size)
    (h : context.numbers = numbers.take C.length) : Looks (p.listed numbers) context := by
  intro σ place
  have get := context.numbers_get place
  rw [h, List.getElem?_take_of_lt place.id_lt] at get
  rw [Program.listed,
    entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le (Nat.lt_of_lt_of_le place.id_lt short) (le_pow_depthOf _)), get]
  rfl

theorem Program.shapeOf_eq (p : Program) (id : Nat) (h : id < p.size) : p.shapeOf id = p.shapes[id]?.getD [] :=
  entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le h (le_pow_depthOf _))

theorem Program.environmentShape?_eq (p : Program) :
    p.environmentShape? = (ContextType.ofList p.environment).shapeAt? := by
  funext entry
  rw [ContextType.shapeAt?_eq, ContextType.shapes_ofList, environmentShape?]
  by_cases h : entry < p.environment.length
  · rw [Nat.blt_eq.mpr h, cond_true, entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le h (le_pow_depthOf _)),
      List.getElem?_eq_getElem h]
    rfl
  · have : Nat.blt entry p.environment.length = false := by
      cases e : Nat.blt entry p.environment.length with
      | false => rfl
      | true => exact absurd (Nat.blt_eq.mp e) h
    rw [this, List.getElem?_eq_none (by omega)]
    rfl

/-- Each reader of an id is under it once. -/
theorem under_distinct (id reader : Nat) (parents : List Nat) :
    under id ((distinct parents).map fun parent => (parent, reader)) = if occurs id parents then [reader] else [] := by
  induction parents with
  | nil => rfl
  | cons parent rest ih =>
    rw [distinct, among_eq, occurs]
    by_cases again : occurs parent rest = true
    · rw [again, cond_true, ih]
      by_cases h : parent = id
      · rw [h] at again
        simp [h, again]
      · simp [h]
    · rw [Bool.not_eq_true] at again
      rw [again, cond_false, List.map_cons, under_cons, ih]
      by_cases h : parent = id
      · rw [h] at again
        simp [h, again]
      · have : Nat.beq parent id = false := by
          cases e : Nat.beq parent id with
          | false => rfl
          | true => exact absurd (Nat.eq_of_beq_eq_true e) h
        simp [h, this]

/-- What the readers under an id give is what all nodes give, if those that do not read it give nothing. -/
theorem under_edges {β : Type} (id : Nat) (parents : Nat → List Nat) (given : Nat → List β) (readers : List Nat)
    (nothing : ∀ reader ∈ readers, id ∉ parents reader → given reader = []) :
    (under id (readers.flatMap fun reader => (distinct (parents reader)).map fun parent => (parent, reader))).flatMap
        given
      = readers.flatMap given := by
  induction readers with
  | nil => rfl
  | cons reader rest ih =>
    rw [List.flatMap_cons, under_append, List.flatMap_append, List.flatMap_cons,
      ih fun q mem => nothing q (List.mem_cons_of_mem _ mem), under_distinct]
    congr 1
    by_cases h : occurs id (parents reader) = true
    · simp [h]
    · rw [if_neg h, nothing reader List.mem_cons_self (fun mem => h ((occurs_iff _ _).mpr mem))]
      rfl

/-- A node that passes its shape check gives nothing to an id that is not its parent. -/
theorem Program.pulledBack_nil [Scalar S] (p : Program) (r : Run S) (id reader : Nat)
    (checked : checkShape p reader = true) (h : id ∉ (p.nodeOf reader).parents) : p.pulledBack r id reader = [] := by
  rw [checkShape, Bool.and_eq_true] at checked
  rw [pulledBack]
  cases found : p.formOf? reader with
  | none => rfl
  | some shaped =>
    obtain ⟨τ, form⟩ := shaped
    have reads := checked.2
    simp only [found, Bool.and_eq_true, every_eq, List.all_eq_true, among_eq, occurs_iff] at reads
    have other : ∀ operand ∈ form.operands, Nat.beq operand id = false := by
      intro operand mem
      cases e : Nat.beq operand id with
      | false => rfl
      | true => rw [Nat.eq_of_beq_eq_true e] at mem; exact absurd (reads.2 id mem) h
    cases form with
    | constant | detached => rfl
    | literal => rfl
    | linear terms =>
      show joined _ terms = []
      rw [joined_eq, List.flatMap_eq_nil_iff]
      intro term mem
      rw [other term.operand (List.mem_map_of_mem mem)]
      rfl
    | pointwise function terms =>
      show FlatTerm.pulledWeighted _ _ _ _ = []
      have others : ∀ term ∈ terms, Nat.beq term.operand id = false := fun term mem =>
        other term.operand (List.mem_map_of_mem mem)
      generalize (fun k i => _ : Nat → Nat → S) = slope
      clear other reads found
      induction terms generalizing slope with
      | nil => rfl
      | cons term rest ih =>
        show appended (bif Nat.beq term.operand id then _ else _) _ = []
        rw [others term (.head _), cond_false]
        exact ih (fun term mem => others term (.tail _ mem)) _
    | bilinear left right _ | quotient left right =>
      show appended _ _ = []
      rw [appended_eq, other left (by simp [FlatForm.operands]), other right (by simp [FlatForm.operands])]
      rfl

variable [Scalar S] [DecidableEq S] {p : Program} {r : Run S} {first middle last : Nat}

theorem shapesAgree_iff : ShapesAgree p first last ↔ ∀ id, first ≤ id → id < last → checkShape p id = true := by
  rw [ShapesAgree, every_eq, numbersBetween_eq, List.all_eq_true]
  simp only [List.mem_range'_1]
  exact ⟨fun h id low high => h id ⟨low, by omega⟩, fun h id mem => h id mem.1 (by omega)⟩

theorem valuesAgree_iff : ValuesAgree p r first last ↔ ∀ id, first ≤ id → id < last → checkValue p r id = true := by
  rw [ValuesAgree, every_eq, numbersBetween_eq, List.all_eq_true]
  simp only [List.mem_range'_1]
  exact ⟨fun h id low high => h id ⟨low, by omega⟩, fun h id mem => h id mem.1 (by omega)⟩

theorem checkCotangent_looks : LooksUnder (checkCotangent p r) := by
  intro id edges edges' h
  rw [checkCotangent, checkCotangent, h]

theorem cotangentsAgree_iff :
    CotangentsAgree p r first last ↔ ∀ id, first ≤ id → id < last → checkCotangent p r id p.edges = true := by
  rw [CotangentsAgree, every_eq, distributed_eq checkCotangent_looks, List.all_eq_true]
  simp only [List.mem_map, List.mem_range'_1]
  exact ⟨fun h id low high => h _ ⟨id, ⟨low, by omega⟩, rfl⟩,
    fun h checked mem => by obtain ⟨id, mem, rfl⟩ := mem; exact h id mem.1 (by omega)⟩

omit [Scalar S] [DecidableEq S] in
/-- Two segments of shapes that meet are one. -/
theorem ShapesAgree.trans (low : ShapesAgree p first middle) (high : ShapesAgree p middle last) :
    ShapesAgree p first last := by
  rw [shapesAgree_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Two segments of values that meet are one. -/
theorem ValuesAgree.trans (low : ValuesAgree p r first middle) (high : ValuesAgree p r middle last) :
    ValuesAgree p r first last := by
  rw [valuesAgree_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

/-- Two segments of cotangents that meet are one. -/
theorem CotangentsAgree.trans (low : CotangentsAgree p r first middle) (high : CotangentsAgree p r middle last) :
    CotangentsAgree p r first last := by
  rw [cotangentsAgree_iff] at *
  exact fun id h h' => if m : id < middle then low id h m else high id (by omega) h'

end Adjudge
