module

public import Adjudge.State.Steps
public import Adjudge.State.Taken

/-!
# Law F: execution is evaluation of the recorded graph [SEMANTICS §10.4]

For every program, operator, condition and contents: where a run ends, the recorder, told only its decisions,
writes a graph whose evaluation has what the run leaves. No law of the scalars is used.
-/

@[expose] public noncomputable section

namespace Adjudge.State

variable {S : Type} {holds : List S → Bool} {literal : Nat → S}

variable {x : List (List S)}

/-- The decisions that a recording is still to take. -/
def World.toCome (r : World (recorder (S := S))) : List Bool := r.state.decisions

/-- A part of a run that is recorded along the decisions that it takes. -/
def Follows (x : List (List S)) (part : World (machine holds) → Option (World (machine holds)))
    (record : World (recorder (S := S)) → Option (World (recorder (S := S)))) : Prop :=
  ∀ w w', part w = some w' → ∃ taken : List Bool, w'.taken = w.taken ++ taken ∧
    ∀ r values rest, Stands x w r values → r.toCome = taken ++ rest →
      ∃ r' values', record r = some r' ∧ Stands x w' r' values' ∧ r'.toCome = rest

/-- One part after the other. -/
theorem Follows.then {part part' : World (machine holds) → Option (World (machine holds))}
    {record record' : World (recorder (S := S)) → Option (World (recorder (S := S)))}
    (first : Follows x part record) (second : Follows x part' record') :
    Follows x (fun w => (part w).bind part') (fun r => (record r).bind record') := by
  intro w w'' h
  simp only [Option.bind_eq_some_iff] at h
  obtain ⟨w', h, h'⟩ := h
  obtain ⟨taken, state, along⟩ := first w w' h
  obtain ⟨taken', state', along'⟩ := second w' w'' h'
  refine ⟨taken ++ taken', by rw [state', state, List.append_assoc], fun r values rest stands decisions => ?_⟩
  obtain ⟨r', values', made, stands', rest'⟩ := along r values (taken' ++ rest) stands (by rw [decisions, List.append_assoc])
  obtain ⟨r'', values'', made', stands'', rest''⟩ := along' r' values' rest stands' rest'
  exact ⟨r'', values'', by simp [made, made'], stands'', rest''⟩

/-- A part that decides nothing. -/
theorem Follows.quiet {part : World (machine holds) → Option (World (machine holds))}
    {record : World (recorder (S := S)) → Option (World (recorder (S := S)))}
    (h : ∀ w w' r values, part w = some w' → Stands x w r values → ∃ r' values', record r = some r' ∧
      Stands x w' r' values' ∧ r'.state.decisions = r.state.decisions)
    (same : ∀ w w', part w = some w' → w'.state = w.state) : Follows x part record := by
  intro w w' run
  refine ⟨[], (same w w' run).trans (List.append_nil _).symm, fun r values rest stands decisions => ?_⟩
  obtain ⟨r', values', made, stands', kept⟩ := h w w' r values run stands
  exact ⟨r', values', made, stands', kept.trans decisions⟩

/-- Looking at a condition is one decision. -/
theorem decides_follows {condition : Nat} {w w' : World (machine holds)} {b : Bool}
    (h : (execution holds literal).decides condition w = some (b, w')) :
    w'.taken = w.taken ++ [b] ∧ ∀ r values rest, Stands x w r values → r.toCome = b :: rest →
      ∃ r' values', (recording literal).decides condition r = some (b, r') ∧ Stands x w' r' values' ∧
        r'.toCome = rest := by
  simp only [Setting.decides, Option.bind_eq_some_iff, Option.map_eq_some_iff] at h
  obtain ⟨⟨v, w₁⟩, read, ⟨c, taken⟩, decided, made⟩ := h
  cases made
  cases decided
  refine ⟨?_, fun r values rest stands decisions => ?_⟩
  · have same := Setting.valueOf_taken read
    exact congrArg (· ++ [holds v]) same
  · obtain ⟨_, q, r₁, values₁, found, stands₁, _, _, kept⟩ := valueOf_keeps stands read
    have first : r₁.state.decisions = holds v :: rest := kept.trans decisions
    let g : Recording S := { r₁.state with decisions := rest }
    refine ⟨r₁.withState g, values₁, ?_, ?_, rfl⟩
    · rw [Setting.decides, found, Option.bind_some]
      show (match r₁.state.decisions with
        | decision :: rest => some (decision, ({ r₁.state with decisions := rest } : Recording S))
        | [] => none).map (fun (c, s) => (c, r₁.withState s)) = some (holds v, r₁.withState g)
      rw [first]
      rfl
    · exact stands₁.withState (g := g) ⟨stands₁.valid.evaluated, stands₁.valid.counted⟩ (List.prefix_refl _) _

/-- Turns of a loop follow if each does. -/
theorem turns_follows {part : Nat → World (machine holds) → Option (World (machine holds))}
    {record : Nat → World (recorder (S := S)) → Option (World (recorder (S := S)))}
    (each : ∀ turn, Follows x (part turn) (record turn)) (times : Nat) :
    Follows x (Setting.turns part times) (Setting.turns record times) := by
  induction times with
  | zero =>
    exact .quiet (fun w w' r values h stands => by cases h; exact ⟨r, values, rfl, stands, rfl⟩)
      (fun w w' h => by cases h; rfl)
  | succ times ih => exact ih.then (each times)

/-- So do turns as long as a condition holds. -/
theorem turnsWhile_follows {condition : Nat} {part : World (machine holds) → Option (World (machine holds))}
    {record : World (recorder (S := S)) → Option (World (recorder (S := S)))} (each : Follows x part record)
    (fuel : Nat) :
    Follows x (Setting.turnsWhile ((execution holds literal).decides condition) part fuel)
      (Setting.turnsWhile ((recording literal).decides condition) record fuel) := by
  induction fuel with
  | zero =>
    intro w w' h
    simp only [Setting.turnsWhile, Option.bind_eq_some_iff] at h
    obtain ⟨⟨b, w₁⟩, decided, left⟩ := h
    cases b with
    | true => contradiction
    | false =>
      cases left
      obtain ⟨state, along⟩ := decides_follows (x := x) decided
      refine ⟨[false], state, fun r values rest stands decisions => ?_⟩
      obtain ⟨r', values', made, stands', kept⟩ := along r values rest stands decisions
      exact ⟨r', values', by simp [Setting.turnsWhile, made], stands', kept⟩
  | succ fuel ih =>
    intro w w' h
    simp only [Setting.turnsWhile, Option.bind_eq_some_iff] at h
    obtain ⟨⟨b, w₁⟩, decided, left⟩ := h
    obtain ⟨state, along⟩ := decides_follows (x := x) decided
    cases b with
    | false =>
      cases left
      refine ⟨[false], state, fun r values rest stands decisions => ?_⟩
      obtain ⟨r', values', made, stands', kept⟩ := along r values rest stands decisions
      exact ⟨r', values', by simp [Setting.turnsWhile, made], stands', kept⟩
    | true =>
      obtain ⟨taken, state', along'⟩ := (each.then ih) w₁ w' left
      refine ⟨true :: taken, by rw [state', state, List.append_assoc]; rfl, fun r values rest stands decisions => ?_⟩
      obtain ⟨r₁, values₁, made, stands₁, kept⟩ := along r values (taken ++ rest) stands decisions
      obtain ⟨r', values', made', stands', kept'⟩ := along' r₁ values₁ rest stands₁ kept
      exact ⟨r', values', by simpa [Setting.turnsWhile, made] using made', stands', kept'⟩

/-- **Law F**, for a statement anywhere in a run. -/
theorem run_follows (x : List (List S)) (statement : Statement S) :
    Follows x ((execution holds literal).run statement) ((recording literal).run statement) := by
  induction statement with

  | done =>
    exact .quiet (fun w w' r values h stands => by cases h; exact ⟨r, values, rfl, stands, rfl⟩)
      fun _ _ => Statement.taken_of_isUnconditional rfl
  | seq first second ih ih' => exact ih.then ih'
  | bind name operator operands =>
    refine .quiet (fun w w' r values h stands => ?_) fun _ _ => Statement.taken_of_isUnconditional rfl
    simp only [Setting.run, Option.bind_eq_some_iff, Option.map_eq_some_iff] at h
    obtain ⟨⟨vs, w₁⟩, read, ⟨v, taken⟩, applied, made⟩ := h
    cases made
    obtain ⟨_, qs, r₁, values₁, found, stands₁, _, hold, kept⟩ := valuesOf_keeps stands read
    obtain ⟨same, q, g, values₂, recorded, valid, grown, new, kept'⟩ := apply_gives stands₁.valid hold applied
    cases same
    refine ⟨(r₁.withState g).named name (.value q), values₂, ?_,
      (stands₁.withState valid grown _).named (.value new) name, kept'.trans kept⟩
    simp only [Setting.run, found, Option.bind_some]
    show (recorder.apply operator qs r₁.state).map _ = _
    rw [recorded]
    rfl
  | rebind name to =>
    refine .quiet (fun w w' r values h stands => ?_) fun _ _ => Statement.taken_of_isUnconditional rfl
    simp only [Setting.run, Option.map_eq_some_iff] at h
    obtain ⟨bound, found, made⟩ := h
    cases made
    have names := stands.names to
    rw [found] at names
    generalize h : r.names to = recorded at names
    cases names with
    | some denotes => exact ⟨_, values, by simp [Setting.run, h], stands.named denotes name, rfl⟩
  | buffer name source =>
    refine .quiet (fun w w' r values h stands => ?_) fun _ _ => Statement.taken_of_isUnconditional rfl
    simp only [Setting.run, Option.map_eq_some_iff] at h
    obtain ⟨⟨v, w₁⟩, read, made⟩ := h
    cases made
    obtain ⟨_, q, r₁, values₁, found, stands₁, _, hold, kept⟩ := valueOf_keeps stands read
    exact ⟨_, values₁, by simp [Setting.run, found], stands₁.located hold name, kept⟩
  | view name source how =>
    refine .quiet (fun w w' r values h stands => ?_) fun _ _ => Statement.taken_of_isUnconditional rfl
    have counters : w.counters = r.counters := by
      funext other
      have names := stands.names other
      simp only [World.counters]
      generalize w.names other = bound at names
      generalize r.names other = recorded at names
      cases names with
      | none => rfl
      | some denotes => cases denotes <;> rfl
    have names := stands.names source
    simp only [Setting.run] at h ⊢
    generalize w.names source = bound at names h
    generalize r.names source = recorded at names
    cases names with
    | none => contradiction
    | some denotes =>
      cases denotes with
      | value => contradiction
      | counter => contradiction
      | reference location positions =>
        simp only [Option.map_eq_some_iff] at h
        obtain ⟨seen, collected, made⟩ := h
        cases made
        exact ⟨_, values, by simp [← counters, collected], stands.named (.reference location seen) name, rfl⟩
  | write target source =>
    refine .quiet (fun w w' r values h stands => ?_) fun _ _ => Statement.taken_of_isUnconditional rfl
    simp only [Setting.run, Option.bind_eq_some_iff] at h
    obtain ⟨⟨v, w₁⟩, read, written⟩ := h
    obtain ⟨_, q, r₁, values₁, found, stands₁, _, hold, kept⟩ := valueOf_keeps stands read
    obtain ⟨_, r₂, values₂, recorded, stands₂, kept'⟩ := writeTo_keeps stands₁ hold written
    exact ⟨r₂, values₂, by simp [Setting.run, found, recorded], stands₂, kept'.trans kept⟩
  | update target operator source =>
    refine .quiet (fun w w' r values h stands => ?_) fun _ _ => Statement.taken_of_isUnconditional rfl
    simp only [Setting.run, Option.bind_eq_some_iff] at h
    obtain ⟨⟨vs, w₁⟩, read, ⟨v, taken⟩, applied, written⟩ := h
    obtain ⟨_, qs, r₁, values₁, found, stands₁, _, hold, kept⟩ := valuesOf_keeps stands read
    obtain ⟨same, q, g, values₂, recorded, valid, grown, new, kept'⟩ := apply_gives stands₁.valid hold applied
    cases same
    obtain ⟨_, r₂, values₃, wrote, stands₂, kept''⟩ :=
      writeTo_keeps (stands₁.withState valid grown _) new written
    refine ⟨r₂, values₃, ?_, stands₂, (kept''.trans kept').trans kept⟩
    simp only [Setting.run, found, Option.bind_some]
    show (recorder.apply operator qs r₁.state).bind _ = _
    rw [recorded]
    exact wrote
  | branch condition body otherwise ih ih' =>
    intro w w' h
    simp only [Setting.run, Option.bind_eq_some_iff] at h
    obtain ⟨⟨b, w₁⟩, decided, left⟩ := h
    obtain ⟨state, along⟩ := decides_follows (x := x) decided
    have chosen : ∃ taken : List Bool, w'.taken = w₁.taken ++ taken ∧ ∀ r values rest, Stands x w₁ r values →
        r.toCome = taken ++ rest → ∃ r' values',
          (if b then (recording literal).run body r else (recording literal).run otherwise r) = some r' ∧
            Stands x w' r' values' ∧ r'.toCome = rest := by
      cases b with
      | true => exact ih w₁ w' left
      | false => exact ih' w₁ w' left
    obtain ⟨taken, state', along'⟩ := chosen
    refine ⟨b :: taken, by rw [state', state, List.append_assoc]; rfl, fun r values rest stands decisions => ?_⟩
    obtain ⟨r₁, values₁, made, stands₁, kept⟩ := along r values (taken ++ rest) stands decisions
    obtain ⟨r', values', made', stands', kept'⟩ := along' r₁ values₁ rest stands₁ kept
    exact ⟨r', values', by simpa [Setting.run, made] using made', stands', kept'⟩
  | loop counter times body ih =>
    refine turns_follows (fun turn => ?_) times
    intro w w' h
    obtain ⟨taken, state, along⟩ := ih _ w' h
    refine ⟨taken, state, fun r values rest stands decisions => ?_⟩
    exact along _ values rest (stands.named (.counter turn) counter) decisions
  | «while» condition fuel body ih => exact turnsWhile_follows ih fuel

/-- Where a run begins: first names are parameters, the others references to persistent locations. -/
def entered {D : Domain S} (parameters state : List D.Value) (s : D.State) : World D where
  names name :=
    if name < parameters.length then parameters[name]?.map .value
    else state[name - parameters.length]?.map fun contents =>
      .reference (name - parameters.length) (List.range (D.size contents))
  store location := state[location]?
  next := state.length
  state := s

/-- Inputs of these sizes, the first with this id. -/
def inputsFrom (first : Nat) (sizes : List Nat) : List Recorded :=
  (sizes.zipIdx first).map fun (size, id) => ⟨id, size⟩

/-- Where a recording begins, with decisions to come: nothing is known but sizes. -/
def recordingOf (parameters state : List Nat) (decisions : List Bool) : World (recorder (S := S)) :=
  entered (inputsFrom 0 parameters) (inputsFrom parameters.length state)
    ⟨parameters.length + state.length, [], decisions⟩

/-- Inputs are what they are. -/
theorem inputs_hold {all before tensors : List (List S)} (h : before ++ tensors <+: all) (i : Nat) :
    Both (Holds all) tensors[i]? (inputsFrom before.length (tensors.map List.length))[i]? := by
  simp only [inputsFrom, List.getElem?_map, List.getElem?_zipIdx]
  cases found : tensors[i]? with
  | none => exact .none
  | some tensor =>
    refine .some ⟨?_, rfl⟩
    exact getElem?_of_prefix h (by simp [found, List.getElem?_append_right])

/-- A recording and an execution begin at the same. -/
theorem stands_at_start (parameters state : List (List S)) (decisions : List Bool) :
    Stands (holds := holds) (parameters ++ state) (entered parameters state [])
      (recordingOf (parameters.map List.length) (state.map List.length) decisions) (parameters ++ state) where
  valid := ⟨rfl, by simp [recordingOf, entered]⟩
  names name := by
    have first := inputs_hold (all := parameters ++ state) (before := []) (tensors := parameters)
      (List.prefix_append ..) name
    have second := inputs_hold (all := parameters ++ state) (before := parameters) (tensors := state)
      (List.prefix_refl _) (name - parameters.length)
    have length : (inputsFrom 0 (parameters.map List.length)).length = parameters.length := by simp [inputsFrom]
    simp only [recordingOf, entered, length, List.length_map]
    split
    · simp only [List.length_nil] at first
      generalize parameters[name]? = a at first ⊢
      generalize (inputsFrom 0 (parameters.map List.length))[name]? = b at first ⊢
      cases first with
      | none => exact .none
      | some hold => exact .some (.value hold)
    · generalize state[name - parameters.length]? = a at second ⊢
      generalize (inputsFrom parameters.length (state.map List.length))[name - parameters.length]? = b at second ⊢
      cases second with
      | none => exact .none
      | some hold =>
        simp only [Option.map_some, machine, recorder, hold.2]
        exact .some (.reference ..)
  store location := by
    have := inputs_hold (all := parameters ++ state) (before := parameters) (tensors := state)
      (List.prefix_refl _) location
    simpa only [recordingOf, entered, List.length_map] using this
  next := by simp [recordingOf, entered, inputsFrom]

/-- **Law F** [SEMANTICS §10.4]. If an execution ends, the recorder, told sizes and decisions alone, writes a
graph that at the start has what the execution leaves, under each name and in each location. -/
theorem law_f (program : Statement S) (parameters state : List (List S)) {w : World (machine holds)}
    (h : (execution holds literal).run program (entered parameters state []) = some w) :
    ∃ r values, (recording literal).run program
        (recordingOf (parameters.map List.length) (state.map List.length) w.taken) = some r ∧
      evaluate r.state.nodes (parameters ++ state) = some values ∧
      (∀ name, Both (Denotes values) (w.names name) (r.names name)) ∧
      (∀ location, Both (Holds values) (w.store location) (r.store location)) ∧ r.toCome = [] := by
  obtain ⟨taken, state', along⟩ := run_follows (parameters ++ state) program _ w h
  have all : w.taken = taken := state'
  obtain ⟨r, values, made, stands, kept⟩ :=
    along _ _ [] (stands_at_start parameters state w.taken) (by rw [all, List.append_nil]; rfl)
  exact ⟨r, values, made, stands.valid.evaluated, stands.names, stands.store, kept⟩

/-- **Law F, everywhere.** For sizes and decisions there is one recording; at every start of these sizes from
which these decisions are taken, its graph has what the execution leaves. -/
theorem law_f_everywhere (program : Statement S) (parameters state : List Nat) (decisions : List Bool)
    (some_run : ∃ (xs ss : List (List S)) (w : World (machine holds)), xs.map List.length = parameters ∧
      ss.map List.length = state ∧
      (execution holds literal).run program (entered xs ss []) = some w ∧ w.taken = decisions) :
    ∃ r : World (recorder (S := S)), ∀ (xs ss : List (List S)) (w : World (machine holds)),
      xs.map List.length = parameters → ss.map List.length = state →
      (execution holds literal).run program (entered xs ss []) = some w → w.taken = decisions →
      ∃ values, evaluate r.state.nodes (xs ++ ss) = some values ∧
        (∀ name, Both (Denotes values) (w.names name) (r.names name)) ∧
        (∀ location, Both (Holds values) (w.store location) (r.store location)) := by
  obtain ⟨xs, ss, w, rfl, rfl, h, rfl⟩ := some_run
  obtain ⟨r, _, made, _⟩ := law_f program xs ss h
  refine ⟨r, fun xs' ss' w' sizes sizes' h' decisions => ?_⟩
  obtain ⟨r', values, made', evaluated, names, store, _⟩ := law_f program xs' ss' h'
  rw [sizes, sizes', decisions, made] at made'
  cases made'
  exact ⟨values, evaluated, names, store⟩

/-- A program without conditions has one graph for all starts of some sizes. -/
theorem law_f_unconditional {program : Statement S} (h : program.isUnconditional = true)
    (parameters state : List (List S)) {w : World (machine holds)}
    (run : (execution holds literal).run program (entered parameters state []) = some w) :
    ∃ r values, (recording literal).run program
        (recordingOf (parameters.map List.length) (state.map List.length) []) = some r ∧
      evaluate r.state.nodes (parameters ++ state) = some values ∧
      (∀ name, Both (Denotes values) (w.names name) (r.names name)) ∧
      (∀ location, Both (Holds values) (w.store location) (r.store location)) := by
  have nothing : w.taken = [] := Statement.taken_of_isUnconditional h run
  obtain ⟨r, values, made, evaluated, names, store, _⟩ := law_f program parameters state run
  rw [nothing] at made
  exact ⟨r, values, made, evaluated, names, store⟩

end Adjudge.State
