; Wrong: cos loses its sign
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const x0.0 Real)
(declare-const x0.1 Real)
(declare-const sin.0 Real)
(declare-const sin.1 Real)
(assert (! (=> (= x0.0 x0.1) (= sin.0 sin.1)) :named given.function.sin.0.sin.1))
(assert (! (not (= (+ (+ 0.0 (* (- (* sin.0 3.0)) 2.0)) (* (- (* sin.1 5.0)) 4.0)) (+ 0.0 (+ (+ 0.0 (* 3.0 (* 2.0 sin.0))) (* 5.0 (* 4.0 sin.1)))))) :named negated-goal))
(check-sat)
(get-value (x0.0 x0.1 sin.0 sin.1))
