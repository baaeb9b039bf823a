module

public import Adjudge.State.Machine
public import Adjudge.State.Recorder

/-!
# A recording stands where an execution does

The graph so far has the execution's value under each name and in each location; steps keep it so.
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type} {holds : List S → Bool} {literal : Nat → S}

/-- Among these values, an id has this one, of the size it is known to have. -/
def Holds (values : List (List S)) (v : List S) (r : Recorded) : Prop :=
  values[r.id]? = some v ∧ v.length = r.size

/-- What two tables have under a number: nothing, or what belongs together. -/
inductive Both {α β : Type} (P : α → β → Prop) : Option α → Option β → Prop where
  | none : Both P none none
  | some {a : α} {b : β} : P a b → Both P (some a) (some b)

/-- What a name stands for in the recording, and in the execution. -/
inductive Denotes (values : List (List S)) : Bound (List S) → Bound Recorded → Prop where
  | value {v : List S} {r : Recorded} : Holds values v r → Denotes values (.value v) (.value r)
  | reference (location : Nat) (positions : List Nat) :
    Denotes values (.reference location positions) (.reference location positions)
  | counter (turn : Nat) : Denotes values (.counter turn) (.counter turn)

/-- The graph so far has these values at the inputs `x`. -/
structure Valid (x : List (List S)) (g : Recording S) (values : List (List S)) : Prop where
  evaluated : evaluate g.nodes x = some values
  counted : values.length = g.next

/-- The recording stands where the execution does: under each name and in each location, the same. -/
structure Stands (x : List (List S)) (w : World (machine holds)) (r : World (recorder (S := S)))
    (values : List (List S)) : Prop where
  valid : Valid x r.state values
  names : ∀ name, Both (Denotes values) (w.names name) (r.names name)
  store : ∀ location, Both (Holds values) (w.store location) (r.store location)
  next : w.next = r.next

