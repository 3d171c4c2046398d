"""Describe messages of consumer (KIP-848), share (KIP-932, KIP-1226) and streams (KIP-1071) groups, which kafka-python does not carry."""

from kafka.protocol.api_message import ApiMessage

_HERE = "evenkeel.data.live.wire.messages"


class ConsumerGroupDescribeRequest(ApiMessage, load_json=_HERE):
    """API 69."""


class ConsumerGroupDescribeResponse(ApiMessage, load_json=_HERE):
    """API 69."""


class ShareGroupDescribeRequest(ApiMessage, load_json=_HERE):
    """API 77."""


class ShareGroupDescribeResponse(ApiMessage, load_json=_HERE):
    """API 77."""


class DescribeShareGroupOffsetsRequest(ApiMessage, load_json=_HERE):
    """API 90."""


class DescribeShareGroupOffsetsResponse(ApiMessage, load_json=_HERE):
    """API 90."""


class StreamsGroupDescribeRequest(ApiMessage, load_json=_HERE):
    """API 89."""


class StreamsGroupDescribeResponse(ApiMessage, load_json=_HERE):
    """API 89."""
