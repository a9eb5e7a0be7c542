/// The advisory locks of a relay's database: each a number of ours, and one of the schema that has the tables.
enum PostgresLock {
    private static let schema = "hashtext(current_schema()::text)"

    /// Has whoever migrates: "hear" in the numbers of its letters.
    static let migration = "\(0x6865_6172), \(schema)"
    /// Has the janitor that is at work: "swee".
    static let sweep = "\(0x7377_6565), \(schema)"
}
