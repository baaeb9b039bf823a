module

public import Adjudge.Program

/-!
# Where a value has to be stored

`oracle/diagnosis/coeffects/escape.ts`. A value is used where it is computed, by the way back, by whoever
asked for it, or was there before. Each use asks for a class of storage, and who looks at a value's storage
asks on its behalf. What a use asks for is the least solution of five rules, an inductive predicate.

In forward mode nothing is read on the way back, so every value stays on the stack but what is given or asked
for. In reverse mode exactly what the way back reads leaves it too. Both hold for every program.
-/

@[expose] public section

namespace Adjudge

/-- How long a value is stored: within the pass, until the way back or whoever asked read it, or always. -/
inductive EscapeClass where
  | stack
  | arena
  | heap
  | static
  deriving DecidableEq, Repr

/-- A program, and which operators share storage, which ids are results, and which the way back reads. -/
structure Uses where
  program : Program
  isView : Operator → Bool
  isResult : Nat → Bool
  isPulled : Nat → Bool

namespace Uses

/-- Nothing is read on the way back, for there is none. Tangents go with their values. -/
def IsForward (uses : Uses) : Prop := ∀ id, uses.isPulled id = false

/-- Whether an id is computed, and has the storage of another. -/
def Views (uses : Uses) (view viewed : Nat) : Prop :=
  uses.program.inputs.length ≤ view ∧
    ∃ node, uses.program.nodes[view - uses.program.inputs.length]? = some node ∧
      uses.isView node.op = true ∧ node.parents.head? = some viewed

/-- What some use asks for, of each id. -/
inductive Asks (uses : Uses) : Nat → EscapeClass → Prop
  | computed (id : Nat) : Asks uses id .stack
  | pulled {id : Nat} : uses.isPulled id = true → Asks uses id .arena
  | result {id : Nat} : uses.isResult id = true → Asks uses id .heap
  | given {id : Nat} : id < uses.program.inputs.length → Asks uses id .static
  | view {view id : Nat} {escape : EscapeClass} : uses.Views view id → Asks uses view escape → Asks uses id escape

/-- An id is another, or a view of it, or of a view of it. -/
inductive Looks (uses : Uses) : Nat → Nat → Prop
  | self (id : Nat) : Looks uses id id
  | view {last view id : Nat} : uses.Views view id → Looks uses last view → Looks uses last id

/-- What looks at an id asks on its behalf. -/
theorem Looks.asks {uses : Uses} {last id : Nat} {escape : EscapeClass} (looks : uses.Looks last id)
    (asks : uses.Asks last escape) : uses.Asks id escape := by
  induction looks with
  | self => exact asks
  | view views _ ih => exact .view views ih

/-- The way back asks for what it reads, and for what that looks at, and for nothing else. -/
theorem asks_arena_iff (uses : Uses) (id : Nat) :
    uses.Asks id .arena ↔ ∃ last, uses.Looks last id ∧ uses.isPulled last = true := by
  constructor
  · intro asks
    generalize same : EscapeClass.arena = escape at asks
    induction asks with
    | computed | result | given => cases same
    | pulled read => exact ⟨_, .self _, read⟩
    | view views _ ih =>
      obtain ⟨last, looks, read⟩ := ih same
      exact ⟨last, .view views looks, read⟩
  · rintro ⟨last, looks, read⟩
    exact looks.asks (.pulled read)

/-- So do whoever wants results. -/
theorem asks_heap_iff (uses : Uses) (id : Nat) :
    uses.Asks id .heap ↔ ∃ last, uses.Looks last id ∧ uses.isResult last = true := by
  constructor
  · intro asks
    generalize same : EscapeClass.heap = escape at asks
    induction asks with
    | computed | pulled | given => cases same
    | result wanted => exact ⟨_, .self _, wanted⟩
    | view views _ ih =>
      obtain ⟨last, looks, wanted⟩ := ih same
      exact ⟨last, .view views looks, wanted⟩
  · rintro ⟨last, looks, wanted⟩
    exact looks.asks (.result wanted)

