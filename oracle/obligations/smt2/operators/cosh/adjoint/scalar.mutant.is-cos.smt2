; Wrong: cosh changes the sign, as cos does
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const sinh.0 Real)
(assert (! (not (= (+ 0.0 (* (* sinh.0 3.0) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (- (* 2.0 sinh.0))))))) :named negated-goal))
(check-sat)
(get-value (x0.0 sinh.0))
