; Wrong: negative loses its sign
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(assert (! (not (= (+ 0.0 (* (- dx0.0) 2.0)) (+ 0.0 (+ 0.0 (* dx0.0 2.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0))
