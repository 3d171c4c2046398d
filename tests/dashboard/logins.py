"""What a browser has after a login at the provider `corporate` of the tests."""

import time

from evenkeel.dashboard.shell.login_cookie import Login, name_in, signed

SECRET = "0123456789abcdef0123456789abcdef"


def value_of(secret=SECRET, **claims):
    """Return the value of the cookie of a person with these claims, all of them named by a
    right.
    """
    now = time.time()
    token = {
        "sub": "ada",
        "provider": "corporate",
        "aud": "evenkeel",
        "exp": now + 600,
        "iat": now,
    } | claims
    return signed(
        Login(
            token["provider"],
            token["sub"],
            token["aud"],
            token["iat"],
            token["exp"],
            name_in(token),
            token,
        ),
        secret,
    )
