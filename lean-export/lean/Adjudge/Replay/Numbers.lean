module

public import Adjudge.Program
public import Adjudge.Replay.Balance
public import Adjudge.Replay.Erasure

/-!
# Flat forms compute what forms compute

On lists of a context's elements the flat `forward` and `pulledBack` give those of `forward` and `vjp`.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {S : Type} {E C : ContextType} {σ ρ τ : Shape}

/-- There is one place with an id. -/
theorem Place.eq_of_id (place : Place C σ) (other : Place C ρ) (h : place.id = other.id) :
    (⟨σ, place⟩ : (τ : Shape) × Place C τ) = ⟨ρ, other⟩ := by
  induction place with
  | last =>
    cases other with
    | last => rfl
    | earlier other => have := other.id_lt; simp [Place.id] at h; omega
  | earlier place ih =>
    cases other with
    | last => have := place.id_lt; simp [Place.id] at h; omega
    | earlier other => cases ih other h; rfl

theorem Tensor.length_elements (t : Tensor S σ) : t.elements.length = σ.size := List.length_ofFn

theorem Context.length_numbers (context : Context S C) : context.numbers.length = C.length := by
  induction C with
  | nil => cases context; rfl
  | snoc C τ ih => cases context with | snoc earlier t => simp [Context.numbers, ih, ContextType.length]

/-- The numbers listed under the id of a place are the elements there. -/
theorem Context.numbers_get (context : Context S C) (place : Place C σ) :
    context.numbers[place.id]? = some (place.get context).elements := by
  induction place with
  | last =>
    cases context with | snoc earlier t =>
    show (earlier.numbers ++ [t.elements])[_]? = _
    rw [Place.id, ← earlier.length_numbers, List.getElem?_concat_length]
    rfl
  | earlier place ih =>
    cases context with | snoc earlier t =>
    show (earlier.numbers ++ [t.elements])[_]? = _
    rw [Place.id, List.getElem?_append_left (by rw [earlier.length_numbers]; exact place.id_lt), ih]
    rfl

/-- That a look-up by id gives the elements of the entries of a context. -/
def Looks (value : Nat → List S) (context : Context S C) : Prop :=
  ∀ σ (place : Place C σ), value place.id = (place.get context).elements

variable [Scalar S]

theorem element_elements (t : Tensor S σ) (i : Fin σ.size) : element t.elements i.val = t.get i := by
  rw [element_eq _ _ (by rw [t.length_elements]; exact i.isLt)]
  simp [Tensor.elements]

theorem Place.get_only_self (place : Place C σ) (t : Tensor S σ) : place.get (place.only t) = t := by
  induction place with
  | last => rfl
  | earlier place ih => exact ih t

theorem Place.get_only_other (place : Place C σ) (other : Place C ρ) (t : Tensor S ρ) (h : other.id ≠ place.id) :
    place.get (other.only t) = Tensor.zeros σ := by
  induction place with
  | last =>
    cases other with
    | last => exact absurd rfl h
    | earlier other => rfl
  | earlier place ih =>
    cases other with
    | last => exact place.get_zeros
    | earlier other => exact ih other h

/-- What is added up under a position is what moves there, with its sign. -/
theorem totalUnder_moves {n m : Nat} (moves : List (Move n m)) (negated : Bool) (read : Nat → S) (x : Fin m → S)
    (i : Fin n) (h : ∀ o : Fin m, read o.val = x o) :
    totalUnder i.val ((moves.map Move.erased).map fun move => (move.1, signed negated (read move.2)))
      = if negated then -moved moves x i else moved moves x i := by
  induction moves with
  | nil =>
    show (0 : S) = _
    rw [moved]
    cases negated <;> grind
  | cons move rest ih =>
    rw [List.map_cons, List.map_cons, totalUnder_cons, ih, moved]
    simp only [Move.erased, h, Fin.val_inj, signed]
    cases negated <;> by_cases e : move.result = i <;> simp [e] <;> grind

/-- What is added up under a position are the products that go there. -/
theorem totalUnder_products {n m k : Nat} (products : List (Product n m k)) (readLeft readRight : Nat → S)
    (x : Fin m → S) (y : Fin k → S) (i : Fin n) (left : ∀ a : Fin m, readLeft a.val = x a)
    (right : ∀ b : Fin k, readRight b.val = y b) :
    totalUnder i.val ((products.map Product.erased).map
        fun product => (product.1, readLeft product.2.1 * readRight product.2.2))
      = multiplied products x y i := by
  induction products with
  | nil => rfl
  | cons product rest ih =>
    rw [List.map_cons, List.map_cons, totalUnder_cons, ih, multiplied]
    simp only [Product.erased, left, right, Fin.val_inj]

variable {value environment : Nat → List S} {ctx : Context S C} {δ : Context S E}

