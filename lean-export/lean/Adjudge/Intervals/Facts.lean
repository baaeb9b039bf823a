module

public import Adjudge.Intervals.Fixed

/-!
# What the checks of enclosures say

Look-ups and rows in terms of what they find, and a run with any functions as one by a table of all its calls.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind Interval OrderedScalar

theorem mem_under {α : Type} {key : Nat} {entry : α} {pairs : List (Nat × α)} (mem : entry ∈ under key pairs) :
    (key, entry) ∈ pairs := by
  induction pairs with
  | nil => cases mem
  | cons pair rest ih =>
    rw [under_cons] at mem
    cases same : Nat.beq pair.1 key with
    | false => rw [same, cond_false] at mem; exact .tail _ (ih mem)
    | true =>
      rw [same, cond_true, List.mem_cons] at mem
      rcases mem with rfl | mem
      · rw [← Nat.eq_of_beq_eq_true same]
        exact .head _
      · exact .tail _ (ih mem)

theorem mem_distinct {entry : Nat} {entries : List Nat} (mem : entry ∈ distinct entries) : entry ∈ entries := by
  induction entries with
  | nil => cases mem
  | cons first rest ih =>
    rw [distinct] at mem
    cases again : among first rest with
    | true => rw [again, cond_true] at mem; exact .tail _ (ih mem)
    | false =>
      rw [again, cond_false, List.mem_cons] at mem
      rcases mem with rfl | mem
      · exact .head _
      · exact .tail _ (ih mem)