variable {x values values' : List (List S)}

/-- What an id has stays when values are appended. -/
theorem Holds.grow {r : Recorded} {v : List S} (h : Holds values v r) (grown : values <+: values') :
    Holds values' v r := ⟨getElem?_of_prefix grown h.1, h.2⟩

/-- Tables that belong together do so in a weaker way too. -/
theorem Both.grow {α β : Type} {P Q : α → β → Prop} {a : Option α} {b : Option β} (h : Both P a b)
    (weaker : ∀ a b, P a b → Q a b) : Both Q a b := by
  cases h with
  | none => exact .none
  | some p => exact .some (weaker _ _ p)

/-- What a name stands for stays when values are appended. -/
theorem Denotes.grow {b : Bound (List S)} {r : Bound Recorded} (h : Denotes values b r)
    (grown : values <+: values') : Denotes values' b r := by
  cases h with
  | value p => exact .value (p.grow grown)
  | reference l ps => exact .reference l ps
  | counter t => exact .counter t

/-- In two tables that belong together, something else that does under one number. -/
theorem Both.put {α β : Type} {P : α → β → Prop} {s : Table α} {t : Table β} {a : α} {b : β}
    (all : ∀ key, Both P (s key) (t key)) (new : P a b) (key other : Nat) :
    Both P (s.put key a other) (t.put key b other) := by
  unfold Table.put
  split
  · exact .some new
  · exact all other

/-- What a step of the recorder gives, and where it leaves the graph. -/
def Gives (x values : List (List S)) (g : Recording S) (out : Option (Recorded × Recording S)) (v : List S) : Prop :=
  ∃ r g' values', out = some (r, g') ∧ Valid x g' values' ∧ values <+: values' ∧ Holds values' v r ∧
    g'.decisions = g.decisions

/-- A node that has a value may be appended. -/
theorem Valid.push {g : Recording S} (valid : Valid x g values) {node : Node S} {v : List S}
    (h : node.value values = some v) :
    Gives x values g (some (g.push v.length node)) v := by
  refine ⟨_, _, values ++ [v], rfl, ⟨?_, ?_⟩, List.prefix_append .., ⟨?_, rfl⟩, rfl⟩
  · simp [evaluate_snoc, valid.evaluated, h]
  · simp [valid.counted]
  · simp [← valid.counted]

/-- Among these values, ids have these ones. -/
def HoldAll (values : List (List S)) (rs : List Recorded) (vs : List (List S)) : Prop :=
  rs.map (fun r => values[r.id]?) = vs.map some ∧ vs.map List.length = rs.map Recorded.size

/-- An operator is recorded as it is applied. -/
theorem apply_gives {g : Recording S} (valid : Valid x g values) {operator : Operator S} {rs : List Recorded}
    {vs : List (List S)} (hold : HoldAll values rs vs) {taken taken' : List Bool} {v : List S}
    (h : (machine holds).apply operator vs taken = some (v, taken')) :
    taken' = taken ∧ Gives x values g (recorder.apply operator rs g) v := by
  simp only [machine, Option.map_eq_some_iff] at h
  obtain ⟨n, sized, made⟩ := h
  cases made
  refine ⟨rfl, ?_⟩
  have length := operator.sized vs n sized
  have found : collect (values[·]?) (rs.map Recorded.id) = some vs := by
    rw [collect_eq_some, List.map_map]
    exact hold.1
  have := valid.push (node := .apply operator (rs.map Recorded.id)) (v := operator.apply vs)
    (by simp [Node.value, found, sized])
  rw [length] at this
  simpa only [recorder, ← hold.2, sized, Option.map_some] using this

/-- What is seen of a location is recorded as it is read. -/
theorem read_gives {g : Recording S} (valid : Valid x g values) {r : Recorded} {contents : List S}
    (hold : Holds values contents r) {positions : List Nat} {taken taken' : List Bool} {v : List S}
    (h : (machine holds).read contents positions taken = some (v, taken')) :
    taken' = taken ∧ Gives x values g (recorder.read r positions g) v := by
  simp only [machine, Option.map_eq_some_iff] at h
  obtain ⟨_, collected, made⟩ := h
  cases made
  refine ⟨rfl, ?_⟩
  simp only [recorder]
  split
  · rename_i whole
    rw [whole, ← hold.2, collect_range] at collected
    cases collected
    exact ⟨r, g, values, rfl, valid, List.prefix_refl _, hold, rfl⟩
  · have := valid.push (node := .take positions r.id) (v := v) (by simp [Node.value, hold.1, collected])
    rwa [length_of_collect collected] at this

/-- What overwrites a location is recorded as it is written. -/
theorem write_gives {g : Recording S} (valid : Valid x g values) {r q : Recorded} {contents value : List S}
    (hold : Holds values contents r) (given : Holds values value q) {positions : List Nat} {taken taken' : List Bool}
    {v : List S} (h : (machine holds).write contents positions value taken = some (v, taken')) :
    taken' = taken ∧ Gives x values g (recorder.write r positions q g) v := by
  simp only [machine, Option.map_eq_some_iff] at h
  obtain ⟨_, over, made⟩ := h
  cases made
  refine ⟨rfl, ?_⟩
  obtain ⟨found, sourced, selected⟩ := collect_sources over
  simp only [recorder]
  split
  · rename_i whole
    have read := collect_overwrite (by rw [whole.1]; exact List.nodup_range) over
    rw [whole.1, ← hold.2, ← length_overwrite over, collect_range] at read
    cases read
    exact ⟨q, g, values, rfl, valid, List.prefix_refl _, given, rfl⟩
  · rw [← hold.2, ← given.2, sourced]
    have both := valid.push (node := .concat r.id q.id) (v := contents ++ value)
      (by simp [Node.value, hold.1, given.1])
    obtain ⟨b, g', values', made, valid', grown, hold', same⟩ := both
    rw [List.length_append] at made
    have last := valid'.push (node := .take found b.id) (v := v) (by simp [Node.value, hold'.1, selected])
    rw [length_overwrite over] at last
    obtain ⟨c, g'', values'', made', valid'', grown', hold'', same'⟩ := last
    refine ⟨c, g'', values'', ?_, valid'', grown.trans grown', hold'', same'.trans same⟩
    rw [Option.map_some]
    cases made
    exact made'

/-- Where an execution and a recording stand, they stand with more written down. -/
theorem Stands.withState {w : World (machine holds)} {r : World (recorder (S := S))} (stands : Stands x w r values)
    {g : Recording S} (valid : Valid x g values') (grown : values <+: values') (taken : List Bool) :
    Stands x (w.withState taken) (r.withState g) values' where
  valid := valid
  names name := (stands.names name).grow fun _ _ h => h.grow grown
  store location := (stands.store location).grow fun _ _ h => h.grow grown
  next := stands.next

/-- A name may stand for something else in both. -/
theorem Stands.named {w : World (machine holds)} {r : World (recorder (S := S))} (stands : Stands x w r values)
    {b : Bound (List S)} {c : Bound Recorded} (h : Denotes values b c) (name : Nat) :
    Stands x (w.named name b) (r.named name c) values :=
  { stands with names := Both.put stands.names h name }

/-- A new location may be made in both. -/
theorem Stands.located {w : World (machine holds)} {r : World (recorder (S := S))} (stands : Stands x w r values)
    {v : List S} {q : Recorded} (h : Holds values v q) (name : Nat) :
    Stands x ((execution holds literal).located name v w) ((recording literal).located name q r) values := by
  refine ⟨stands.valid, ?_, ?_, ?_⟩
  · simp only [Setting.located, recording, execution, machine, recorder, stands.next, h.2]
    exact Both.put stands.names (.reference _ _) name
  · simp only [Setting.located, stands.next]
    exact Both.put stands.store h r.next
  · simp only [Setting.located, stands.next]

end Adjudge.State
