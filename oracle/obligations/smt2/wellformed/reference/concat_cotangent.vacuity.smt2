; What wellformed/reference/concat_cotangent assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UFLIA)
(declare-const c Int)
(declare-const w Int)
(declare-const total Int)
(declare-fun before (Int) Int)
(declare-fun extent (Int) Int)
(assert (! (and (<= 0 c) (< c (extent w))) :named coordinate))
(assert (! (<= 0 (before w)) :named begins))
(assert (! (<= (+ (before w) (extent w)) total) :named ends))
(check-sat)