theorem element_value (looks : Looks value ctx) (place : Place C σ) (i : Fin σ.size) :
    element (value place.id) i.val = (place.get ctx).get i := by
  rw [looks, element_elements]

theorem totalUnder_given (looks : Looks value ctx) (terms : List (LinearTerm C τ)) (i : Fin τ.size) :
    totalUnder i.val ((terms.map LinearTerm.erased).flatMap (FlatTerm.given value))
      = (LinearTerm.forwardAll terms ctx).get i := by
  induction terms with
  | nil => rfl
  | cons term rest ih =>
    rw [List.map_cons, List.flatMap_cons, totalUnder_append, ih, FlatTerm.given, mapped_eq]
    show totalUnder i.val ((term.moves.map Move.erased).map fun move =>
      (move.1, signed term.negated (element (value term.place.id) move.2))) + _ = (term.forward ctx).get i + _
    rw [totalUnder_moves _ _ _ _ _ (element_value looks term.place)]
    rfl

/-- What flat terms give are the arguments that terms give. -/
theorem argumentsOf_given (looks : Looks value ctx) (terms : List (LinearTerm C τ)) (i : Fin τ.size) :
    argumentsOf (FlatTerm.givenBy value τ.size (terms.map LinearTerm.erased)) i.val
      = LinearTerm.arguments terms ctx i := by
  funext k
  induction terms generalizing k with
  | nil => rfl
  | cons term rest ih =>
    cases k with
    | zero =>
      show element (accumulated τ.size (term.erased.given value)) i.val = (term.forward ctx).get i
      have sum := totalUnder_given looks [term] i
      rw [List.map_cons, List.map_nil, List.flatMap_cons, List.flatMap_nil, List.append_nil] at sum
      rw [accumulated_eq, element_eq _ _ (by simp), List.getElem_ofFn]
      refine sum.trans ?_
      show _ + (0 : S) = _
      exact Semiring.add_zero _
    | succ k => exact ih k

omit [Scalar S] in
/-- What is made of each position, as a list. -/
theorem map_numbersBetween (n : Nat) (f : Nat → S) :
    (numbersBetween 0 n).map f = List.ofFn fun i : Fin n => f i.val := by
  rw [numbersBetween_eq]
  apply List.ext_getElem
  · simp
  · intro i low high
    simp

/-- The flat `forward` gives the elements of `forward`. -/
theorem forward_erased (looks : Looks value ctx) (looksUp : Looks environment δ) (form : Form E C τ) :
    form.erased.forward environment value τ.size = (form.forward ctx δ).elements := by
  cases form with
  | constant entry => exact looksUp _ entry
  | literal number =>
    show mapped _ (numbersBetween 0 τ.size) = List.ofFn _
    rw [mapped_eq, map_numbersBetween]
    rfl
  | linear terms | detached terms =>
    show accumulated τ.size _ = List.ofFn _
    rw [accumulated_eq, joined_eq]
    congr 1
    funext i
    exact totalUnder_given looks terms i
  | bilinear left right products =>
    show accumulated τ.size _ = List.ofFn _
    rw [accumulated_eq, mapped_eq]
    congr 1
    funext i
    exact totalUnder_products products _ _ _ _ i (element_value looks left) (element_value looks right)
  | quotient left right =>
    show mapped _ (numbersBetween 0 τ.size) = List.ofFn _
    rw [mapped_eq, map_numbersBetween]
    congr 1
    funext i
    rw [element_value looks left, element_value looks right]
    rfl
  | pointwise function terms =>
    show mapped _ (numbersBetween 0 τ.size) = List.ofFn _
    rw [mapped_eq, map_numbersBetween]
    congr 1
    funext i
    rw [argumentsOf_given looks]
    rfl

