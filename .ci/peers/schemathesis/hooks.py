"""A plant's id must be new: the store may refuse one that it knows."""
import itertools

import schemathesis

sent, fresh = set(), itertools.count(4_000_000_000)


@schemathesis.hook
def before_call(context, case, kwargs):
    if isinstance(case.body, dict) and type(case.body.get("id")) is int:
        if case.body["id"] in sent:
            case.body = {**case.body, "id": next(fresh)}
        sent.add(case.body["id"])
