; Wrong: det forgets the cotangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x0.2 Real)
(assert (! (not (= (+ (+ 0.0 (* (+ (+ 0.0 (- (+ (* 9.0 x0.1) (* x0.2 5.0)))) (+ (* 15.0 x0.0) (* 13.0 3.0))) 2.0)) (* (+ (+ 0.0 (- (+ (* 45.0 31.0) (* 43.0 33.0)))) (+ (* 59.0 21.0) (* 57.0 23.0))) 4.0)) (+ 0.0 (+ (+ (+ (+ (+ (+ (+ (+ 0.0 (* 3.0 (* 1.0 (+ 0.0 13.0)))) (* 5.0 (* 1.0 (+ 0.0 (- x0.2))))) (* 9.0 (* 1.0 (+ 0.0 (- x0.1))))) (* 15.0 (* 1.0 (+ 0.0 x0.0)))) (* 23.0 (* 1.0 (+ 0.0 57.0)))) (* 33.0 (* 1.0 (+ 0.0 (- 43.0))))) (* 45.0 (* 1.0 (+ 0.0 (- 31.0))))) (* 59.0 (* 1.0 (+ 0.0 21.0))))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 x0.2))
