"""Reads QR codes: for each line, rows of modules as a JSON list, `1` for a dark one, the texts that a camera would find.

Light symbols on a dark ground are not read, though some readers can.
"""

import json
import sys

import zxingcpp

SCALE = 4

for line in sys.stdin:
    rows = json.loads(line)
    pixels = bytearray()
    for row in rows:
        pixels += "".join(module * SCALE for module in row).encode().translate(bytes.maketrans(b"01", b"\xff\x00")) * SCALE
    image = memoryview(pixels).cast("B", (len(rows) * SCALE, len(rows[0]) * SCALE))
    found = zxingcpp.read_barcodes(image, formats=zxingcpp.BarcodeFormat.QRCode, try_invert=False)
    print(json.dumps({"texts": [barcode.text for barcode in found], "levels": [barcode.ec_level for barcode in found]}), flush=True)
