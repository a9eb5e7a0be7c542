"""Makes QR codes: for each line the modules with each of the eight masks, and the mask that is best.

They are of version 2 and level Q, as for setup payloads; with the argument `text`, in byte mode and of level M.
"""

import json
import sys

import segno

if sys.argv[1:] == ["text"]:
    options = {"error": "M", "mode": "byte", "micro": False, "boost_error": False}
else:
    options = {"version": 2, "error": "Q", "mode": "alphanumeric", "boost_error": False}

for line in sys.stdin:
    text = line.rstrip("\n")
    symbols = [segno.make(text, mask=mask, **options) for mask in range(8)]
    masks = [["".join(map(str, row)) for row in symbol.matrix] for symbol in symbols]
    print(json.dumps({"masks": masks, "best": segno.make(text, **options).mask}), flush=True)
