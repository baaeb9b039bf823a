module

public import Adjudge.State.LawF

/-!
# Recorders with one thing changed

The recorder writes down what a location stands for after a write. A program of one write over integers
refutes law F of each other way. Written positions must differ, else what was written is not read.
-/

@[expose] public noncomputable section

namespace Adjudge.State.Refutations

/-- How a recorder writes. -/
abbrev Writing := Recorded → List Nat → Recorded → Recording Int → Option (Recorded × Recording Int)

/-- The recorder, writing so. -/
def recorderWith (write : Writing) : Domain Int := { (recorder : Domain Int) with write }

/-- What a recorder that writes so has for a location in the end: its graph evaluated at the start. -/
def recordedAt (write : Writing) (literal : Nat → Int) (program : Statement Int) (parameters state : List (List Int))
    (decisions : List Bool) (location : Nat) : Option (List Int) :=
  let sizes := (parameters.map List.length, state.map List.length)
  let start : World (recorderWith write) :=
    entered (inputsFrom 0 sizes.1) (inputsFrom sizes.1.length sizes.2) ⟨sizes.1.length + sizes.2.length, [], decisions⟩
  (Setting.run ⟨recorderWith write, literal⟩ program start).bind fun r =>
    (evaluate r.state.nodes (parameters ++ state)).bind fun values =>
      (r.store location).bind fun contents => values[contents.id]?

/-- What an execution has in a location. -/
def contentsOf {holds : List Int → Bool} (w : World (machine holds)) (location : Nat) : Option (List Int) :=
  w.store location

/-- Law F, of the locations. -/
def Sound (write : Writing) : Prop :=
  ∀ (holds : List Int → Bool) (literal : Nat → Int) (program : Statement Int) (parameters state : List (List Int))
    (w : World (machine holds)), (execution holds literal).run program (entered parameters state []) = some w →
    ∀ location, recordedAt write literal program parameters state w.taken location = contentsOf w location

/-- The recorder is sound. -/
theorem recorder_sound : Sound (recorder (S := Int)).write := by
  intro holds literal program parameters state w run location
  obtain ⟨r, values, made, evaluated, _, store, _⟩ := law_f program parameters state run
  have here := store location
  show (((recording literal).run program (recordingOf _ _ w.taken)).bind fun r : World (recorder (S := Int)) =>
    (evaluate r.state.nodes (parameters ++ state)).bind fun values =>
      (r.store location).bind fun contents => values[contents.id]?) = w.store location
  rw [made, Option.bind_some, evaluated, Option.bind_some]
  generalize r.store location = recorded at here
  generalize w.store location = executed at here
  cases here with
  | none => rfl
  | some hold => exact hold.1

/-- What no condition and no counter is read by. -/
def nothing : List Int → Bool := fun _ => false

/-- Who leaves something else in one location is not sound. -/
theorem not_sound {write : Writing} (program : Statement Int) (parameters state : List (List Int)) (location : Nat)
    (differ : ((execution nothing Int.ofNat).run program (entered parameters state [])).map (fun w =>
      decide (recordedAt write Int.ofNat program parameters state w.taken location = contentsOf w location))
        = some false) : ¬ Sound write := by
  intro sound
  obtain ⟨w, run, differs⟩ := Option.map_eq_some_iff.mp differ
  simp [sound nothing Int.ofNat program parameters state w run location] at differs

/-- `v = s[::-1]; v ← x`, where `x` is the first parameter and `s` the one persistent location. -/
def reversed : Statement Int := .seq (.view 2 1 fun _ => [1, 0]) (.write 2 0)

/-- `v = s[1:2]; v ← x` -/
def second : Statement Int := .seq (.view 2 1 fun _ => [1]) (.write 2 0)

/-- A write that forgets the view: the location stands for the value, in the value's own order. -/
def forgettingView : Writing := fun _ _ value g => some (value, g)

/-- The elements of the location are in the value's order. -/
theorem forgettingView_not_sound : ¬ Sound forgettingView :=
  not_sound reversed [[3, 4]] [[1, 2]] 0 (by decide +kernel)

/-- A write after which the location stands for what it did. -/
def keepingOld : Writing := fun contents _ _ g => some (contents, g)

/-- The location has its old contents. -/
theorem keepingOld_not_sound : ¬ Sound keepingOld :=
  not_sound reversed [[3, 4]] [[1, 2]] 0 (by decide +kernel)

/-- A write to the first positions instead of those that the view sees. -/
def writingFirst : Writing := fun contents _ value g =>
  (recorder (S := Int)).write contents (List.range value.size) value g

/-- The first element is overwritten instead of the second. -/
theorem writingFirst_not_sound : ¬ Sound writingFirst :=
  not_sound second [[3]] [[1, 2]] 0 (by decide +kernel)

/-- A write that takes the sources the other way round: the values where nothing was written. -/
def swappingRows : Writing := fun contents positions value g =>
  (sources contents.size positions value.size).map fun found =>
    let both := g.push (contents.size + value.size) (.concat value.id contents.id)
    both.2.push contents.size (.take found both.1.id)

/-- The old contents stand where the value should. -/
theorem swappingRows_not_sound : ¬ Sound swappingRows :=
  not_sound second [[3]] [[1, 2]] 0 (by decide +kernel)

/-- Through positions of which two are the same, what was written is not read. -/
theorem collect_overwrite_needs_nodup :
    ¬ ∀ (contents values out : List Int) (positions : List Nat), overwrite contents positions values = some out →
      collect (out[·]?) positions = some values := by
  intro all
  have := all [0] [1, 2] [2] [0, 0] (by decide +kernel)
  revert this
  decide +kernel

end Adjudge.State.Refutations
