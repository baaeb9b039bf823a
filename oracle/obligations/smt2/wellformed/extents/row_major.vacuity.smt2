; What wellformed/extents/row_major assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NIA)
(declare-const i Int)
(declare-const inner Int)
(declare-const m Int)
(declare-const n Int)
(assert (! (and (<= 0 i) (< i m)) :named index))
(assert (! (and (<= 0 inner) (< inner n)) :named inner_position))
(check-sat)
