; What wellformed/ids/tape_step assumes can hold.
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_LIA)
(declare-const inputs Int)
(declare-const nodes Int)
(declare-const index Int)
(declare-const before Int)
(declare-const tape Int)
(assert (! (= before (+ inputs (- index 1))) :named induction))
(assert (! (= tape (+ before 1)) :named push))
(assert (! (and (>= inputs 1) (<= 1 index nodes)) :named counted))
(check-sat)
