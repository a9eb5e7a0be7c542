"""What schemathesis must know beyond the description: how to send an export, which is text."""

import schemathesis


@schemathesis.serializer("application/jsonl")
def jsonl(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
