"""TLS and HTTP/2 clients that behave badly, with Python's ssl module and frames written by hand.

tls_client.py PORT AUTHORITY BEHAVIOR: prints one line with what the server did.
"""

import socket
import ssl
import struct
import sys
import time

PORT, AUTHORITY, BEHAVIOR = int(sys.argv[1]), sys.argv[2], sys.argv[3]
LIMIT = 60
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RESET, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 6, 7, 9
END_STREAM, END_HEADERS, ACKNOWLEDGED = 1, 4, 1


def context(protocols=("http/1.1",)):
    trusting = ssl.create_default_context(cafile=AUTHORITY)
    # As strict as browsers are.
    trusting.verify_flags |= ssl.VERIFY_X509_STRICT
    trusting.set_alpn_protocols(list(protocols))
    return trusting


def connect():
    return socket.create_connection(("127.0.0.1", PORT), timeout=LIMIT)


def drained(connection):
    """Reads to the end. Returns the number of bytes."""
    count = 0
    try:
        while piece := connection.recv(65536):
            count += len(piece)
    except (ConnectionError, ssl.SSLError):
        pass
    return count


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A header field without indexing (RFC 7541, 6.2.2)."""
    def text(string):
        length = len(string)
        if length < 127:
            return bytes([length]) + string
        rest, encoded = length - 127, bytes([127])
        while rest >= 128:
            encoded += bytes([rest % 128 + 128])
            rest //= 128
        return encoded + bytes([rest]) + string
    return b"\x00" + text(name.encode()) + text(value.encode())


def request(path="/", method="GET", more=()):
    fields = [(":method", method), (":scheme", "https"), (":authority", f"localhost:{PORT}"), (":path", path), *more]
    return b"".join(literal(name, value) for name, value in fields)


def http2():
    connection = context(("h2",)).wrap_socket(connect(), server_hostname="localhost")
    assert connection.selected_alpn_protocol() == "h2"
    connection.sendall(PREFACE + frame(SETTINGS))
    return connection


def frames(connection):
    """Reads frames to the end of the connection: kind, flags, stream and payload of each."""
    buffer = b""
    while True:
        try:
            piece = connection.recv(65536)
        except (ConnectionError, ssl.SSLError):
            piece = b""
        if not piece:
            return
        buffer += piece
        while len(buffer) >= 9 and len(buffer) >= 9 + (length := int.from_bytes(buffer[:3], "big")):
            yield buffer[3], buffer[4], int.from_bytes(buffer[5:9], "big"), buffer[9:9 + length]
            buffer = buffer[9 + length:]


def ending(connection):
    """Reads frames to the end of the connection. Returns the error code of GOAWAY, or -1."""
    code = -1
    for kind, _, _, payload in frames(connection):
        if kind == GOAWAY:
            code = int.from_bytes(payload[4:8], "big")
    return code


def open_requests(count, acknowledges):
    """Begins requests, and ends them once the server has seen all. Says what became of them.

    The server's limit applies to a client that has acknowledged it."""
    connection = http2()
    received = frames(connection)
    answered, refused, end = set(), set(), "ended"
    next(each for each in received if each[0] == SETTINGS)
    if acknowledges:
        connection.sendall(frame(SETTINGS, ACKNOWLEDGED))
    fields = request("/login", "POST", [("content-type", "application/json"), ("content-length", "2")])
    streams = range(1, 2 * count, 2)
    try:
        connection.sendall(b"".join(frame(HEADERS, END_HEADERS, stream, fields) for stream in streams) + frame(PING, payload=bytes(8)))
        for kind, flags, stream, _ in received:
            if kind == PING and flags & ACKNOWLEDGED:
                connection.sendall(b"".join(frame(DATA, END_STREAM, stream, b"{}") for stream in streams if stream not in refused))
            elif kind == HEADERS:
                answered.add(stream)
            elif kind == RESET:
                refused.add(stream)
            if len(answered | refused) == count:
                end = "open"
                break
    except (ConnectionError, ssl.SSLError):
        pass
    print(f"answered {len(answered)}, refused {len(refused)}, {end}")


