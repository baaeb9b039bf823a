; Wrong: tan does not square tan x
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const tan.0 Real)
(assert (! (not (= (+ 0.0 (* (* (+ 1.0 (* tan.0 tan.0)) 3.0) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 (+ 1.0 tan.0))))))) :named negated-goal))
(check-sat)
(get-value (x0.0 tan.0))
