; dot(jvp, c) = dot(dx, vjp) for equal of [], [], for all real numbers, whatever the elementary functions are. (SEMANTICS §2, local law)
; expected: unsat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NRA)
(declare-const c.0 Real)
(assert (! (not (= (+ 0.0 (* 0.0 c.0)) (+ (+ 0.0 0.0) 0.0))) :named negated-goal))
(check-sat)
(get-unsat-core)
