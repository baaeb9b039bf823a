module

/-!
# Tables and lists that a run looks things up in
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {α β : Type}

/-- What stands under a number. -/
abbrev Table (α : Type) := Nat → Option α

/-- The table with something else under one number. -/
def Table.put (table : Table α) (key : Nat) (entry : α) : Table α := fun other =>
  if other = key then some entry else table other

/-- What a partial function gives at all of a list; `none` where it gives nothing at one. -/
def collect (f : α → Option β) : List α → Option (List β)
  | [] => some []
  | x :: rest => (f x).bind fun y => (collect f rest).map (y :: ·)

/-- Collected is `out` where each entry is. -/
theorem collect_eq_some {f : α → Option β} {list : List α} {out : List β} :
    collect f list = some out ↔ list.map f = out.map some := by
  induction list generalizing out with
  | nil => cases out <;> simp [collect]
  | cons x rest ih =>
    simp only [collect, List.map_cons]
    cases hx : f x with
    | none => cases out <;> simp
    | some y =>
      cases out with
      | nil => cases collect f rest <;> simp
      | cons z zs =>
        have := @ih zs
        cases hrest : collect f rest <;> simp_all

/-- As many as there were. -/
theorem length_of_collect {f : α → Option β} {list : List α} {out : List β} (h : collect f list = some out) :
    out.length = list.length := by
  have := congrArg List.length (collect_eq_some.mp h)
  simpa using this.symm

/-- All of a list, one after the other, is the list. -/
theorem collect_range (row : List α) : collect (row[·]?) (List.range row.length) = some row := by
  rw [collect_eq_some]
  apply List.ext_getElem?
  intro i
  by_cases h : i < row.length <;> simp [h]

/-- The list with values at positions, written in turn; `none` if their counts differ or one is beyond it. -/
def overwrite (contents : List α) : List Nat → List α → Option (List α)
  | [], [] => some contents
  | p :: ps, v :: vs => if p < contents.length then overwrite (contents.set p v) ps vs else none
  | _, _ => none

/-- Overwriting keeps the size. -/
theorem length_overwrite {contents : List α} {positions : List Nat} {values out : List α}
    (h : overwrite contents positions values = some out) : out.length = contents.length := by
  induction positions generalizing contents values with
  | nil => cases values <;> simp_all [overwrite]
  | cons p ps ih =>
    cases values with
    | nil => simp [overwrite] at h
    | cons v vs =>
      simp only [overwrite] at h
      split at h
      · simpa using ih h
      · contradiction

/-- There are as many values as positions. -/
theorem length_overwritten {contents : List α} {positions : List Nat} {values out : List α}
    (h : overwrite contents positions values = some out) : values.length = positions.length := by
  induction positions generalizing contents values with
  | nil => cases values <;> simp_all [overwrite]
  | cons p ps ih =>
    cases values with
    | nil => simp [overwrite] at h
    | cons v vs =>
      simp only [overwrite] at h
      split at h
      · simpa using ih h
      · contradiction

/-- What is overwritten does not know what the elements are: a function of each may come before or after. -/
theorem overwrite_map (f : α → β) (contents : List α) (positions : List Nat) (values : List α) :
    overwrite (contents.map f) positions (values.map f) = (overwrite contents positions values).map (·.map f) := by
  induction positions generalizing contents values with
  | nil => cases values <;> simp [overwrite]
  | cons p ps ih =>
    cases values with
    | nil => simp [overwrite]
    | cons v vs =>
      simp only [overwrite, List.map_cons, List.length_map, ← List.map_set]
      split
      · exact ih ..
      · rfl

/-- Where the contents find their elements after a write, in the row of old contents and new values. -/
def sources (size : Nat) (positions : List Nat) (count : Nat) : Option (List Nat) :=
  overwrite (List.range size) positions (List.range' size count)

/-- **A write is a selection.** It leaves the row of old contents and new values, taken at the sources. -/
theorem collect_sources {contents values out : List α} {positions : List Nat}
    (h : overwrite contents positions values = some out) :
    ∃ from_, sources contents.length positions values.length = some from_ ∧
      collect ((contents ++ values)[·]?) from_ = some out := by
  let f := fun p : Nat => (contents ++ values)[p]?
  have old : (List.range contents.length).map f = contents.map some := by
    apply List.ext_getElem?
    intro i
    by_cases hi : i < contents.length <;> simp [f, hi, List.getElem?_append_left]
  have new : (List.range' contents.length values.length).map f = values.map some := by
    apply List.ext_getElem?
    intro i
    by_cases hi : i < values.length <;> simp [f, hi]
  have both := overwrite_map f (List.range contents.length) positions (List.range' contents.length values.length)
  rw [old, new, overwrite_map, h] at both
  cases found : overwrite (List.range contents.length) positions (List.range' contents.length values.length) with
  | none => simp [found] at both
  | some from_ =>
    simp only [found, Option.map_some, Option.some.injEq] at both
    exact ⟨from_, found, collect_eq_some.mpr both.symm⟩

/-- Through positions that are all different, what was written is read. -/
theorem collect_overwrite {contents values out : List α} {positions : List Nat} (nodup : positions.Nodup)
    (h : overwrite contents positions values = some out) : collect (out[·]?) positions = some values := by
  rw [collect_eq_some]
  have keeps : ∀ {positions : List Nat} {contents values : List α}, overwrite contents positions values = some out →
      ∀ p, p ∉ positions → out[p]? = contents[p]? := by
    intro positions
    induction positions with
    | nil => intro contents values h p _; cases values <;> simp_all [overwrite]
    | cons q qs ih =>
      intro contents values h p hp
      cases values with
      | nil => simp [overwrite] at h
      | cons v vs =>
        simp only [overwrite] at h
        split at h
        · simp only [List.mem_cons, not_or] at hp
          rw [ih h p hp.2, List.getElem?_set_ne (Ne.symm hp.1)]
        · contradiction
  induction positions generalizing contents values with
  | nil => cases values <;> simp_all [overwrite]
  | cons p ps ih =>
    cases values with
    | nil => simp [overwrite] at h
    | cons v vs =>
      simp only [overwrite] at h
      simp only [List.nodup_cons] at nodup
      split at h
      · rename_i inside
        simp only [List.map_cons, ih nodup.2 h, List.cons.injEq, and_true]
        rw [keeps h p nodup.1, List.getElem?_set_self inside]
      · contradiction

/-- A prefix of a list has what stands there. -/
theorem getElem?_of_prefix {short long : List α} (h : short <+: long) {i : Nat} {a : α} (found : short[i]? = some a) :
    long[i]? = some a := by
  obtain ⟨rest, rfl⟩ := h
  have inside : i < short.length := by
    rcases Nat.lt_or_ge i short.length with h | h
    · exact h
    · simp [List.getElem?_eq_none h] at found
  rw [List.getElem?_append_left inside, found]

end Adjudge.State
