; Wrong: multiply swaps its operands
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(assert (! (not (= (+ 0.0 (* (+ (* 3.0 x1.0) (* x0.0 6.0)) 2.0)) (+ (+ 0.0 (+ 0.0 (* 3.0 (* 2.0 x0.0)))) (+ 0.0 (* 6.0 (* 2.0 x1.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x1.0))
