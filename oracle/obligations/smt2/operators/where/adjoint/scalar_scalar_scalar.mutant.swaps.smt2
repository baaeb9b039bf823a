; Wrong: where swaps its sides
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(define-fun $1 () Bool (= x0.0 0.0))
(assert (! (not (= (+ 0.0 (* (ite $1 9.0 6.0) 2.0)) (+ (+ (+ 0.0 0.0) (+ 0.0 (* 6.0 (ite $1 2.0 0.0)))) (+ 0.0 (* 9.0 (ite $1 0.0 2.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0))
