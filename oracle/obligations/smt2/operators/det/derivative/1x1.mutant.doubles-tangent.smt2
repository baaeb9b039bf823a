; Wrong: det has twice its tangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(assert (! (not (= (+ (+ (+ x0.0 (* 2.0 3.0)) (- x0.0)) (- (* 2.0 (+ 3.0 3.0)))) (* 2.0 (* 2.0 0.0)))) :named negated-goal))
(check-sat)
(get-value (x0.0))
