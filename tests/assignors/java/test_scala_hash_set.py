"""The order of Scala 2.13's immutable HashSet, as scala-library 2.13 of Kafka 4.3.1 iterates it."""

from evenkeel.assignors.java.scala_hash_set import iteration_order

WITH_EQUAL_HASH_CODES = ["orders", "payments", "returns", "Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa"]


def test_names_alone_in_their_slot_come_first_and_those_with_one_hash_code_keep_their_order():
    iterated = ["payments", "returns", "orders", "Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa"]

    assert iteration_order(WITH_EQUAL_HASH_CODES) == iterated


def test_names_that_share_a_slot_come_after_the_others_by_their_next_five_bits():
    iterated = "t36 t14 t39 t17 t15 t27 t38 t21 t10 t30 t19 t22 t11 t31 t20 t29 t13 t4 t5 t35 t24 t18 t0 t9 t3 t32 t25 t28 t6 t2 t7 t37 t16 t33 t26 t23 t8 t12 t1 t34"

    assert iteration_order([f"t{number}" for number in range(40)]) == iterated.split()
