; Wrong: det has twice its tangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x0.2 Real)
(assert (! (not (= (+ (+ (+ (+ 0.0 (- (* (+ x0.2 (* 2.0 7.0)) (+ x0.1 (* 2.0 4.0))))) (* (+ 3.0 (* 2.0 12.0)) (+ x0.0 (* 2.0 3.0)))) (- (+ (+ 0.0 (- (* x0.2 x0.1))) (* 3.0 x0.0)))) (- (* 2.0 (+ (+ 0.0 (- (+ (* (+ 7.0 7.0) x0.1) (* x0.2 (+ 4.0 4.0))))) (+ (* (+ 12.0 12.0) x0.0) (* 3.0 (+ 3.0 3.0))))))) (* 2.0 (* 2.0 (+ (* (* (- 1.0) 7.0) 4.0) (* (* 1.0 12.0) 3.0)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 x0.2))
