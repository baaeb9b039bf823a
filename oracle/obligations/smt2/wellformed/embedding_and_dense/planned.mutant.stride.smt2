; Wrong: instruction 0 steps one element too far along axis 1.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i1_0 Int)
(declare-const i1_1 Int)
(declare-const i1_2 Int)
(assert (! (and true (and (<= 0 i1_0) (< i1_0 4)) (and (<= 0 i1_1) (< i1_1 2)) (and (<= 0 i1_2) (< i1_2 3))) :named within_loops))
(assert (! (and true ) :named below_limits))
(assert (! (not (and (and (<= 0 (+ 0 (* 2 i1_1) (* 2 i1_2))) (< (+ 0 (* 2 i1_1) (* 2 i1_2)) 6)))) :named negated-goal))
(check-sat)
(get-value (i1_0 i1_1 i1_2))
