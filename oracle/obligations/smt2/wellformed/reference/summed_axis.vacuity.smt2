; What wellformed/reference/summed_axis assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const c Int)
(declare-const extent Int)
(declare-const summed Int)
(assert (! (and (<= 0 c) (< c extent)) :named coordinate))
(check-sat)
