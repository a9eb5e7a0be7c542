"""What schemathesis must know beyond the relay's description: a house and a feed that exist, and how to send bytes."""

import os

import schemathesis

#: What exists, so that requests get beyond the check of rights.
KNOWN = {"house": os.environ.get("RELAY_HOUSE", ""), "feed": os.environ.get("RELAY_FEED", "")}


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    for name, value in KNOWN.items():
        # Some requests keep what was made up: what doesn't exist must be refused.
        if value and path_parameters and name in path_parameters and hash(str(path_parameters[name])) % 4:
            path_parameters[name] = value
    return path_parameters


@schemathesis.hook
def map_query(context, query):
    # A request that waits is answered late, as it should be.
    wait = (query or {}).get("wait")
    if isinstance(wait, int) and 1 < wait <= 55:
        query["wait"] = 1
    return query


@schemathesis.serializer("application/octet-stream")
def octets(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
