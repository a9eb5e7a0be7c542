"""Reads metrics as Prometheus' own client library does, from a URL or standard input, and writes them as one JSON object:
the families' types by name, and the values of their samples by name and labels."""

import json
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families


def main():
    if len(sys.argv) > 1:
        with urllib.request.urlopen(sys.argv[1], timeout=120) as response:
            kind = response.headers["Content-Type"]
            text = response.read().decode()
    else:
        kind = ""
        text = sys.stdin.read()
    families = list(text_string_to_metric_families(text))
    names = [family.name for family in families]
    if len(names) != len(set(names)):
        raise SystemExit("a family comes twice: %s" % names)
    samples = {}
    for family in families:
        for sample in family.samples:
            labels = ",".join("%s=%s" % pair for pair in sorted(sample.labels.items()))
            key = sample.name + ("{%s}" % labels if labels else "")
            if key in samples:
                raise SystemExit("a sample comes twice: %s" % key)
            samples[key] = sample.value
    report = {
        "contentType": kind,
        "types": {family.name: family.type for family in families},
        "help": {family.name: family.documentation for family in families},
        "samples": samples,
    }
    print(json.dumps(report), flush=True)


main()
