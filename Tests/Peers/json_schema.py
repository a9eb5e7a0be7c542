"""Judges JSON files by a JSON schema: what is wrong with each, an empty list if nothing is."""

import json
import sys

from jsonschema import Draft202012Validator

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
verdicts = {}
for path in sys.stdin.read().splitlines():
    with open(path, encoding="utf-8") as file:
        verdicts[path] = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.load(file))]
print(json.dumps(verdicts), flush=True)
