; What rewrites/in_place/dense assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const n Int)
(declare-const looked Int)
(declare-const i0 Int)
(declare-const j0 Int)
(declare-const i1 Int)
(declare-const j1 Int)
(declare-const i2 Int)
(declare-const j2 Int)
(check-sat)
