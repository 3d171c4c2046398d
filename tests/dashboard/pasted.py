"""Text that people paste."""

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
PAYMENTS = (
    "payments orders 0 10 110 100 pay-a-0f3c /10.4.1.17 pay-a\npayments orders 1 10 40 30"
    " pay-b-7ac2 /10.4.1.18 pay-b\n"
)
REFUNDS = "refunds back 0 0 900 900 ref-a-1 /10.4.1.19 ref-a\n"

README = (
    "payments orders 0 1000 101000 100000 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
    "payments orders 1 1000 61000 60000 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
    "payments orders 2 1000 51000 50000 pay-b-7ac2d9b1 /10.4.1.18 pay-b\n"
)
README_LATER = (
    "payments orders 0 4000 104000 100000 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
    "payments orders 1 3000 61900 58900 pay-a-0f3c1e52 /10.4.1.17 pay-a\n"
    "payments orders 2 31000 53000 22000 pay-b-7ac2d9b1 /10.4.1.18 pay-b\n"
)
"""6 seconds later: pay-a reads 833.3 records/s, pay-b 5,000; 500, 150 and 333.3 come in."""
