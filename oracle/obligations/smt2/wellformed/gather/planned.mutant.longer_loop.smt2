; Wrong: the loops of instruction 2 run one index too far.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const i2_0 Int)
(declare-const i2_1 Int)
(assert (! (and true (and (<= 0 i2_0) (< i2_0 6)) (and (<= 0 i2_1) (< i2_1 3))) :named within_loops))
(assert (! (and true ) :named below_limits))
(assert (! (not (and (and (<= 0 (+ 0 (* 2 i2_0) (* 1 i2_1))) (< (+ 0 (* 2 i2_0) (* 1 i2_1)) 10)))) :named negated-goal))
(check-sat)
(get-value (i2_0 i2_1))