/-- The readers of an id are nodes that have it for a parent. -/
theorem Program.reader_of (p : Program) {id reader : Nat} (mem : reader ∈ under id p.edges) :
    p.inputs.length ≤ reader ∧ reader < p.size ∧ id ∈ (p.nodeOf reader).parents := by
  have mem := mem_under mem
  simp only [Program.edges, joined_eq, mapped_eq, numbersBetween_eq, List.mem_flatMap, List.mem_map,
    List.mem_range'_1, Prod.mk.injEq] at mem
  obtain ⟨reader', bounds, parent, own, rfl, rfl⟩ := mem
  exact ⟨bounds.1, by omega, mem_distinct own⟩

theorem Program.shapeOf_node (p : Program) (id : Nat) (low : p.inputs.length ≤ id) (high : id < p.size) :
    p.shapeOf id = (p.nodeOf id).shape := by
  have bound : id - p.inputs.length < p.nodes.length := by rw [Program.size] at high; omega
  rw [p.shapeOf_eq id high, Program.shapes, List.getElem?_append_right low, Program.nodeOf,
    entryWithin_eq _ _ _ _ (Nat.lt_of_lt_of_le bound (le_pow_depthOf _)), List.getElem?_map,
    List.getElem?_eq_getElem bound]
  rfl

variable {S : Type}

theorem fits_map {α β : Type} (f : α → β) (shapes : List Shape) (numbers : List (List α)) :
    fits shapes (numbers.map fun row => row.map f) = fits shapes numbers := by
  induction shapes generalizing numbers with
  | nil => cases numbers <;> rfl
  | cons shape rest ih =>
    cases numbers with
    | nil => rfl
    | cons first numbers =>
      have step {γ : Type} (one : List γ) (more : List (List γ)) : fits (shape :: rest) (one :: more)
          = bif Nat.beq one.length (volume shape) then fits rest more else false := boolRec_eq _ _ _
      rw [List.map_cons, step, step, ih, List.length_map]

section

variable [Scalar S]

/-- What a later node adds depends on its own cotangent alone. -/
theorem Program.pulledBackBy_congr [DecidableEq S] (p : Program) (table : List (TableRow S)) {r r' : Run S} (id reader : Nat)
    (values : r.values = r'.values) (same : p.listed r.cotangents reader = p.listed r'.cotangents reader) :
    p.pulledBackBy table r id reader = p.pulledBackBy table r' id reader := by
  have slopes (f : Elementary) : p.slopesBy table r f reader = p.slopesBy table r' f reader := by
    funext i
    simp only [Program.slopesBy, Program.argumentsOf, values]
  unfold Program.pulledBackBy Program.pulledBack
  simp only [slopes, same, values]

omit [Scalar S] in
theorem rowFor_of_mem [DecidableEq S] {table : List (TableRow S)} {row : TableRow S} (mem : row ∈ table) :
    ∃ first, rowFor row.f row.arguments table = some first := by
  induction table with
  | nil => cases mem
  | cons first rest ih =>
    rw [rowFor_cons]
    cases here : decide (first.f = row.f) && agree first.arguments row.arguments with
    | true => exact ⟨first, rfl⟩
    | false =>
      rw [cond_false]
      rcases List.mem_cons.mp mem with rfl | mem
      · rw [(agree_iff row.arguments row.arguments).mpr rfl] at here
        simp at here
      · exact ih mem

/-- The value of an id by those of earlier ones. -/
def Program.valueBy (p : Program) (F : Functions S) (inputs environment : List (List S)) (value : Nat → List S)
    (id : Nat) : List S :=
  bif Nat.ble (id + 1) p.inputs.length then entryWithin [] (depthOf p.inputs.length) inputs id
  else
    match (p.nodeOf id).op with
    | .elementary f =>
      (numbersBetween 0 (volume (p.nodeOf id).shape)).map fun i =>
        F.value f ((p.nodeOf id).parents.map fun parent => element (value parent) i)
    | _ =>
      match p.formOf? id with
      | some (τ, form) =>
        form.forward (entryWithin [] (depthOf p.environment.length) environment) value (volume τ)
      | none => []

/-- A table with all calls of a run. -/
def Program.tableBy (p : Program) (F : Functions S) (value : Nat → List S) : List (TableRow S) :=
  (List.range p.size).flatMap fun id =>
    match (p.nodeOf id).op with
    | .elementary f =>
      (numbersBetween 0 (volume (p.nodeOf id).shape)).map fun i =>
        let arguments := (p.nodeOf id).parents.map fun parent => element (value parent) i
        ⟨f, arguments, F.value f arguments, F.slopes f arguments⟩
    | _ => []

theorem Program.tableBy_agrees (p : Program) (F : Functions S) (value : Nat → List S) :
    F.Agrees (p.tableBy F value) := by
  intro row mem
  simp only [Program.tableBy, List.mem_flatMap] at mem
  obtain ⟨id, -, mem⟩ := mem
  split at mem
  · obtain ⟨i, -, rfl⟩ := List.mem_map.mp mem
    exact ⟨rfl, rfl⟩
  · cases mem

theorem Program.tableBy_has [DecidableEq S] (p : Program) (F : Functions S) (value : Nat → List S) {id i : Nat}
    {f : Elementary} (op : (p.nodeOf id).op = .elementary f) (small : id < p.size)
    (inside : i < volume (p.nodeOf id).shape) :
    ∃ row, rowFor f ((p.nodeOf id).parents.map fun parent => element (value parent) i) (p.tableBy F value) = some row
      ∧ row.value = F.value f ((p.nodeOf id).parents.map fun parent => element (value parent) i)
      ∧ row.slopes = F.slopes f ((p.nodeOf id).parents.map fun parent => element (value parent) i) := by
  have mem : (⟨f, (p.nodeOf id).parents.map fun parent => element (value parent) i,
      F.value f ((p.nodeOf id).parents.map fun parent => element (value parent) i),
      F.slopes f ((p.nodeOf id).parents.map fun parent => element (value parent) i)⟩ : TableRow S)
      ∈ p.tableBy F value := by
    simp only [Program.tableBy, List.mem_flatMap]
    refine ⟨id, List.mem_range.mpr small, ?_⟩
    rw [op]
    exact List.mem_map.mpr ⟨i, by rw [numbersBetween_eq]; simpa using inside, rfl⟩
  obtain ⟨row, found⟩ := rowFor_of_mem mem
  have agrees := (p.tableBy_agrees F value).value found
  exact ⟨row, found, agrees.1.symm, agrees.2.symm⟩

end

variable [OrderedScalar S]

theorem covered_iff {computed listed : List Interval} (h : covered computed listed = true) :
    Related (fun x y => isWithin x y = true) computed listed := by
  induction computed generalizing listed with
  | nil => cases listed with
    | nil => trivial
    | cons => cases h
  | cons x xs ih => cases listed with
    | nil => cases h
    | cons y ys =>
      have step : covered (x :: xs) (y :: ys) = bif x.isWithin y then covered xs ys else false := boolRec_eq _ _ _
      rw [step] at h
      cases own : x.isWithin y with
      | false => rw [own] at h; cases h
      | true => rw [own, cond_true] at h; exact ⟨own, ih h⟩

theorem Lie.covered {xs : List S} {computed listed : List Interval} (h : Lie xs computed)
    (cover : Adjudge.covered computed listed = true) : Lie xs listed := by
  replace cover := covered_iff cover
  induction xs generalizing computed listed with
  | nil => cases computed with
    | nil => cases listed with
      | nil => trivial
      | cons => cases cover
    | cons => cases h
  | cons x xs ih => cases computed with
    | nil => cases h
    | cons y ys => cases listed with
      | nil => cases cover
      | cons z zs => exact ⟨h.1.within cover.1, ih h.2 cover.2⟩

theorem lie_exactly (numbers : List Rat) : Lie (numbers.map (ofRat : Rat → S)) (mapped .exactly numbers) := by
  rw [mapped_eq]
  exact Related.map _ fun x _ => holds_exactly x

theorem lifted_entry (rows : List (List Rat)) (depth index : Nat) :
    entryWithin [] depth (lifted S rows) index = (entryWithin [] depth rows index).map ofRat := by
  have related : Related (fun (xs : List S) (ys : List Rat) => xs = ys.map ofRat) (lifted S rows) (rows.map id) :=
    Related.map rows fun _ _ => rfl
  rw [List.map_id] at related
  exact related.entry (show ([] : List S) = [].map ofRat from rfl) _ _

/-- A row that is found is one of the rows, for the function and arguments. -/
theorem functionRow_mem {f : Elementary} {arguments : List Interval} {rows : List FunctionRow} {row : FunctionRow}
    (found : functionRowFor f arguments rows = some row) :
    row ∈ rows ∧ row.f = f ∧ covered arguments row.arguments = true := by
  induction rows with
  | nil => cases found
  | cons first rest ih =>
    have step : functionRowFor f arguments (first :: rest)
        = bif decide (first.f = f) && covered arguments first.arguments then some first
          else functionRowFor f arguments rest := boolRec_eq _ _ _
    rw [step] at found
    cases here : decide (first.f = f) && covered arguments first.arguments with
    | true =>
      rw [here, cond_true, Option.some.injEq] at found
      rw [Bool.and_eq_true, decide_eq_true_eq] at here
      exact found ▸ ⟨List.mem_cons_self, here⟩
    | false =>
      rw [here, cond_false] at found
      exact ⟨List.mem_cons_of_mem _ (ih found).1, (ih found).2⟩

/-- Functions that meet the rows have value and slopes in those of a row that is found. -/
theorem Functions.Meets.found {F : Functions S} {rows : List FunctionRow} (meets : F.Meets rows) {f : Elementary}
    {known : List Interval} {row : FunctionRow} (found : functionRowFor f known rows = some row) {arguments : List S}
    (lie : Lie arguments known) : row.value.Holds (F.value f arguments) ∧ Lie (F.slopes f arguments) row.slopes := by
  obtain ⟨mem, rfl, cover⟩ := functionRow_mem found
  exact meets row mem arguments (lie.covered cover)

/-- What is divided by is not zero where this is surely so. -/
theorem FlatForm.divides_of_surely [DecidableEq S] {value : Nat → List S} {known : Nat → List Interval} (size : Nat)
    (form : FlatForm) (h : ∀ id ∈ form.reads, Lie (value id) (known id)) (sure : form.dividesSurely known = true) :
    form.divides value size = true := by
  cases form with
  | constant | literal | linear | detached | bilinear => rfl
  | quotient left right =>
    have lie := h right (.tail _ (.head _))
    simp only [dividesSurely, divides, every_eq, List.all_eq_true, decide_eq_true_eq] at *
    intro divisor mem
    obtain ⟨i, bound, at?⟩ := List.mem_iff_getElem.mp mem
    have bound' : i < (known right).length := by rw [← lie.length]; exact bound
    have holds := lie.get? i (List.getElem?_eq_getElem bound) (List.getElem?_eq_getElem bound')
    rw [← at?]
    exact mul_inv _ (holds.nonzero (sure _ (List.getElem_mem bound')))
  | pointwise function terms =>
    simp only [dividesSurely, Bool.not_eq_true'] at sure
    simp only [divides, sure, cond_false]

end Adjudge
