; Wrong: maximum gives a tie to its second operand
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(define-fun $1 () Bool (< x1.0 x0.0))
(assert (! (not (= (+ 0.0 (* (ite (< x0.0 x1.0) 6.0 (ite $1 3.0 (ite (= x1.0 x1.0) 3.0 6.0))) 2.0)) (+ (+ 0.0 (+ 0.0 (* 3.0 (ite $1 2.0 0.0)))) (+ 0.0 (* 6.0 (ite $1 0.0 2.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x1.0))
