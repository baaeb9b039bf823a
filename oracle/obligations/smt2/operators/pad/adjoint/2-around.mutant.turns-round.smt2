; Wrong: pad has its cotangents last first
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const dx0.0 Real)
(declare-const dx0.1 Real)
(assert (! (not (= (+ (+ (+ (+ (+ 0.0 (* 0.0 2.0)) (* dx0.0 4.0)) (* dx0.1 8.0)) (* 0.0 14.0)) (* 0.0 22.0)) (+ 0.0 (+ (+ 0.0 (* dx0.0 8.0)) (* dx0.1 4.0))))) :named negated-goal))
(check-sat)
(get-value (dx0.0 dx0.1))
