; Wrong: an index entry may be the extent of its axis.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i1_0 Int)
(declare-const i1_1 Int)
(declare-const j1_0 Int)
(declare-const j1_1 Int)
(assert (! (and true (and (<= 0 i1_0) (< i1_0 5)) (and (<= 0 i1_1) (< i1_1 2))) :named within_loops))
(assert (! (and true (and (<= 0 j1_0) (< j1_0 4)) (and (<= 0 j1_1) (< j1_1 5))) :named below_limits))
(assert (! (not (and (and (<= 0 (+ 0 (* 1 i1_1) (* 8 j1_0) (* 2 j1_1))) (< (+ 0 (* 1 i1_1) (* 8 j1_0) (* 2 j1_1)) 24)) (and (<= 0 (+ 0 (* 2 i1_0))) (< (+ 0 (* 2 i1_0)) 10)) (and (<= 0 (+ 1 (* 2 i1_0))) (< (+ 1 (* 2 i1_0)) 10)))) :named negated-goal))
(check-sat)
(get-value (i1_0 i1_1 j1_0 j1_1))
