; Wrong: the coordinate is anything.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const c Int)
(declare-const extent Int)
(declare-const summed Int)
(assert (! (and (and (<= 1 extent 6)) (and (<= 0 c 20)) (and (<= 0 summed 1))) :named small))
(assert (! (not (and (<= 0 (ite (= summed 1) 0 c)) (< (ite (= summed 1) 0 c) (ite (= summed 1) 1 extent)))) :named negated-goal))
(check-sat)
(get-value (c extent summed))
