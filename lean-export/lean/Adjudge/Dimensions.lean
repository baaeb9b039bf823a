module

/-!
# What no dimensions fit

A dimension is an exponent for each base: `kg·m·s⁻²` is 1, 1 and −2. The rules of operators are equations
between dimensions of values, linear over the rationals. If they cannot all hold, a certificate says so:
multiples of equations whose sum leaves only bases, whose product would have to be 1.
-/

@[expose] public noncomputable section

namespace Adjudge

/--
Equations between the dimensions of values. An equation is ids with multiples: the product of what they stand
for, each to its multiple, is a number. Ids below `bases` stand for the bases themselves.
-/
structure DimensionSystem where
  bases : Nat
  equations : List (List (Nat × Int))

/-- The exponent, of one base, of a product of ids, if `exponent` has those of the ids. -/
def exponentOf (exponent : Nat → Rat) : List (Nat × Int) → Rat
  | [] => 0
  | (id, times) :: rest => times * exponent id + exponentOf exponent rest

namespace DimensionSystem

/-- Dimensions, `exponents id base`, with which every equation holds; bases are measured in themselves. -/
structure Fits (system : DimensionSystem) (exponents : Nat → Nat → Rat) : Prop where
  bases : ∀ id base, id < system.bases → base < system.bases →
    exponents id base = if id = base then 1 else 0
  equations : ∀ terms ∈ system.equations, ∀ base, base < system.bases →
    exponentOf (fun id => exponents id base) terms = 0

/-- No dimensions fit. -/
def Obstructed (system : DimensionSystem) : Prop :=
  ∀ exponents : Nat → Nat → Rat, ¬ system.Fits exponents

end DimensionSystem

/-- Terms with one more, put to that of its id. -/
def withTerm (id : Nat) (times : Int) : List (Nat × Int) → List (Nat × Int)
  | [] => [(id, times)]
  | (other, own) :: rest =>
    bif Nat.beq other id then (other, own + times) :: rest else (other, own) :: withTerm id times rest

/-- Terms with, in front of them, others so many times, each put to that of its id. -/
def withTerms (times : Int) : List (Nat × Int) → List (Nat × Int) → List (Nat × Int)
  | [], onto => onto
  | (id, own) :: rest, onto => withTerm id (times * own) (withTerms times rest onto)

/-- The sum of equations, each so many times. -/
def combined : List Int → List (List (Nat × Int)) → List (Nat × Int)
  | times :: others, terms :: rest => withTerms times terms (combined others rest)
  | _, _ => []

/-- How often a base is counted. -/
def countOf (base : Nat) : List (Nat × Int) → Int
  | [] => 0
  | (id, times) :: rest => bif Nat.beq id base then times + countOf base rest else countOf base rest

/-- Whether nothing is left but bases. -/
def onlyBases (bases : Nat) : List (Nat × Int) → Bool
  | [] => true
  | (id, times) :: rest => (Nat.blt id bases || times == 0) && onlyBases bases rest

/-- Whether the equations, each so many times, come to bases alone, and a base is among them. -/
def DimensionSystem.certifies (system : DimensionSystem) (times : List Int) (base : Nat) : Bool :=
  Nat.blt base system.bases &&
    (onlyBases system.bases (combined times system.equations) &&
      !(countOf base (combined times system.equations) == 0))

theorem exponentOf_withTerm (exponent : Nat → Rat) (id : Nat) (times : Int) (terms : List (Nat × Int)) :
    exponentOf exponent (withTerm id times terms) = times * exponent id + exponentOf exponent terms := by
  induction terms with
  | nil => simp [withTerm, exponentOf]
  | cons term rest ih =>
    obtain ⟨other, own⟩ := term
    by_cases h : other = id
    · subst h
      have : withTerm other times ((other, own) :: rest) = (other, own + times) :: rest := by
        simp [withTerm]
      rw [this]
      simp only [exponentOf, Rat.intCast_add]
      grind
    · have : withTerm id times ((other, own) :: rest) = (other, own) :: withTerm id times rest := by
        have hb : Nat.beq other id = false := by
          rw [Bool.eq_false_iff]; intro hb; exact h (Nat.eq_of_beq_eq_true hb)
        simp [withTerm, hb]
      rw [this]
      simp only [exponentOf, ih]
      grind

