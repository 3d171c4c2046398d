"""An OpenID provider for tests: npm's certified `oidc-provider` as a process on loopback, one that
forges tokens, and oauth2-proxy.
"""

import base64
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import urlopen

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.ending import WITH_US
from tests.services.ports import free_port
from tests.waiting import lines_until, until

_HERE = Path(__file__).parent / "oidc"
_PROXY = Path(__file__).parents[2] / ".venv/oauth2-proxy"
_MODULES = Path(__file__).parents[2] / ".venv/oidc-provider"
CLIENT_ID, CLIENT_SECRET = "evenkeel", "secret-of-the-tests"


@contextmanager
def certified(
    server: str,
    accounts: dict,
    seconds: int = 3600,
    port: int = 0,
    callback: str = "/oauth2callback",
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Run the certified provider for a server's address; yield its own address and its process.
    `accounts`: claims by login.

    `seconds`: how long a token is valid. `callback`: where it sends people back to. Without node or
    its package, the tests that ask for it are skipped and say so.
    """
    if not shutil.which("node") or not (_MODULES / "node_modules/oidc-provider").is_dir():
        pytest.skip("the OpenID provider of the tests is not installed: make oidc-provider")
    back, port = f"{server}{callback}", port or free_port()
    client = {
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
        "redirect_uris": [back],
        "post_logout_redirect_uris": [back],
    }
    said = json.dumps({"port": port, "client": client, "accounts": accounts, "seconds": seconds})
    environment = {"PATH": os.environ["PATH"], "OIDC_PROVIDER_MODULES": str(_MODULES)}
    command = [*WITH_US, "node", str(_HERE / "provider.mjs"), said]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            # Its warnings come first, on the same stream.
            lines_until(process, "listening")
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()


@contextmanager
def oauth2_proxy(provider: str, upstream: str, port: int, folder: Path) -> Iterator[str]:
    """Run oauth2-proxy in front of a server, with that provider; yield its address. `folder`: for
    its log.

    Without the program the tests that ask for it are skipped and say so.
    """
    program = shutil.which("oauth2-proxy", path=f"{_PROXY}{os.pathsep}{os.environ['PATH']}")
    if not program:
        pytest.skip("oauth2-proxy is not installed: make oauth2-proxy")
    address = f"http://127.0.0.1:{port}"
    options = {
        **{
            "provider": "oidc",
            "oidc-issuer-url": provider,
            "client-id": CLIENT_ID,
            "client-secret": CLIENT_SECRET,
        },
        **{
            "redirect-url": f"{address}/oauth2/callback",
            "http-address": f"127.0.0.1:{port}",
            "upstream": upstream,
            "email-domain": "*",
        },
        **{
            "cookie-secret": "0123456789abcdef" * 2,
            "cookie-secure": "false",
            "scope": "openid profile email groups",
        },
        **{
            "pass-user-headers": "true",
            "skip-provider-button": "true",
            "code-challenge-method": "S256",
        },
    }
    with (folder / "oauth2-proxy.log").open("w") as log:
        process = subprocess.Popen(
            [*WITH_US, program, *(f"--{name}={value}" for name, value in options.items())],
            stdout=log,
            stderr=log,
        )
        with process:
            try:
                until(lambda: _answers(f"{address}/ping"))
                yield address
            finally:
                process.terminate()


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=180) as answer:
            return answer.status == 200
    except OSError:
        return False


class Forger:
    """A provider that answers as one should, but for the token that `forge(claims, key)` makes: it
    holds every key of its own.
    """

    def __init__(self):
        self.key, self.other = (
            RSAKey.generate_key(parameters={"kid": "one"}),
            RSAKey.generate_key(parameters={"kid": "one"}),
        )
        self.forge = lambda claims: self.signed(claims)
        self.nonce = ""
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), type("Handler", (_Answers,), {"forger": self})
        )
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Forger":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def claims(self) -> dict:
        """Return those of a good token."""
        now = int(time.time())
        told = {
            "iss": self.address,
            "sub": "eve",
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 600,
            "nonce": self.nonce,
        }
        return told | {"groups": ["payments-team"]}

    def signed(self, claims: dict, key: RSAKey | None = None) -> str:
        return jwt.encode({"alg": "RS256", "kid": "one"}, claims, key or self.key)

    @staticmethod
    def unsigned(claims: dict) -> str:
        """Return a token with the algorithm `none`."""
        parts = (
            base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
            for part in ({"alg": "none"}, claims)
        )
        return ".".join([*parts, ""])


class _Answers(BaseHTTPRequestHandler):
    forger: Forger

    def do_GET(self):
        url, forger = urlsplit(self.path), self.forger
        if url.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(url.query).items()}
            forger.nonce = asked["nonce"]
            self.send_response(302)
            self.send_header(
                "Location",
                f"{asked['redirect_uri']}?{urlencode({'code': 'any', 'state': asked['state']})}",
            )
            self.end_headers()
            return
        jwks = {"keys": [forger.key.as_dict(private=False)]}
        places = {name: f"{forger.address}/{path}" for name, path in _PLACES.items()}
        self._say(
            jwks
            if url.path == "/jwks"
            else places
            | {"issuer": forger.address, "id_token_signing_alg_values_supported": ["RS256"]}
        )

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self._say(
            {
                "access_token": "any",
                "token_type": "Bearer",
                "id_token": self.forger.forge(self.forger.claims()),
            }
        )

    def _say(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


_PLACES = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
