; What accumulators/quire_posit8/postcondition assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 79228162514264337593543950336 k)) sum) (<= sum (* 79228162514264337593543950336 k))))
(declare-const sum Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (<= k 2147483647) :named count))
(check-sat)
