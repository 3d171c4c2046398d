"""Text that people paste."""

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
PAYMENTS = "payments orders 0 10 110 100 pay-a-0f3c /10.4.1.17 pay-a\npayments orders 1 10 40 30 pay-b-7ac2 /10.4.1.18 pay-b\n"
REFUNDS = "refunds back 0 0 900 900 ref-a-1 /10.4.1.19 ref-a\n"