/-- What is listed once for each position is added up there as it is. -/
theorem totalUnder_listed (n : Nat) (f : Nat → S) (key : Nat) :
    totalUnder key ((numbersBetween 0 n).map fun position => (position, f position)) = if key < n then f key else 0 := by
  rw [numbersBetween_eq, Nat.sub_zero]
  induction n with
  | zero => rfl
  | succ n ih =>
    rw [List.range'_1_concat, List.map_append, totalUnder_append, ih, List.map_cons, totalUnder_cons, Nat.zero_add]
    show _ + ((if n = key then f n else 0) + 0) = _
    by_cases last : n = key
    · rw [if_neg (by omega), if_pos last, if_pos (by omega), last]
      grind
    · rw [if_neg last]
      by_cases small : key < n
      · rw [if_pos small, if_pos (by omega)]
        grind
      · rw [if_neg small, if_neg (by omega)]
        grind

/-- What is added up for a place is what `only` puts there, if the pairs for its id are right. -/
theorem totalUnder_only (place : Place C σ) (other : Place C ρ) (t : Tensor S ρ) (j : Fin σ.size)
    (pairs : List (Nat × S)) (h : ∀ j : Fin ρ.size, totalUnder j.val pairs = t.get j) :
    totalUnder j.val (bif Nat.beq other.id place.id then pairs else []) = (place.get (other.only t)).get j := by
  by_cases same : other.id = place.id
  · cases place.eq_of_id other same.symm
    rw [Nat.beq_refl, cond_true, place.get_only_self, h]
  · have : Nat.beq other.id place.id = false := by
      cases e : Nat.beq other.id place.id with
      | false => rfl
      | true => exact absurd (Nat.eq_of_beq_eq_true e) same
    rw [this, cond_false, place.get_only_other other t same]
    rfl

theorem totalUnder_term (place : Place C σ) (c : Tensor S τ) (j : Fin σ.size) (term : LinearTerm C τ) :
    totalUnder j.val (bif Nat.beq term.erased.operand place.id then
        term.erased.moves.map fun move => (move.2, signed term.erased.negated (element c.elements move.1))
      else [])
      = (place.get (term.vjp c)).get j := by
  apply totalUnder_only place term.place
  intro j
  have swapped : (term.erased.moves.map fun move =>
        (move.2, signed term.erased.negated (element c.elements move.1)))
      = ((transposed term.moves).map Move.erased).map fun move =>
        (move.1, signed term.negated (element c.elements move.2)) := by
    simp [LinearTerm.erased, transposed, Move.erased]
  rw [swapped, totalUnder_moves _ _ _ _ _ (element_elements c)]

/-- What flat terms get, times slopes, is what terms get. -/
theorem totalUnder_weighted (place : Place C σ) (c : Tensor S τ) (j : Fin σ.size) (slope : Nat → Nat → S)
    (terms : List (LinearTerm C τ)) :
    totalUnder j.val (FlatTerm.pulledWeighted c.elements place.id slope (terms.map LinearTerm.erased))
      = (place.get (LinearTerm.vjpWeighted (fun k i => slope k i.val) terms c)).get j := by
  induction terms generalizing slope with
  | nil =>
    show (0 : S) = (place.get (Context.zeros C)).get j
    rw [place.get_zeros]
    rfl
  | cons term rest ih =>
    have pulled : mapped (fun i => element c.elements i * slope 0 i) (numbersBetween 0 c.elements.length)
        = (⟨fun i => c.get i * slope 0 i.val⟩ : Tensor S τ).elements := by
      rw [mapped_eq, c.length_elements, map_numbersBetween]
      show _ = List.ofFn _
      congr 1
      funext i
      rw [element_elements]
    have own := totalUnder_term place ⟨fun i => c.get i * slope 0 i.val⟩ j term
    rw [← pulled] at own
    rw [LinearTerm.vjpWeighted, place.get_add]
    show totalUnder j.val (appended _ (FlatTerm.pulledWeighted c.elements place.id (fun k => slope (k + 1)) _)) = _
    rw [appended_eq, totalUnder_append, ih, mapped_eq, own]
    rfl

/-- The flat `pulledBack` gives what `vjp` gives at the place with the id. -/
theorem pulledBack_erased (looks : Looks value ctx) (form : Form E C τ) (c : Tensor S τ) (place : Place C σ)
    (j : Fin σ.size) :
    totalUnder j.val (form.erased.pulledBack value c.elements place.id) = (place.get (form.vjp ctx c)).get j := by
  cases form with
  | constant _ | detached _ =>
    show (0 : S) = (place.get (Context.zeros C)).get j
    rw [place.get_zeros]
    rfl
  | literal _ =>
    show (0 : S) = (place.get (Context.zeros C)).get j
    rw [place.get_zeros]
    rfl
  | linear terms =>
    rw [Form.erased, FlatForm.pulledBack, joined_eq]
    simp only [mapped_eq]
    show totalUnder j.val ((terms.map LinearTerm.erased).flatMap _) = (place.get (LinearTerm.vjpAll terms c)).get j
    induction terms with
    | nil =>
      show (0 : S) = (place.get (Context.zeros C)).get j
      rw [place.get_zeros]
      rfl
    | cons term rest ih =>
      rw [List.map_cons, List.flatMap_cons, totalUnder_append, ih, totalUnder_term, LinearTerm.vjpAll, place.get_add]
      rfl
  | bilinear left right products =>
    rw [Form.erased, FlatForm.pulledBack, appended_eq, mapped_eq, mapped_eq]
    show totalUnder j.val (_ ++ _) = (place.get (_ + _)).get j
    rw [totalUnder_append, place.get_add]
    show _ = (place.get (left.only _)).get j + (place.get (right.only _)).get j
    congr 1
    · apply totalUnder_only
      intro j
      refine Eq.trans ?_
        (totalUnder_products (towardsLeft products) _ _ _ _ j (element_elements c) (element_value looks right))
      simp only [towardsLeft, List.map_map]
      rfl
    · apply totalUnder_only
      intro j
      refine Eq.trans ?_
        (totalUnder_products (towardsRight products) _ _ _ _ j (element_value looks left) (element_elements c))
      simp only [towardsRight, List.map_map]
      rfl
  | quotient left right =>
    rw [Form.erased, FlatForm.pulledBack, appended_eq, mapped_eq, mapped_eq]
    show totalUnder j.val (_ ++ _) = (place.get (_ + _)).get j
    rw [totalUnder_append, place.get_add]
    show _ = (place.get (left.only _)).get j + (place.get (right.only _)).get j
    congr 1
    · apply totalUnder_only
      intro j
      rw [c.length_elements, totalUnder_listed, if_pos j.isLt, element_elements, element_value looks right]
    · apply totalUnder_only
      intro j
      rw [c.length_elements, totalUnder_listed, if_pos j.isLt, element_elements, element_value looks left,
        element_value looks right]
  | pointwise function terms =>
    show totalUnder j.val (FlatTerm.pulledWeighted c.elements place.id _ _) = _
    rw [totalUnder_weighted place c j]
    simp only [c.length_elements, argumentsOf_given looks]
    rfl

omit [Scalar S] in
/-- Terms that gather an operand, one for each source, and every source is inside. -/
theorem flatGatheredTerms_eq (operand : Operand) (τ : Shape) (sources : List (Nat → Nat)) (terms : List FlatTerm)
    (made : flatGatheredTerms operand τ sources = some terms) :
    terms = sources.map (fun source => ⟨operand.1, false, (numbersBetween 0 (volume τ)).map fun i => (i, source i)⟩)
      ∧ ∀ source ∈ sources, ∀ i < volume τ, source i < volume operand.2 := by
  induction sources generalizing terms with
  | nil => cases made; exact ⟨rfl, fun _ none => nomatch none⟩
  | cons source rest ih =>
    rw [flatGatheredTerms, flatMoving, mapped_eq] at made
    cases fit : movesFit (volume τ) (volume operand.2) ((numbersBetween 0 (volume τ)).map fun i => (i, source i)) with
    | false => rw [fit] at made; cases made
    | true =>
      rw [fit, cond_true] at made
      cases others : flatGatheredTerms operand τ rest with
      | none => rw [others] at made; cases made
      | some more =>
        rw [others] at made
        cases made
        obtain ⟨same, inside⟩ := ih more others
        refine ⟨by rw [List.map_cons, same], fun other mem i small => ?_⟩
        rcases List.mem_cons.mp mem with rfl | mem
        · rw [movesFit, every_eq, List.all_eq_true] at fit
          have one := fit (i, other i) (List.mem_map.mpr ⟨i, by rw [numbersBetween_eq]; simpa using small, rfl⟩)
          simp only [Bool.and_eq_true, Nat.blt_eq] at one
          exact one.2
        · exact inside other mem i small

/-- An argument is an element of what the term of that number gives. -/
theorem argumentsOf_eq (given : List (List S)) (i k : Nat) :
    argumentsOf given i k = match given[k]? with | some own => element own i | none => 0 := by
  induction given generalizing k with
  | nil => rfl
  | cons own rest ih =>
    cases k with
    | zero => rfl
    | succ k => exact ih k

/-- An argument that a source gathers is the element there. -/
theorem argumentsOf_gathered (source : Nat → Nat → Nat) (count : Nat) {operand : Operand} {τ : Shape}
    {terms : List FlatTerm} (made : flatGatheredTerms operand τ ((below count).map source) = some terms)
    (others : List FlatTerm) (position : Nat) (small : position < volume τ) (k : Nat) (low : k < count) :
    argumentsOf (FlatTerm.givenBy value (volume τ) (terms ++ others)) position k
      = element (value operand.1) (source k position) := by
  have entry : (below count)[k]? = some k := by
    rw [below_eq, numbersBetween_eq]
    simp [low]
  rw [argumentsOf_eq, FlatTerm.givenBy, mapped_eq, (flatGatheredTerms_eq _ _ _ _ made).1, List.getElem?_map,
    List.getElem?_append_left (by rw [List.length_map, List.length_map, below_eq, numbersBetween_eq]; simpa using low),
    List.getElem?_map, List.getElem?_map, entry]
  show element (accumulated (volume τ) (mapped _ _)) position = _
  rw [mapped_eq, List.map_map, accumulated_eq, element_eq _ _ (by simpa using small), List.getElem_ofFn]
  refine (totalUnder_listed (volume τ) (fun i => element (value operand.1) (source k i)) position).trans ?_
  rw [if_pos small]

end Adjudge
