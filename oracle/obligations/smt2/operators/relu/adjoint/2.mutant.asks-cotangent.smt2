; Wrong: relu looks at the cotangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(define-fun $1 () Real (+ 0.0 0.0))
(assert (! (not (= (+ (+ 0.0 (* (ite (< 0.0 x0.0) 3.0 (ite (< x0.0 0.0) 0.0 $1)) 2.0)) (* (ite (< 0.0 x0.1) 5.0 (ite (< x0.1 0.0) 0.0 $1)) 4.0)) (+ 0.0 (+ (+ 0.0 (* 3.0 (ite (< 0.0 2.0) 2.0 0.0))) (* 5.0 (ite (< 0.0 4.0) 4.0 0.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1))
