; What accumulators/quire_posit32/attention/sum_2 assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 3121748550315992231381597229793166305748598142664971150859156959625371738819765620120306103063491971159826931121406622895447975679288285306290176 k)) sum) (<= sum (* 3121748550315992231381597229793166305748598142664971150859156959625371738819765620120306103063491971159826931121406622895447975679288285306290176 k))))
(declare-const sum Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (<= k 1280) :named terms))
(check-sat)
