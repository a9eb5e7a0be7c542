"""Makes a store of format 1 of one of format 5, as the versions before format 2 had it: store_format1.py DATABASE.

Source: the tables of format 1 as the project's history has them. Their entries named their log and had an index of their
identities, and there were no receipts of requests, no claims of firings, no state of automations and no second hub.
"""

import json
import sqlite3
import sys
import uuid

REVISION_BITS = 40

database = sqlite3.connect(sys.argv[1], isolation_level=None)
assert database.execute("PRAGMA user_version").fetchone() == (5,), "the store has another format"
database.execute("BEGIN IMMEDIATE")
database.execute(
    """
    CREATE TABLE formerEntry (
        place INTEGER PRIMARY KEY,
        log INTEGER NOT NULL,
        entryID BLOB NOT NULL,
        hash BLOB NOT NULL,
        encoded BLOB NOT NULL,
        UNIQUE (log, entryID)
    ) STRICT
    """
)
for place, digest, encoded in database.execute("SELECT place, hash, encoded FROM entry ORDER BY place").fetchall():
    header = json.loads(bytes(encoded).split(b"\n", 1)[0])
    row = (place, place >> REVISION_BITS, uuid.UUID(header["entry"]).bytes, digest, encoded)
    database.execute("INSERT INTO formerEntry VALUES (?, ?, ?, ?, ?)", row)
database.execute("DROP TABLE entry")
database.execute("ALTER TABLE formerEntry RENAME TO entry")
for table in ["request", "firing", "state", "voter", "tail"]:
    database.execute(f"DROP TABLE {table}")
database.execute("PRAGMA user_version = 1")
database.execute("COMMIT")
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.close()
