; Wrong: subtract has twice its tangent
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x1.0 Real)
(declare-const dx0.0 Real)
(declare-const dx1.0 Real)
(assert (! (not (= (+ (+ (+ (+ x0.0 (* 2.0 dx0.0)) (- (+ x1.0 (* 2.0 dx1.0)))) (- (+ x0.0 (- x1.0)))) (- (* 2.0 (+ (+ dx0.0 dx0.0) (- (+ dx1.0 dx1.0)))))) (* 2.0 (* 2.0 0.0)))) :named negated-goal))
(check-sat)
(get-value (x0.0 x1.0 dx0.0 dx1.0))
