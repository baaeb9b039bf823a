; Wrong: relu has slope 1 at 0
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(define-fun $1 () Bool (< x0.0 0.0))
(assert (! (not (= (+ 0.0 (* (ite (< 0.0 x0.0) 3.0 (ite $1 0.0 (+ 0.0 0.0))) 2.0)) (+ 0.0 (+ 0.0 (* 3.0 (ite $1 0.0 2.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0))
