; Wrong: iota has a tangent of 1 for every literal
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(assert (! (not (= (+ (+ (+ 0.0 (* 1.0 2.0)) (* 1.0 4.0)) (* 1.0 8.0)) 0.0)) :named negated-goal))
(check-sat)
