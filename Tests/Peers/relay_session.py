"""Opens a session at a relay with OpenSSL's Ed25519, registers a house, and makes a feed. Prints the token, the house and the feed.

It follows Documentation/Relay.md alone."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

url = sys.argv[1]
host = urllib.parse.urlsplit(url).netloc.lower()


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, check=True, capture_output=True).stdout


def request(method, path, body=None, token=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    call = urllib.request.Request(url + path, method=method, data=body, headers=headers)
    with urllib.request.urlopen(call) as response:
        return response.read()


with tempfile.TemporaryDirectory() as folder:
    key, message = os.path.join(folder, "key.pem"), os.path.join(folder, "message")
    openssl("genpkey", "-algorithm", "ed25519", "-out", key)
    public = openssl("pkey", "-in", key, "-pubout", "-outform", "DER")[-32:]
    now, nonce = int(time.time() * 1000), os.urandom(16)
    with open(message, "wb") as file:
        file.write(b"hearth relay session 1\0" + f"{host}\n{now}\n".encode() + nonce)
    signature = openssl("pkeyutl", "-sign", "-inkey", key, "-rawin", "-in", message)

encode = lambda data: base64.b64encode(data).decode()
proof = {"key": encode(public), "time": now, "nonce": encode(nonce), "signature": encode(signature)}
token = json.loads(request("POST", "/v1/session", json.dumps(proof).encode()))["token"]
house, feed = os.urandom(8).hex(), os.urandom(16).hex()
request("PUT", f"/v1/houses/{house}", json.dumps({"owners": [encode(public)]}).encode(), token)
request("PUT", f"/v1/houses/{house}/feeds/{feed}", b"", token)
print(token, house, feed)
