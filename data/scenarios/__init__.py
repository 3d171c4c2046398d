"""One group and the question that is asked of it: worked examples, stored groups, a person's
assumptions, every assignor's answer.
"""
