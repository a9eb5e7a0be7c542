/// A record that is stored without being interpreted.
struct UnknownRecord: Hashable, Sendable, Identifiable {
    var record: Record

    var id: RecordID { record.recordID }
}
