; What wellformed/reference/same_size assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const p Int)
(declare-const to Int)
(declare-const from Int)
(assert (! (and (<= 0 p) (< p to)) :named position))
(assert (! (= to from) :named rule))
(check-sat)
