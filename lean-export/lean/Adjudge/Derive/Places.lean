module

public import Adjudge.Operators.Sums

/-!
# Where the entries of a context stand

A graph that is written node by node computes contexts that are looked for, such as values of another graph
and its cotangents. `Places` says where each entry stands, as `reference/context.ts` does by ids.
-/

@[expose] public noncomputable section

namespace Adjudge

open Sums

variable {S : Type} {C D : ContextType} {τ σ : Shape}

/-- For each entry of a context of type `C` a place in one of type `D`: where it stands there. -/
inductive Places (D : ContextType) : ContextType → Type where
  | nil : Places D .nil
  | snoc {C : ContextType} {τ : Shape} (earlier : Places D C) (last : Place D τ) : Places D (.snoc C τ)

namespace Places

/-- All but the last. -/
def init : Places D (.snoc C τ) → Places D C
  | snoc earlier _ => earlier

/-- The last. -/
def last : Places D (.snoc C τ) → Place D τ
  | snoc _ place => place

/-- The entries that stand there. -/
def read (ctx : Context S D) : {C : ContextType} → Places D C → Context S C
  | .nil, nil => .nil
  | .snoc _ _, snoc earlier place => (earlier.read ctx).snoc (place.get ctx)

/-- The same places after one more entry. -/
def lift : {C : ContextType} → Places D C → Places (.snoc D σ) C
  | .nil, nil => nil
  | .snoc _ _, snoc earlier place => earlier.lift.snoc place.earlier

/-- Where an entry stands. -/
def place : {C : ContextType} → Places D C → Place C τ → Place D τ
  | .snoc _ _, places, .last => places.last
  | .snoc _ _, places, .earlier place => places.init.place place

/-- The same but for one entry, which stands elsewhere. -/
def set : {C : ContextType} → Places D C → Place C τ → Place D τ → Places D C
  | .snoc _ _, places, .last, there => places.init.snoc there
  | .snoc _ _, places, .earlier place, there => (places.init.set place there).snoc places.last

/-- What stands at places is there after one more entry too. -/
theorem read_lift (places : Places D C) (ctx : Context S D) (t : Tensor S σ) :
    places.lift.read (ctx.snoc t) = places.read ctx := by
  induction places with
  | nil => rfl
  | snoc earlier place hypothesis => simp only [lift, read, hypothesis, Place.get, Context.init]

/-- The last entry. -/
theorem get_last (places : Places D (.snoc C τ)) (ctx : Context S D) :
    places.last.get ctx = (places.read ctx).last := by
  cases places; rfl

/-- All entries but the last. -/
theorem read_init (places : Places D (.snoc C τ)) (ctx : Context S D) :
    places.init.read ctx = (places.read ctx).init := by
  cases places; rfl

/-- What stands where an entry stands is the entry. -/
theorem get_place (places : Places D C) (place : Place C τ) (ctx : Context S D) :
    (places.place place).get ctx = place.get (places.read ctx) := by
  induction place with
  | last => simp only [Places.place, Place.get, get_last]
  | earlier place hypothesis => simp only [Places.place, Place.get, hypothesis, read_init]

end Places

/-- A context type with all entries of another after its own. -/
def ContextType.append (C : ContextType) : ContextType → ContextType
  | .nil => C
  | .snoc D τ => .snoc (C.append D) τ

/-- A context with all entries of another after its own. -/
def Context.append (a : Context S C) : {D : ContextType} → Context S D → Context S (C.append D)
  | .nil, .nil => a
  | .snoc _ _, .snoc b t => (a.append b).snoc t

namespace Places

/-- Where the entries of a context stand in itself. -/
def all : (C : ContextType) → Places C C
  | .nil => nil
  | .snoc C _ => (all C).lift.snoc .last

/-- The first entries of two contexts. -/
def first (C : ContextType) : (D : ContextType) → Places (C.append D) C
  | .nil => all C
  | .snoc D _ => (first C D).lift

/-- The entries after the first. -/
def second (C : ContextType) : (D : ContextType) → Places (C.append D) D
  | .nil => nil
  | .snoc D _ => (second C D).lift.snoc .last

/-- All entries are the context. -/
theorem read_all (a : Context S C) : (all C).read a = a := by
  induction a with
  | nil => rfl
  | snoc a t hypothesis => simp only [all, read, read_lift, hypothesis, Place.get, Context.last]

/-- The first entries are the first context. -/
theorem read_first (a : Context S C) (b : Context S D) : (first C D).read (a.append b) = a := by
  induction b with
  | nil => exact read_all a
  | snoc b t hypothesis => exact (read_lift _ _ _).trans hypothesis

/-- The other entries are the other context. -/
theorem read_second (a : Context S C) (b : Context S D) : (second C D).read (a.append b) = b := by
  induction b with
  | nil => rfl
  | snoc b t hypothesis => exact congrArg (·.snoc t) ((read_lift _ _ _).trans hypothesis)

end Places

/-- One entry with a summand more. -/
theorem Places.read_set [Scalar S] (places : Places D C) (place : Place C τ) (there : Place D τ) (ctx : Context S D) (t : Tensor S τ)
    (sum : there.get ctx = place.get (places.read ctx) + t) :
    (places.set place there).read ctx = places.read ctx + place.only t := by
  induction place with
  | last =>
    cases places
    simp only [Place.get, read, Context.last] at sum
    simp only [set, read, Place.only, Context.snoc_add_snoc, sum, init, context_add_zeros]
  | earlier place hypothesis =>
    cases places with
    | snoc earlier last =>
      simp only [Place.get, read, Context.init] at sum
      simp only [set, read, Place.only, Context.snoc_add_snoc, init, Places.last, tensor_add_zeros,
        hypothesis earlier there t sum]

end Adjudge
