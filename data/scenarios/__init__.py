"""One group and a question about it: worked examples, stored groups, a person's assumptions, every
assignor's answer.
"""
