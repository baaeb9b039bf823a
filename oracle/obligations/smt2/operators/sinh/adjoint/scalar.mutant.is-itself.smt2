; Wrong: sinh is its own derivative
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const sinh.0 Real)
(declare-const cosh.1 Real)
(assert (! (not (= (+ 0.0 (* (* cosh.1 3.0) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 sinh.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 sinh.0 cosh.1))
