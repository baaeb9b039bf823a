; What wellformed/reference/broadcast_axis assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const c Int)
(declare-const from Int)
(declare-const to Int)
(assert (! (or (= from 1) (= from to)) :named rule))
(assert (! (and (<= 0 c) (< c to)) :named coordinate))
(check-sat)
