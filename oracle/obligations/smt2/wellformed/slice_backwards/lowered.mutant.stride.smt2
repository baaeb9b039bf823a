; Wrong: instruction 1 steps one element too far along axis 0.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i1_0 Int)
(declare-const i1_1 Int)
(declare-const i1_2 Int)
(assert (! (and true (and (<= 0 i1_0) (< i1_0 2)) (and (<= 0 i1_1) (< i1_1 7)) (and (<= 0 i1_2) (< i1_2 3))) :named within_loops))
(assert (! (not (and (and (<= 0 (+ 34 (* 36 i1_0) (* (- 5) i1_1) (* (- 2) i1_2))) (< (+ 34 (* 36 i1_0) (* (- 5) i1_1) (* (- 2) i1_2)) 70)))) :named negated-goal))
(check-sat)
(get-value (i1_0 i1_1 i1_2))
