"""Measures a relay: appending in SQLite and in PostgreSQL next to pgbench with the same statement, wakes next to bare answers, live
streams, and a new device's download. Prints one JSON object with the samples of each figure.

Usage: relay_load.py HEARTH FOLDER STREAMS ROUNDS

It follows Documentation/Relay.md alone. PostgreSQL is the system's, with a folder of its own."""

import asyncio, base64, glob, hashlib, json, os, pathlib, resource, shutil, struct, subprocess, sys, time
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

hearth, folder, streams, rounds = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
HOUSES, APPENDS, CONNECTIONS, BATCH, ENTRY_BYTES = 200, 4_000, 64, 16, 1_100
SPARE_FILES, WATCHERS, WAKES, STREAMS_PER_KEY, KEYS_PER_HOUSE, IDLE_SECONDS = 200, 48, 200, 4, 4, 20
# A full state of a home with 1,000 accessories, in the parts that a hub writes.
BASE_PARTS, BASE_BYTES = 4, 355_000
WAKE, HASH_BYTES = 1, 32
figures, processes = {}, []


def add(figure, value):
    figures.setdefault(figure, []).append(value)


def note(text):
    print(f"relay: {text}", file=sys.stderr, flush=True)


def encoded(data):
    return base64.b64encode(data).decode()


# Processes


