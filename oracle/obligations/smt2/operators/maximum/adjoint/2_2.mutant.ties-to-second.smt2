; Wrong: maximum gives a tie to its second operand
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x1.0 Real)
(declare-const x1.1 Real)
(define-fun $1 () Bool (< x1.0 x0.0))
(define-fun $2 () Bool (< x1.1 x0.1))
(assert (! (not (= (+ (+ 0.0 (* (ite (< x0.0 x1.0) 6.0 (ite $1 3.0 (ite (= x1.0 x1.0) 3.0 6.0))) 2.0)) (* (ite (< x0.1 x1.1) 8.0 (ite $2 5.0 (ite (= x1.1 x1.1) 5.0 8.0))) 4.0)) (+ (+ 0.0 (+ (+ 0.0 (* 3.0 (ite $1 2.0 0.0))) (* 5.0 (ite $2 4.0 0.0)))) (+ (+ 0.0 (* 6.0 (ite $1 0.0 2.0))) (* 8.0 (ite $2 0.0 4.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 x1.0 x1.1))
