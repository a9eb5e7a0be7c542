/// A record that a value keeps without knowing what it says.
struct UnknownRecord: Hashable, Sendable, Identifiable {
    var record: Record

    var id: RecordID { record.recordID }
}