theorem exponentOf_withTerms (exponent : Nat → Rat) (times : Int) (terms onto : List (Nat × Int)) :
    exponentOf exponent (withTerms times terms onto) =
      times * exponentOf exponent terms + exponentOf exponent onto := by
  induction terms with
  | nil => simp only [withTerms, exponentOf]; grind
  | cons term rest ih =>
    obtain ⟨id, own⟩ := term
    simp only [withTerms, exponentOf, exponentOf_withTerm, ih, Rat.intCast_mul]
    grind

/-- A sum of equations that hold holds. -/
theorem exponentOf_combined (exponent : Nat → Rat) (times : List Int) (equations : List (List (Nat × Int)))
    (h : ∀ terms ∈ equations, exponentOf exponent terms = 0) :
    exponentOf exponent (combined times equations) = 0 := by
  induction equations generalizing times with
  | nil => cases times <;> simp [combined, exponentOf]
  | cons terms rest ih =>
    cases times with
    | nil => simp [combined, exponentOf]
    | cons own others =>
      have hr := ih others (fun t ht => h t (List.mem_cons_of_mem _ ht))
      simp only [combined, exponentOf_withTerms, hr, h terms List.mem_cons_self]
      grind

/-- Of bases alone the exponent is how often the base is counted. -/
theorem exponentOf_onlyBases (bases base : Nat) (exponent : Nat → Rat)
    (own : ∀ id, id < bases → exponent id = if id = base then 1 else 0) (terms : List (Nat × Int))
    (h : onlyBases bases terms = true) (hb : base < bases) :
    exponentOf exponent terms = (countOf base terms : Rat) := by
  induction terms with
  | nil => simp [exponentOf, countOf]
  | cons term rest ih =>
    obtain ⟨id, times⟩ := term
    simp only [onlyBases, Bool.and_eq_true, Bool.or_eq_true] at h
    have hr := ih h.2
    by_cases same : id = base
    · subst same
      have : countOf id ((id, times) :: rest) = times + countOf id rest := by simp [countOf]
      rw [this]
      simp only [exponentOf, hr, own id hb, Rat.intCast_add]
      grind
    · have hbeq : Nat.beq id base = false := by
        rw [Bool.eq_false_iff]; intro hb; exact same (Nat.eq_of_beq_eq_true hb)
      have : countOf base ((id, times) :: rest) = countOf base rest := by simp [countOf, hbeq]
      rw [this]
      simp only [exponentOf, hr]
      rcases h.1 with small | zero
      · have hid := own id (by simpa [Nat.blt_eq] using small)
        rw [hid]; simp [same, Rat.zero_add]
      · have : times = 0 := by simpa using zero
        subst this; simp [Rat.zero_add]

/-- What a certificate certifies. -/
theorem obstructed_of (system : DimensionSystem) (times : List Int) (base : Nat)
    (h : system.certifies times base = true) : system.Obstructed := by
  intro exponents fits
  simp only [DimensionSystem.certifies, Bool.and_eq_true, Nat.blt_eq] at h
  obtain ⟨small, only, some⟩ := h
  have zero := exponentOf_combined (fun id => exponents id base) times system.equations
    (fun terms member => fits.equations terms member base small)
  rw [exponentOf_onlyBases system.bases base _ (fun id hid => fits.bases id base hid small) _ only small] at zero
  have none : countOf base (combined times system.equations) = 0 := by exact_mod_cast zero
  simp [none] at some

end Adjudge
