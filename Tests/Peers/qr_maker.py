"""Makes QR codes of version 2 and level Q: for each line the modules with each of the eight masks, and the mask that is best."""

import json
import sys

import segno

for line in sys.stdin:
    text = line.rstrip("\n")
    options = {"version": 2, "error": "Q", "mode": "alphanumeric", "boost_error": False}
    symbols = [segno.make(text, mask=mask, **options) for mask in range(8)]
    masks = [["".join(map(str, row)) for row in symbol.matrix] for symbol in symbols]
    print(json.dumps({"masks": masks, "best": segno.make(text, **options).mask}), flush=True)
