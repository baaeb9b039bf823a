module

public import Adjudge.State.Stands

/-!
# Reading and writing are recorded as they are executed
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type} {holds : List S → Bool} {literal : Nat → S}

variable {x values : List (List S)}

/-- What a part of a run that gives a value leaves. -/
def Keeps (x values : List (List S)) (r : World (recorder (S := S)))
    (out : Option (Recorded × World (recorder (S := S)))) (w : World (machine holds)) (v : List S) : Prop :=
  ∃ q r' values', out = some (q, r') ∧ Stands x w r' values' ∧ values <+: values' ∧ Holds values' v q ∧
    r'.state.decisions = r.state.decisions

/-- A step of the domains is one of worlds. -/
theorem Stands.step {w : World (machine holds)} {r : World (recorder (S := S))} (stands : Stands x w r values)
    {out : Option (Recorded × Recording S)} {v : List S} (gives : Gives x values r.state out v) :
    Keeps x values r (out.map fun (q, g) => (q, r.withState g)) w v := by
  obtain ⟨q, g, values', made, valid, grown, hold, same⟩ := gives
  exact ⟨q, r.withState g, values', by simp [made], stands.withState valid grown w.state, grown, hold, same⟩

/-- What is read under a name is recorded, and decides nothing. -/
theorem valueOf_keeps {w w' : World (machine holds)} {r : World (recorder (S := S))} (stands : Stands x w r values)
    {name : Nat} {v : List S} (h : (execution holds literal).valueOf name w = some (v, w')) :
    w'.state = w.state ∧ Keeps x values r ((recording literal).valueOf name r) w' v := by
  have names := stands.names name
  simp only [Setting.valueOf] at h ⊢
  generalize w.names name = bound at names h
  generalize r.names name = recorded at names
  cases names with
  | none => contradiction
  | some denotes =>
    cases denotes with
    | value hold =>
      cases h
      exact ⟨rfl, _, r, values, rfl, stands, List.prefix_refl _, hold, rfl⟩
    | counter turn =>
      simp only [Option.map_eq_some_iff] at h
      obtain ⟨⟨_, taken⟩, made, same⟩ := h
      cases same
      obtain ⟨same, gives⟩ := apply_gives (rs := []) (vs := []) stands.valid ⟨rfl, rfl⟩ made
      cases same
      exact ⟨rfl, stands.step gives⟩
    | reference location positions =>
      simp only [Option.bind_eq_some_iff, Option.map_eq_some_iff] at h
      obtain ⟨contents, stored, ⟨_, taken⟩, made, same⟩ := h
      cases same
      have store := stands.store location
      rw [stored] at store
      dsimp only
      generalize r.store location = kept at store ⊢
      cases store with
      | some hold =>
        obtain ⟨same, gives⟩ := read_gives stands.valid hold made
        cases same
        exact ⟨rfl, stands.step gives⟩

/-- So are values under names. -/
theorem valuesOf_keeps {names : List Nat} {w w' : World (machine holds)} {r : World (recorder (S := S))}
    (stands : Stands x w r values) {vs : List (List S)}
    (h : (execution holds literal).valuesOf names w = some (vs, w')) :
    w'.state = w.state ∧ ∃ qs r' values', (recording literal).valuesOf names r = some (qs, r') ∧
      Stands x w' r' values' ∧ values <+: values' ∧ HoldAll values' qs vs ∧
      r'.state.decisions = r.state.decisions := by
  induction names generalizing w r values vs with
  | nil =>
    cases h
    exact ⟨rfl, [], r, values, rfl, stands, List.prefix_refl _, ⟨rfl, rfl⟩, rfl⟩
  | cons name rest ih =>
    simp only [Setting.valuesOf, Option.bind_eq_some_iff, Option.map_eq_some_iff] at h
    obtain ⟨⟨v, w₁⟩, first, ⟨us, w₂⟩, others, made⟩ := h
    cases made
    obtain ⟨same, q, r₁, values₁, found, stands₁, grown, hold, kept⟩ := valueOf_keeps stands first
    obtain ⟨same', qs, r₂, values₂, found', stands₂, grown', hold', kept'⟩ := ih stands₁ others
    refine ⟨same'.trans same, q :: qs, r₂, values₂, ?_, stands₂, grown.trans grown', ?_, kept'.trans kept⟩
    · simp [Setting.valuesOf, found, found']
    · have here := hold.grow grown'
      exact ⟨by simp [here.1, hold'.1], by simp [here.2, hold'.2]⟩

/-- A write is recorded, and decides nothing. -/
theorem writeTo_keeps {w w' : World (machine holds)} {r : World (recorder (S := S))} (stands : Stands x w r values)
    {target : Nat} {v : List S} {q : Recorded} (hold : Holds values v q)
    (h : (execution holds literal).writeTo target v w = some w') :
    w'.state = w.state ∧ ∃ r' values', (recording literal).writeTo target q r = some r' ∧
      Stands x w' r' values' ∧ r'.state.decisions = r.state.decisions := by
  have names := stands.names target
  simp only [Setting.writeTo] at h ⊢
  generalize w.names target = bound at names h
  generalize r.names target = recorded at names
  cases names with
  | none => contradiction
  | some denotes =>
    cases denotes with
    | value => contradiction
    | counter => contradiction
    | reference location positions =>
      dsimp only at h ⊢
      split at h
      · rename_i different
        rw [if_pos different]
        simp only [Option.bind_eq_some_iff, Option.map_eq_some_iff] at h
        obtain ⟨contents, stored, ⟨_, taken⟩, made, same⟩ := h
        cases same
        have store := stands.store location
        rw [stored] at store
        generalize r.store location = kept at store ⊢
        cases store with
        | some old =>
          obtain ⟨same, c, g, values', written, valid, grown, hold', kept⟩ :=
            write_gives stands.valid old hold made
          cases same
          refine ⟨rfl, { r with store := r.store.put location c, state := g }, values', ?_, ?_, kept⟩
          · simp only [recording, Option.bind_some, written, Option.map_some]
          · have after := stands.withState valid grown w.state
            exact { after with store := Both.put after.store hold' location }
      · contradiction

end Adjudge.State
