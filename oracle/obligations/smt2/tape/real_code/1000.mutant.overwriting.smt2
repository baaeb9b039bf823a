; Wrong: a contribution takes the place of what was there
; expected: sat
(set-option :produce-unsat-cores true)
(set-option :produce-models true)
(set-logic QF_UF)
(declare-sort Val 0)
(declare-const seed_1001_0 Val)
(declare-const seed_1002_0 Val)
(declare-fun add (Val Val) Val)

(define-fun graph_1 () Val (add seed_1001_0 seed_1002_0))
(assert (! true :named unit))
(assert (! (not (= seed_1002_0 graph_1)) :named negated-goal))
(check-sat)
(get-value (seed_1002_0 seed_1001_0 graph_1))