def start_relay(*storage):
    process = subprocess.Popen(
        [hearth, "relay", *map(str, storage), "--http", "0", "--open", "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )
    processes.append(process)
    for line in process.stdout:
        if line.startswith("{") and (event := json.loads(line)).get("event") == "ready":
            return process, event["url"].removeprefix("http://")
    sys.exit("the relay ended before it was ready")


def end(process):
    process.terminate()
    process.wait()
    processes.remove(process)


def running_time(pid):
    """The processor time of a process with one thread, in seconds."""
    return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def processor_time(pid):
    """The processor time of a process with all its threads, in seconds."""
    return time.clock_gettime((~pid << 3) | 2)


def memory(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024


class Postgres:
    """A server of its own, which only this program can reach."""

    def __init__(self):
        tools = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
        if not tools:
            sys.exit("PostgreSQL is missing: apt-get install postgresql")
        self.folder = pathlib.Path(f"/tmp/hearth-bench-postgres-{os.getpid()}")
        self.folder.mkdir(mode=0o700)
        person = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
            person = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
        run = dict(cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        data = ["-D", self.folder / "data"]
        subprocess.run([*person, f"{tools[-1]}/initdb", *data, "-A", "trust", "-U", "postgres", "--no-sync"], check=True, **run)
        options = ["listen_addresses=", "shared_buffers=128MB", "track_activity_query_size=8192", "max_wal_size=4GB"]
        server = [f"{tools[-1]}/postgres", *data, "-k", self.folder, *(f"-c{option}" for option in options)]
        self.process = subprocess.Popen([*person, *server], **run)
        self.place = f"host={self.folder} user=postgres dbname=postgres"
        while subprocess.run(["pg_isready", "-q", "-h", self.folder]).returncode:
            if self.process.poll() is not None:
                sys.exit("PostgreSQL ended before it was ready")
            time.sleep(0.05)

    def time(self):
        """The processor time of all its processes, in seconds. They must not end meanwhile."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return sum(running_time(pid) for pid in [self.process.pid, *children])

    def read(self, sql):
        return subprocess.run(["psql", "-XAtd", self.place, "-c", sql], check=True, capture_output=True, text=True).stdout.strip()

    def end(self):
        self.process.send_signal(2)
        self.process.wait()
        shutil.rmtree(self.folder)


# Requests


class Connection:
    def __init__(self, host, token=None, address="198.51.100.1"):
        self.host, self.token, self.address = host, token, address

    async def open(self, source="127.0.0.1"):
        name, port = self.host.split(":")
        self.reader, self.writer = await asyncio.open_connection(name, int(port), local_addr=(source, 0), limit=1 << 22)
        return self

    def send(self, method, path, body=b""):
        session = f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nX-Forwarded-For: {self.address}\r\n{session}"
        self.writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)

    async def head(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), fields

    async def ask(self, method, path, body=b"", expecting=range(300)):
        self.send(method, path, body)
        status, fields = await self.head()
        answer = await self.reader.readexactly(int(fields.get("content-length", 0)))
        if status not in expecting:
            sys.exit(f"{method} {path}: {status} {answer[:300]}")
        return answer

    async def frame(self):
        """The next frame of a live stream, which is the body in chunks."""
        if not hasattr(self, "frames"):
            self.frames = b""
        while len(self.frames) < 4 or len(self.frames) < 4 + struct.unpack(">I", self.frames[:4])[0]:
            size = int(await self.reader.readuntil(b"\r\n"), 16)
            self.frames += (await self.reader.readexactly(size + 2))[:-2]
        length = 4 + struct.unpack(">I", self.frames[:4])[0]
        frame, self.frames = self.frames[:length], self.frames[length:]
        return frame[4], frame[9:]

    def close(self):
        self.writer.close()


class Key:
    def __init__(self):
        self.key = Ed25519PrivateKey.generate()
        self.public = self.key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    async def session(self, connection):
        now, nonce = int(time.time() * 1000), os.urandom(16)
        message = b"hearth relay session 1\0" + f"{connection.host}\n{now}\n".encode() + nonce
        proof = {"key": encoded(self.public), "time": now, "nonce": encoded(nonce), "signature": encoded(self.key.sign(message))}
        return json.loads(await connection.ask("POST", "/v1/session", json.dumps(proof).encode()))["token"]


class Feed:
    """A feed of a house of its own, and the place of its last entry."""

    def __init__(self):
        self.house, self.feed = os.urandom(8).hex(), os.urandom(16).hex()
        self.seq, self.head = 0, bytes(HASH_BYTES)

    @property
    def path(self):
        return f"/v1/houses/{self.house}/feeds/{self.feed}"

    async def make(self, connection, *keys):
        owners = [encoded(key.public) for key in keys]
        await connection.ask("PUT", f"/v1/houses/{self.house}", json.dumps({"owners": owners}).encode())
        await connection.ask("PUT", self.path)

    def item(self, size=ENTRY_BYTES, base=False, part=(1, 1)):
        header = {
            "base": base, "feed": self.feed, "gen": 1, "house": self.house, "hub": "0" * 36, "part": part, "prev": self.head.hex(),
            "salt": "A" * 22 + "==", "seq": self.seq + 1, "term": 0, "time": 1790000000000, "version": 1,
        }
        entry = json.dumps(header, separators=(",", ":")).encode() + b"\n"
        entry += os.urandom(max(0, size - len(entry)))
        item = bytes.fromhex(self.feed) + struct.pack(">q", self.seq) + self.head + struct.pack(">qI", 0, len(entry)) + entry
        self.seq, self.head = self.seq + 1, hashlib.sha256(entry).digest()
        return item


async def begin(host):
    """Makes an owner, with a session."""
    owner, connection = Key(), await Connection(host).open()
    connection.token = await owner.session(connection)
    return owner, connection


# Figures


async def append(host, batch):
    """Appends on many connections at once, so many entries a request. Returns the number of entries."""
    owner, first = await begin(host)
    feeds = [Feed() for _ in range(HOUSES)]
    for number, feed in enumerate(feeds):
        first.address = f"198.51.{number // 200}.{1 + number % 200}"
        await feed.make(first, owner)
        if batch > 1:
            feed.others = [Feed() for _ in range(batch - 1)]
            for other in feed.others:
                other.house = feed.house
                await first.ask("PUT", other.path)
    connections = [await Connection(host, first.token).open() for _ in range(CONNECTIONS)]
    # The bodies are made before, so that this program needs little time meanwhile.
    turns = APPENDS // (HOUSES * batch) if batch > 1 else APPENDS // HOUSES
    work = [(f"/v1/houses/{f.house}/entries", [b"".join(g.item() for g in [f, *getattr(f, "others", [])]) for _ in range(max(1, turns))]) for f in feeds]

    async def send(connection, share):
        for path, bodies in share:
            for body in bodies:
                results = json.loads(await connection.ask("POST", path, body))["results"]
                assert all("seq" in result and "error" not in result for result in results), results

    async def measured():
        await asyncio.gather(*(send(c, work[i::CONNECTIONS]) for i, c in enumerate(connections)))

    return measured, HOUSES * batch * max(1, turns), connections + [first]


async def measure_appends(name, process, host, batch, database=None):
    work, count, connections = await append(host, batch)
    before, start = (processor_time(process.pid), database.time() if database else 0), time.monotonic()
    await work()
    seconds = time.monotonic() - start
    relay, server = processor_time(process.pid) - before[0], (database.time() if database else 0) - before[1]
    add(f"{name} relay", relay / count * 1e6)
    add(f"{name} rate", count / relay)
    add(f"{name} throughput", count / seconds)
    if database:
        add(f"{name} database", server / count * 1e6)
        add(f"{name} both", (relay + server) / count * 1e6)
    for connection in connections:
        connection.close()


def measure_pgbench(database, statement):
    """The statement that the relay used last, one entry at a time on 16 connections, with entries of the same size."""
    database.read("CREATE SCHEMA IF NOT EXISTS bench")
    zeros, house = "'\\x" + "00" * HASH_BYTES + "'::bytea", "'\\x01'::bytea"
    feed = "decode(lpad(to_hex(:client_id::int), 32, '0'), 'hex')"
    values = [house, feed, house, ":seq::bigint", zeros, "0::bigint", "1::bigint", "1::bigint", "1::bigint", "false", zeros]
    values += [f"'\\x{'ab' * ENTRY_BYTES}'::bytea", "1790000000000::bigint"]
    for number, value in reversed(list(enumerate(values, 1))):
        statement = statement.replace(f"${number}::", f"ARRAY[{value}]::")
    script = database.folder / "append.sql"
    script.write_text(statement + ";\n\\set seq :seq + 1\n")
    database.read("DELETE FROM entry WHERE house = '\\x01'; DELETE FROM feed WHERE house = '\\x01'; DELETE FROM house WHERE id = '\\x01'")
    database.read("INSERT INTO house VALUES ('\\x01', ARRAY['\\x01'::bytea], 'home', 0, 1790000000000)")
    database.read(f"INSERT INTO feed(house, id, head) SELECT '\\x01', decode(lpad(to_hex(c), 32, '0'), 'hex'), {zeros} FROM generate_series(0, 15) c")
    options = "-c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"
    arguments = ["-n", "-M", "prepared", "-c", "16", "-j", "4", "-t", str(APPENDS // 16), "-D", "seq=0", "-f", script]
    children, server = resource.getrusage(resource.RUSAGE_CHILDREN), ended(database)
    subprocess.run(
        ["pgbench", *arguments, database.place], check=True, env={**os.environ, "PGOPTIONS": options}, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    count = int(database.read("SELECT count(*) FROM entry WHERE house = '\\x01'"))
    assert count == APPENDS // 16 * 16, count
    client = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    total = client + ended(database) - server
    add("pgbench both", total / count * 1e6)


def ended(database):
    """The processor time of the server's processes that have ended, in seconds."""
    fields = pathlib.Path(f"/proc/{database.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK") + database.time()


async def measure_wakes(host):
    owner, connection = await begin(host)
    feed = Feed()
    await feed.make(connection, owner)
    watchers, others = [], [Key() for _ in range(WATCHERS // STREAMS_PER_KEY)]
    readers = [{"key": encoded(key.public), "rights": "r"} for key in others]
    await connection.ask("PUT", f"{feed.path}/readers", json.dumps({"seq": 1, "readers": readers}).encode())
    for key in others:
        token = None
        for _ in range(STREAMS_PER_KEY):
            watcher = await Connection(host, token).open()
            token = watcher.token = token or await key.session(watcher)
            watcher.send("GET", f"/v1/houses/{feed.house}/live?feed={feed.feed}")
            await watcher.head()
            watchers.append(watcher)

    async def arrival(watcher, seq):
        while True:
            kind, payload = await watcher.frame()
            if kind == WAKE and struct.unpack(">q", payload[16:])[0] >= seq:
                return time.monotonic()

    async def echo(one, start):
        await one.ask("GET", "/", expecting=[404])
        return time.monotonic() - start

    plain = [await Connection(host).open() for _ in range(WATCHERS)]
    delays, echoes = [], []
    for _ in range(WAKES):
        item = feed.item()
        waiting = [asyncio.create_task(arrival(watcher, feed.seq)) for watcher in watchers]
        await connection.ask("POST", f"/v1/houses/{feed.house}/entries", item)
        answered = time.monotonic()
        delays += [max(0, await task - answered) for task in waiting]
        # As many bare answers of the same process at once.
        start = time.monotonic()
        echoes += await asyncio.gather(*(echo(one, start) for one in plain))
    percentile = lambda values: sorted(values)[int(len(values) * 0.99)]
    add("wake p99", percentile(delays) * 1e3)
    add("echo p99", percentile(echoes) * 1e3)
    add("wake ratio", percentile(delays) / percentile(echoes))
    for one in watchers + plain + [connection]:
        one.close()


async def measure_streams(process, host):
    opened, before = [], memory(process.pid)
    number = 0
    # A relay whose files are used up accepts nobody until one leaves, and this program has as many.
    count = min(streams, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES)
    try:
        while len(opened) < count:
            keys, feed = [Key() for _ in range(KEYS_PER_HOUSE)], Feed()
            connection, number = await Connection(host, address=f"203.{number >> 16}.{number >> 8 & 255}.{number & 255}").open(), number + 1
            tokens = []
            for key in keys:
                connection.token = None
                tokens.append(await key.session(connection))
            connection.token = tokens[0]
            await feed.make(connection, *keys)
            connection.close()
            for token in tokens:
                for _ in range(STREAMS_PER_KEY):
                    stream = await Connection(host, token).open(f"127.0.{1 + len(opened) // 20_000}.1")
                    stream.send("GET", f"/v1/houses/{feed.house}/live")
                    await stream.head()
                    opened.append(stream)
    except OSError as error:
        note(f"no more streams: {error}")
    note(f"{len(opened)} streams")
    await asyncio.sleep(2)
    add("streams", len(opened))
    add("stream memory", (memory(process.pid) - before) / len(opened) / 1e3)
    start, at = processor_time(process.pid), time.monotonic()
    await asyncio.sleep(IDLE_SECONDS)
    idle = (processor_time(process.pid) - start) / (time.monotonic() - at)
    add("stream idle", idle * 100 / len(opened) * 1_000)
    for stream in opened:
        stream.close()


async def measure_download(host):
    owner, connection = await begin(host)
    feed = Feed()
    await feed.make(connection, owner)
    items = [feed.item(BASE_BYTES, True, (part, BASE_PARTS)) for part in range(1, BASE_PARTS + 1)]
    await connection.ask("POST", f"/v1/houses/{feed.house}/entries", b"".join(items))
    for _ in range(5):
        device = await Connection(host, connection.token).open()
        start, after, size = time.monotonic(), 0, 0
        while after < BASE_PARTS:
            body = await device.ask("GET", f"{feed.path}/entries?after={after}")
            while body:
                length = struct.unpack(">I", body[:4])[0]
                body, after, size = body[4 + length :], after + 1, size + length
        add("download", (time.monotonic() - start) * 1e3)
        device.close()
    connection.close()


async def main():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    database = Postgres()
    try:
        for number in range(rounds):
            note(f"appends, round {number + 1} of {rounds}")
            process, host = start_relay("--data", folder / f"sqlite-{number}")
            await measure_appends("sqlite", process, host, 1)
            await measure_appends("sqlite batch", process, host, BATCH)
            end(process)
            process, host = start_relay("--postgres", database.place)
            await measure_appends("postgres", process, host, 1, database)
            await measure_appends("postgres batch", process, host, BATCH, database)
            statement = database.read("SELECT query FROM pg_stat_activity WHERE query LIKE 'WITH want%' LIMIT 1")
            end(process)
            measure_pgbench(database, statement)
            add("append ratio", figures["postgres both"][-1] / figures["pgbench both"][-1])
    finally:
        database.end()
    note("wakes, downloads, streams")
    process, host = start_relay("--data", folder / "streams")
    await measure_wakes(host)
    await measure_download(host)
    await measure_streams(process, host)
    end(process)
    print(json.dumps(figures))


try:
    asyncio.run(main())
finally:
    for process in list(processes):
        process.kill()
