; Wrong: constant has tangents in the environment
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const e.e.0 Real)
(assert (! (not (= (+ 0.0 (* e.e.0 2.0)) 0.0)) :named negated-goal))
(check-sat)
(get-value (e.e.0))
