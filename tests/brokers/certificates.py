"""Certificates of a test broker: an authority of its own, and keys in the one form that Kafka reads
(PKCS#8).
"""

from pathlib import Path

import trustme
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)


class Certificates:
    """`authority` is the file that clients trust, `broker` key and chain in one file, as Kafka's
    PEM key store wants them.
    """

    def __init__(self, folder: Path, *, name: str = "kafka"):
        made = trustme.CA()
        issued = made.issue_cert("localhost", "127.0.0.1")
        key = load_pem_private_key(issued.private_key_pem.bytes(), None).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        )
        self.authority = folder / f"{name}-authority.pem"
        self.broker = folder / f"{name}-broker.pem"
        made.cert_pem.write_to_path(self.authority)
        self.broker.write_bytes(key + b"".join(one.bytes() for one in issued.cert_chain_pems))
