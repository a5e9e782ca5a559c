"""A few requests to a peer, one after the other: what wrk is not for."""

import json
import urllib.error
import urllib.request


def ask(method, url, headers=None, body=None):
    """Status and decoded body of an answer, whatever it is; 0 and None if nobody answers."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, decoded(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, decoded(error.read())
    except OSError:
        return 0, None


def decoded(body):
    """What it says in JSON, or else its text."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
