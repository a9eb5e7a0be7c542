"""Fills a hub's journal: replaces its entries with copies of them, up to a number. The hub must not be running.

usage: fill_journal.py FILE COUNT

Copies have IDs of their own, and refer to copies of their causes. Their times spread over the last 80 days. Prints a line
with the number of entries.
"""

import json
import sqlite3
import sys
import time
import uuid

COLUMNS = ["id", "home", "time", "kind", "object", "parent", "cause", "subject", "person", "app", "content"]
SPAN = 80 * 24 * 60 * 60 * 1000


def copies(originals, count):
    """Yields copies of rows, all of them again and again; the last one is a copy of the last row."""
    start = time.time() * 1000 - SPAN
    first = -count % len(originals)
    ids = {}
    for number in range(count):
        original = originals[(first + number) % len(originals)]
        row = dict(zip(COLUMNS, original))
        if number == 0 or original is originals[0]:
            ids = {}
        row["id"] = ids[original[0]] = uuid.uuid4().bytes
        row["parent"] = ids.get(row["parent"])
        row["time"] = int(start + SPAN * number / count)
        yield tuple(row[column] for column in COLUMNS)


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    columns, marks = ", ".join(COLUMNS), ", ".join("?" * len(COLUMNS))
    # Entries that mention several objects have rows in another table.
    originals = database.execute(
        f"SELECT {columns} FROM entry WHERE row NOT IN (SELECT row FROM mention) ORDER BY row"
    ).fetchall()
    with database:
        database.execute("DELETE FROM mention")
        database.execute("DELETE FROM entry")
        database.executemany(f"INSERT INTO entry ({columns}) VALUES ({marks})", copies(originals, count))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (entries,) = database.execute("SELECT count(*) FROM entry").fetchone()
    database.close()
    print(json.dumps({"entries": entries}), flush=True)


if __name__ == "__main__":
    main()
