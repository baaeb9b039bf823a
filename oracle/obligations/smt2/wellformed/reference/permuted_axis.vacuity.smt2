; What wellformed/reference/permuted_axis assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-const a Int)
(declare-fun from (Int) Int)
(declare-fun to (Int) Int)
(declare-fun axes (Int) Int)
(declare-fun inverse (Int) Int)
(declare-fun coordinate (Int) Int)
(assert (! (and (= (axes (inverse a)) a) (= (to (inverse a)) (from (axes (inverse a))))) :named rule))
(assert (! (and (<= 0 (coordinate (inverse a))) (< (coordinate (inverse a)) (to (inverse a)))) :named coordinate))
(check-sat)