def flood(pieces):
    """Sends until the server ends the connection."""
    connection = http2()
    try:
        for piece in pieces:
            connection.sendall(piece)
    except (ConnectionError, ssl.SSLError):
        pass
    print(f"ended {ending(connection)}")


if BEHAVIOR == "strict":
    with context().wrap_socket(connect(), server_hostname="localhost") as connection:
        print(connection.version(), connection.selected_alpn_protocol(), connection.session_reused)
elif BEHAVIOR == "wrong-name":
    try:
        context().wrap_socket(connect(), server_hostname="bank.example")
        print("accepted")
    except ssl.SSLCertVerificationError as error:
        print(error.verify_message)
elif BEHAVIOR == "unknown-protocol":
    try:
        context(("spdy/1",)).wrap_socket(connect(), server_hostname="localhost")
        print("accepted")
    except (ConnectionError, ssl.SSLError):
        print("refused")
elif BEHAVIOR == "silent-handshake":
    # The beginning of a record, and then nothing.
    connection = connect()
    connection.sendall(b"\x16\x03\x01")
    print(f"received {drained(connection)}")
elif BEHAVIOR == "no-byte":
    print(f"received {drained(connect())}")
elif BEHAVIOR == "garbage":
    connection = connect()
    connection.sendall(b"\x16\x03\x01\x02\x00" + b"\xff" * 512)
    print("ended" if drained(connection) < 64 else "answered")
elif BEHAVIOR == "truncated":
    # The request lacks its end; the connection is cut without TLS's own announcement.
    plain = connect()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            plain.sendall(outgoing.read())
            incoming.write(plain.recv(65536))
    tls.write(f"GET / HTTP/1.1\r\nHost: localhost:{PORT}\r\n".encode())
    plain.sendall(outgoing.read())
    plain.shutdown(socket.SHUT_WR)
    drained(plain)
    print("ended")
elif BEHAVIOR == "orderly":
    # The client announces its end, and the server answers in kind.
    connection = context().wrap_socket(connect(), server_hostname="localhost")
    connection.sendall(f"GET / HTTP/1.1\r\nHost: localhost:{PORT}\r\n\r\n".encode())
    response = b""
    while not response.endswith(sys.argv[4].encode()):
        response += connection.recv(65536)
    connection.unwrap().close()
    print(response.split(b"\r\n")[0].decode())
elif BEHAVIOR == "unread":
    # The client asks for a large file and reads nothing.
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    plain.settimeout(LIMIT)
    plain.connect(("127.0.0.1", PORT))
    connection = context().wrap_socket(plain, server_hostname="localhost")
    connection.sendall(f"GET {sys.argv[4]} HTTP/1.1\r\nHost: localhost:{PORT}\r\n\r\n".encode())
    connection.recv(1)
    print("waiting", flush=True)
    sys.stdin.readline()
    print(f"received {drained(connection)}")
elif BEHAVIOR == "pings":
    flood(frame(PING, payload=bytes(8)) for _ in range(100_000))
elif BEHAVIOR == "settings":
    flood(frame(SETTINGS) for _ in range(100_000))
elif BEHAVIOR == "resets":
    def resets():
        for number in range(1, 100_000, 2):
            yield frame(HEADERS, END_STREAM | END_HEADERS, number, request()) + frame(RESET, 0, number, struct.pack(">I", 8))
    flood(resets())
elif BEHAVIOR == "continuations":
    def continuations():
        yield frame(HEADERS, END_STREAM, 1, request())
        for _ in range(100_000):
            yield frame(CONTINUATION, 0, 1, literal("x-filler", "x" * 1000))
    flood(continuations())
elif BEHAVIOR == "large-header":
    flood([frame(HEADERS, END_STREAM, 1, request(more=[("x-filler", "x" * 15000)])),
           frame(CONTINUATION, END_HEADERS, 1, literal("x-filler", "x" * 15000)), *(frame(PING, payload=bytes(8)) for _ in range(100_000))])
elif BEHAVIOR.startswith("open-requests"):
    open_requests(int(sys.argv[4]), BEHAVIOR != "open-requests-unacknowledged")
elif BEHAVIOR == "idle-http2":
    print(f"ended {ending(http2())}")
else:
    sys.exit(f"no such behavior: {BEHAVIOR}")
