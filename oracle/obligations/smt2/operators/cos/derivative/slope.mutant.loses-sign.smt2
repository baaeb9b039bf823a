; Wrong: the slope of cos loses its sign
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const dx0.0 Real)
(declare-const sin.0 Real)
(assert (! (not (= (+ (* (* 1.0 sin.0) dx0.0) (* 0.0 (- (* sin.0 dx0.0)))) (* (- sin.0) dx0.0))) :named negated-goal))
(check-sat)
(get-value (x0.0 dx0.0 sin.0))
