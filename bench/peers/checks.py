"""What has to hold of a peer before its speed means anything: that it does the work, and only for who may ask."""

from processes import Failed
from seeds import new_course

PAGE = 20


def check(peer):
    """Fails with the first thing that is not as it should be."""
    for is_so in (answers_a_seed, pages, stores, refuses_strangers):
        is_so(peer)


def expect(peer, what, found, wanted):
    if found != wanted:
        raise Failed(f"{peer.name}: {what} should be {wanted!r} and is {found!r}")


def answers_a_seed(peer):
    for seed in peer.seeds[:: len(peer.seeds) // 3]:
        found = peer.course(peer.must("GET", peer.one(seed.id)))["name"]
        expect(peer, f"the name of {seed.id}", found, seed.name)


def pages(peer):
    found = [course["name"] for course in peer.courses(peer.must("GET", peer.page))]
    expect(peer, "a page", found, [seed.name for seed in peer.seeds[: -PAGE - 1 : -1]])


def stores(peer):
    before = peer.count()
    made = peer.course(peer.must("POST", peer.new, peer.sent(new_course("Checked"))))
    expect(peer, "the name of a new course", made["name"], "Checked")
    expect(peer, "the number of courses after a POST", peer.count(), before + 1)


def refuses_strangers(peer):
    course = peer.sent(new_course("Stranger's"))
    asked = [("GET", peer.one(peer.seeds[0].id), None), ("GET", peer.page, None)]
    for method, path, body in [*asked, ("POST", peer.new, course)]:
        status, _ = peer.ask(method, path, body, headers={})
        if status not in (401, 403):
            raise Failed(f"{peer.name}: {method} {path} without a key was answered with {status}")
