; What wellformed/reference/concat_found assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-const c Int)
(declare-const k Int)
(declare-const count Int)
(declare-fun before (Int) Int)
(assert (! (<= k count) :named looked_at))
(assert (! (<= (before k) c) :named none_so_far))
(assert (! (< c (before count)) :named joined))
(check-sat)
