; What wellformed/reference/concat_part assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-const c Int)
(declare-const w Int)
(declare-fun before (Int) Int)
(declare-fun extent (Int) Int)
(assert (! (= (before (+ w 1)) (+ (before w) (extent w))) :named sums))
(assert (! (< c (before (+ w 1))) :named ends_beyond))
(assert (! (<= (before w) c) :named first))
(check-sat)
