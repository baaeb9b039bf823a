; What rewrites/in_place/row_major assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NIA)
(declare-const e Int)
(declare-const q Int)
(declare-const r Int)
(declare-const q2 Int)
(declare-const r2 Int)
(assert (! (and (<= 0 r) (< r e) (<= 0 r2) (< r2 e)) :named within))
(check-sat)
