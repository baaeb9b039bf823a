; Wrong: matmul has its cotangents last first
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x0.2 Real)
(declare-const x1.0 Real)
(declare-const x1.1 Real)
(declare-const x1.2 Real)
(assert (! (not (= (+ 0.0 (* (+ (+ (+ 0.0 (+ (* 3.0 x1.0) (* x0.0 6.0))) (+ (* 5.0 x1.1) (* x0.1 8.0))) (+ (* 9.0 x1.2) (* x0.2 12.0))) 2.0)) (+ (+ 0.0 (+ (+ (+ 0.0 (* 3.0 (+ 0.0 (* 2.0 x1.2)))) (* 5.0 (+ 0.0 (* 2.0 x1.1)))) (* 9.0 (+ 0.0 (* 2.0 x1.0))))) (+ (+ (+ 0.0 (* 6.0 (+ 0.0 (* x0.2 2.0)))) (* 8.0 (+ 0.0 (* x0.1 2.0)))) (* 12.0 (+ 0.0 (* x0.0 2.0))))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 x0.2 x1.0 x1.1 x1.2))
