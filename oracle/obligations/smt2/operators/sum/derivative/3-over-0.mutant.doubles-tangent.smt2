; Wrong: sum has twice its tangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const x0.2 Real)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(declare-const dx0.2 Real)
(assert (! (not (= (+ (+ (+ (+ (+ 0.0 (+ x0.0 (* 2.0 dx0.0))) (+ x0.1 (* 2.0 dx0.1))) (+ x0.2 (* 2.0 dx0.2))) (- (+ (+ (+ 0.0 x0.0) x0.1) x0.2))) (- (* 2.0 (+ (+ (+ 0.0 (+ dx0.0 dx0.0)) (+ dx0.1 dx0.1)) (+ dx0.2 dx0.2))))) (* 2.0 (* 2.0 0.0)))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 x0.2 dx0.0 dx0.1 dx0.2))
