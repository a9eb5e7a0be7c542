/// A record that a value keeps without knowing what it says.
struct StrangerRecord: Hashable, Sendable, Identifiable {
    var record: Record

    var id: RecordID { record.recordID }
}
