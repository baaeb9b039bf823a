module

public import Adjudge.Operators.IndexMap
public import Init.Grind

/-!
# Lists that the kernel computes with

Look-ups and sums by position on lists of literals. Every function halves its range, so a look-up or an
addition costs `log n` steps of the kernel, whose cache shares what is unfolded once, such as a list's tree.
Loops are written with the recursors: a step of a `match` or of a library function costs many times more.
`Adjudge.Replay.Lists` says what they do.
-/

@[expose] public noncomputable section

namespace Adjudge

open Lean.Grind

variable {α β S : Type}

/-- The least `depth` with `n ≤ 2 ^ depth`. -/
def depthOf (n : Nat) : Nat := Nat.log2 (Nat.sub (Nat.mul 2 n) 1)

/-- `List.map` -/
def mapped (f : α → β) (entries : List α) : List β := List.rec [] (fun entry _ ih => f entry :: ih) entries

/-- `List.append` -/
def appended (entries more : List α) : List α := List.rec more (fun entry _ ih => entry :: ih) entries

/-- `List.flatMap` -/
def joined (f : α → List β) (entries : List α) : List β :=
  List.rec [] (fun entry _ ih => appended (f entry) ih) entries

/-- `List.all` -/
def every (holds : α → Bool) (entries : List α) : Bool :=
  List.rec true (fun entry _ ih => Bool.rec false ih (holds entry)) entries

/-- `occurs` -/
def among (sought : Nat) (entries : List Nat) : Bool :=
  List.rec false (fun entry _ ih => Bool.rec ih true (Nat.beq entry sought)) entries

/-- `Shape.size` -/
def volume (shape : Shape) : Nat := List.rec 1 (fun extent _ ih => Nat.mul extent ih) shape

/-- Whether two shapes are the same. -/
def sameShape (σ τ : Shape) : Bool :=
  List.rec (fun τ => List.rec true (fun _ _ _ => false) τ)
    (fun extent _ ih τ => List.rec false (fun extent' rest _ => Bool.rec false (ih rest) (Nat.beq extent extent')) τ)
    σ τ

/-- `List.drop` -/
def dropped (n : Nat) : List α → List α :=
  Nat.rec (fun entries => entries) (fun _ ih entries => List.rec [] (fun _ rest _ => ih rest) entries) n

/--
`f n`, where the kernel knows `f` of one number as one term, however the number was computed: what it has
found out about it, it finds in its cache.
-/
def forced (f : Nat → α) (n : Nat) : α := Nat.rec (f 0) (fun n _ => f (Nat.succ n)) n

/-- Entries in the leaves of a binary tree: those from the index `middle` on are high. -/
inductive Tree (α : Type) where
  | leaf (entry : α)
  | node (middle : Nat) (low high : Tree α)

/-- The entry at an index. -/
def Tree.look (tree : Tree α) (index : Nat) : α :=
  Tree.rec (fun entry => entry) (fun middle _ _ low high => Bool.rec low high (Nat.ble middle index)) tree

/-- `2 ^ depth` entries with the indices from `first` on, the default where the list has ended. -/
def treeWithin (default : α) (depth : Nat) : (first : Nat) → List α → Tree α :=
  Nat.rec (fun _ entries => .leaf (List.rec default (fun entry _ _ => entry) entries))
    (fun depth ih first entries =>
      .node (Nat.add first (Nat.pow 2 depth)) (ih first entries)
        (ih (Nat.add first (Nat.pow 2 depth)) (dropped (Nat.pow 2 depth) entries)))
    depth

/-- The entry at an index below `2 ^ depth`, or the default where the list has ended. -/
def entryWithin (default : α) (depth : Nat) (entries : List α) (index : Nat) : α :=
  forced (treeWithin default depth 0 entries).look index

/-- The numbers `first, …, first + n - 1` before a tail, if `n ≤ 2 ^ depth`. -/
def numbersWithin (depth : Nat) : (first n : Nat) → List Nat → List Nat :=
  Nat.rec (fun first n tail => Bool.rec (first :: tail) tail (Nat.beq n 0))
    (fun _ ih first n tail =>
      ih first (Nat.div n 2) (ih (Nat.add first (Nat.div n 2)) (Nat.sub n (Nat.div n 2)) tail))
    depth

/-- The numbers from `first` to before `last`. -/
def numbersBetween (first last : Nat) : List Nat :=
  numbersWithin (depthOf (Nat.sub last first)) first (Nat.sub last first) []

/-- The pairs with a key below `middle`. -/
def keysBelow (middle : Nat) (pairs : List (Nat × α)) : List (Nat × α) :=
  List.rec [] (fun pair _ ih => Bool.rec (pair :: ih) ih (Nat.ble middle pair.1)) pairs

/-- The pairs with a key of `middle` or more. -/
def keysFrom (middle : Nat) (pairs : List (Nat × α)) : List (Nat × α) :=
  List.rec [] (fun pair _ ih => Bool.rec ih (pair :: ih) (Nat.ble middle pair.1)) pairs

/--
For each key `first, …, first + n - 1` what `leaf` makes of it and of pairs among which are all those with
that key, before a tail; if `n ≤ 2 ^ depth`.
-/
def distributedWithin (leaf : Nat → List (Nat × α) → β) (depth : Nat) :
    (first n : Nat) → List (Nat × α) → List β → List β :=
  Nat.rec (fun first n pairs tail => Bool.rec (leaf first pairs :: tail) tail (Nat.beq n 0))
    (fun _ ih first n pairs tail =>
      ih first (Nat.div n 2) (keysBelow (Nat.add first (Nat.div n 2)) pairs)
        (ih (Nat.add first (Nat.div n 2)) (Nat.sub n (Nat.div n 2)) (keysFrom (Nat.add first (Nat.div n 2)) pairs)
          tail))
    depth

/-- For each key from `first` to before `last` what `leaf` makes of it and of the pairs with that key. -/
def distributed (leaf : Nat → List (Nat × α) → β) (first last : Nat) (pairs : List (Nat × α)) : List β :=
  distributedWithin leaf (depthOf (Nat.sub last first)) first (Nat.sub last first) pairs []

/-- What the pairs have under a key. -/
def under (key : Nat) (pairs : List (Nat × α)) : List α :=
  List.rec [] (fun pair _ ih => Bool.rec ih (pair.2 :: ih) (Nat.beq pair.1 key)) pairs

variable [CommRing S]

/-- The sum of what the pairs have under a key. -/
def totalUnder (key : Nat) (pairs : List (Nat × S)) : S :=
  List.rec 0 (fun pair _ ih => Bool.rec ih (pair.2 + ih) (Nat.beq pair.1 key)) pairs

/-- For each position below `n` the sum of what the pairs have there. -/
def accumulated (n : Nat) (pairs : List (Nat × S)) : List S := distributed totalUnder 0 n pairs

/-- The element at a position below the length. -/
def element (elements : List S) (position : Nat) : S :=
  entryWithin 0 (depthOf elements.length) elements position

/-- `List.zipWith (· + ·)` -/
def sums (xs ys : List S) : List S :=
  List.rec (fun _ => []) (fun x _ ih ys => List.rec [] (fun y rest _ => (x + y) :: ih rest) ys) xs ys

/-- Whether two lists have the same elements. -/
def agree [DecidableEq S] (xs ys : List S) : Bool :=
  List.rec (fun ys => List.rec true (fun _ _ _ => false) ys)
    (fun x _ ih ys => List.rec false (fun y rest _ => Bool.rec false (ih rest) (decide (x = y))) ys)
    xs ys

end Adjudge
