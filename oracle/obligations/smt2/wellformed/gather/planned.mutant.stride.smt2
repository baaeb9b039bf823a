; Wrong: instruction 2 steps one element too far along axis 0.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i2_0 Int)
(declare-const i2_1 Int)
(assert (! (and true (and (<= 0 i2_0) (< i2_0 5)) (and (<= 0 i2_1) (< i2_1 2))) :named within_loops))
(assert (! (and true ) :named below_limits))
(assert (! (not (and (and (<= 0 (+ 0 (* 3 i2_0) (* 1 i2_1))) (< (+ 0 (* 3 i2_0) (* 1 i2_1)) 10)))) :named negated-goal))
(check-sat)
(get-value (i2_0 i2_1))
