; Wrong: 2147483648 products fit too.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(define-fun within ((sum Int) (k Int)) Bool (and (<= (- (* 79228162514264337593543950336 k)) sum) (<= sum (* 79228162514264337593543950336 k))))
(declare-const sum Int)
(declare-const k Int)
(assert (! (within sum k) :named invariant))
(assert (! (<= k 2147483648) :named count))
(assert (! (not (and (< (- 170141183460469231731687303715884105728) sum) (< sum 170141183460469231731687303715884105728))) :named negated-goal))
(check-sat)
(get-value (sum k))
