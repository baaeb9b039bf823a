; Wrong: the axis is longer than the stride of the one before it.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NIA)
(declare-const e Int)
(declare-const q Int)
(declare-const r Int)
(declare-const q2 Int)
(declare-const r2 Int)
(assert (! (and (<= 0 q q2 4) (<= 0 r 4) (<= 0 r2 4) (<= 1 e 4)) :named small))
(assert (! (not (=> (= (+ (* q e) r) (+ (* q2 e) r2)) (and (= q q2) (= r r2)))) :named negated-goal))
(check-sat)
(get-value (e q r q2 r2))
