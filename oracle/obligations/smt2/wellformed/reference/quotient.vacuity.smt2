; What wellformed/reference/quotient assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_NIA)
(declare-const p Int)
(declare-const q Int)
(declare-const r Int)
(declare-const m Int)
(declare-const n Int)
(assert (! (and (<= 0 p) (< p (* m n))) :named position))
(assert (! (and (= p (+ (* q n) r)) (and (<= 0 r) (< r n))) :named division))
(check-sat)
