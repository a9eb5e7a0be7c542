import RelayAPI

/// The statements about entries and rights. Those that are used once are beside their use.
extension PostgresStatement {
    /// A house is noted as written to at most this often, in milliseconds.
    static let noteInterval = 86_400_000

    /// Appends the entries that fit, at most one of each feed, each on the conditions of `FeedRow.appending`. Returns the
    /// places of those that were appended.
    static let append = PostgresStatement(
        "append",
        """
        WITH want AS (
          SELECT * FROM unnest(
            $1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bigint[],
            $9::bigint[], $10::boolean[], $11::bytea[], $12::bytea[], $13::bigint[]
          ) AS w(house, feed, key, expect, prev, term, gen, part, parts, base, head, bytes, at)
        ), moved AS (
          UPDATE feed f SET seq = f.seq + 1, head = w.head, term = w.term, gen = w.gen, used = f.used + length(w.bytes),
            run_part = w.part, run_parts = w.parts, run_base = w.base,
            former_base = CASE WHEN w.base AND w.part = w.parts THEN f.base ELSE f.former_base END,
            base = CASE WHEN w.base AND w.part = w.parts THEN f.seq + 2 - w.parts ELSE f.base END
          FROM want w JOIN house h ON h.id = w.house AND w.key = ANY(h.owners)
          WHERE f.house = w.house AND f.id = w.feed AND f.seq = w.expect AND f.head = w.prev AND f.term <= w.term
            AND (w.part = 1 OR f.run_part = w.part - 1 AND f.run_parts = w.parts AND f.run_base = w.base
              AND f.run_part < f.run_parts)
            AND f.used + length(w.bytes) <= \(feedBytes)
          RETURNING f.house, f.id, f.seq, w.at, w.bytes
        ), noted AS (
          UPDATE house h SET written = m.at FROM moved m WHERE h.id = m.house AND h.written < m.at - \(noteInterval)
        )
        INSERT INTO entry(house, feed, seq, at, bytes) SELECT house, id, seq, at, bytes FROM moved RETURNING house, feed
        """
    )

    /// The quota of the class of a house `h`.
    private static let feedBytes: String = {
        let cases = HouseClass.allCases.map { "WHEN '\($0.rawValue)' THEN \($0.quota.feedBytes)" }
        return "CASE h.class \(cases.joined(separator: " ")) ELSE \(HouseClass.home.quota.feedBytes) END"
    }()

    static let entry = PostgresStatement(
        "entry",
        "SELECT bytes FROM entry WHERE house = $1::bytea AND feed = $2::bytea AND seq = $3::bigint"
    )
    /// The entries up to the one that exceeds a size.
    static let entries = PostgresStatement(
        "entries",
        """
        SELECT seq, bytes FROM (
          SELECT seq, bytes, sum(length(bytes)) OVER (ORDER BY seq) - length(bytes) AS before FROM (
            SELECT seq, bytes FROM entry
            WHERE house = $1::bytea AND feed = $2::bytea AND seq > $3::bigint AND seq <= $4::bigint
            ORDER BY seq LIMIT $5::bigint
          ) page
        ) sized WHERE before < $6::bigint ORDER BY seq
        """
    )
    static let row = PostgresStatement(
        "row",
        """
        SELECT seq, head, base, term, former_base, used, run_part, run_parts, run_base FROM feed
        WHERE house = $1::bytea AND id = $2::bytea
        """
    )
    static let owner = PostgresStatement(
        "owner",
        "SELECT class FROM house WHERE id = $1::bytea AND $2::bytea = ANY(owners)"
    )
    /// As `owner`, and keeps others that change the same house waiting until the end of the transaction.
    static let lockedOwner = PostgresStatement("locked_owner", owner.sql + " FOR UPDATE")
    static let rights = PostgresStatement(
        "rights",
        """
        SELECT rights FROM reader WHERE house = $1::bytea AND feed = $2::bytea AND key = $3::bytea
        """
    )
    /// As `rights`, with the class of the house.
    static let readerAccess = PostgresStatement(
        "reader_access",
        """
        SELECT r.rights, h.class FROM reader r JOIN house h ON h.id = r.house
        WHERE r.house = $1::bytea AND r.feed = $2::bytea AND r.key = $3::bytea
        """
    )
    static let noteWrite = PostgresStatement(
        "note_write",
        "UPDATE house SET written = $1::bigint WHERE id = $2::bytea AND written < $1::bigint - \(noteInterval)"
    )
}
