; Wrong: where does not ask the condition
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(assert (! (not (= (+ (+ 0.0 (* (ite (= x0.0 0.0) 9.0 6.0) 2.0)) (* (ite (= x0.1 0.0) 11.0 8.0) 4.0)) (+ (+ (+ 0.0 0.0) (+ (+ 0.0 (* 6.0 2.0)) (* 8.0 4.0))) (+ (+ 0.0 (* 9.0 2.0)) (* 11.0 4.0))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1))