/-- Static is what is given, and nothing that is computed: a view is computed. -/
theorem asks_static_iff (uses : Uses) (id : Nat) :
    uses.Asks id .static ↔ id < uses.program.inputs.length := by
  constructor
  · intro asks
    generalize same : EscapeClass.static = escape at asks
    induction asks with
    | computed | pulled | result => cases same
    | given there => exact there
    | view views _ ih => exact absurd (ih same) (Nat.not_lt.mpr views.1)
  · exact .given

/-- **In forward mode everything is stack-scoped** but what is given and what results are or look at. -/
theorem stack_of_isForward (uses : Uses) (forward : uses.IsForward) (id : Nat)
    (computed : uses.program.inputs.length ≤ id)
    (inner : ∀ last, uses.Looks last id → uses.isResult last = false)
    (escape : EscapeClass) (asks : uses.Asks id escape) : escape = .stack := by
  cases escape with
  | stack => rfl
  | arena =>
    obtain ⟨last, _, read⟩ := (uses.asks_arena_iff id).mp asks
    simp [forward last] at read
  | heap =>
    obtain ⟨last, looks, wanted⟩ := (uses.asks_heap_iff id).mp asks
    simp [inner last looks] at wanted
  | static => exact absurd ((uses.asks_static_iff id).mp asks) (Nat.not_lt.mpr computed)

/-- In reverse, of what is computed and no result, what the way back reads leaves the stack, or by a view. -/
theorem leaves_iff (uses : Uses) (id : Nat) (computed : uses.program.inputs.length ≤ id)
    (inner : ∀ last, uses.Looks last id → uses.isResult last = false) :
    (∃ escape, uses.Asks id escape ∧ escape ≠ .stack) ↔ ∃ last, uses.Looks last id ∧ uses.isPulled last = true := by
  constructor
  · rintro ⟨escape, asks, leaves⟩
    cases escape with
    | stack => exact absurd rfl leaves
    | arena => exact (uses.asks_arena_iff id).mp asks
    | heap =>
      obtain ⟨last, looks, wanted⟩ := (uses.asks_heap_iff id).mp asks
      simp [inner last looks] at wanted
    | static => exact absurd ((uses.asks_static_iff id).mp asks) (Nat.not_lt.mpr computed)
  · intro read
    exact ⟨.arena, (uses.asks_arena_iff id).mpr read, by decide⟩

/-- `(x + x) · (x + x)`, asked forward, or in reverse, where the rule of `multiply` reads both operands. -/
def squareOfSum (isPulled : Nat → Bool) : Uses where
  program := ⟨[[]], [], [⟨.add, [0, 0], []⟩, ⟨.multiply, [1, 1], []⟩]⟩
  isView _ := false
  isResult id := id == 2
  isPulled := isPulled

/-- With a way back not everything is stack-scoped: the sum is read by the pull of its square. -/
theorem reverse_not_stack : ¬ ∀ escape, (squareOfSum (· == 1)).Asks 1 escape → escape = .stack := by
  intro all
  exact absurd (all .arena (.pulled rfl)) (by decide)

/-- A rule that forgets views is wrong: what is read as a reshape of itself is not on the stack. -/
theorem views_not_forgotten : ∃ uses : Uses, uses.isPulled 1 = false ∧ uses.Asks 1 .arena :=
  ⟨{ program := ⟨[[]], [], [⟨.add, [0, 0], []⟩, ⟨.reshape [], [1], []⟩]⟩
     isView := fun op => op matches .reshape _
     isResult := fun _ => false
     isPulled := fun id => id == 2 },
   rfl,
   .view (view := 2) ⟨by decide, ⟨.reshape [], [1], []⟩, rfl, rfl, rfl⟩ (.pulled rfl)⟩

end Uses

end Adjudge
