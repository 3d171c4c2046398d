"""One group and the question that is asked of it: worked examples, stored groups, what a person
assumes, every assignor's answer.
"""
