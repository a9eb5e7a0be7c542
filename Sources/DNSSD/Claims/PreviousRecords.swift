/// Records that this host advertised and no longer advertises: previous addresses and descriptions.
///
/// Other hosts may repeat them for their lifetime, for example a reflector that answers from its cache. Such a record
/// is stale, but doesn't mean that another host has the name.
struct PreviousRecords {
    /// The maximum number of records. Beyond it, those that expire first are removed.
    static let maximum = 256

    private var ends: [RecordIdentity: Instant] = [:]

    /// Adds records for their lifetime.
    mutating func insert(_ records: some Sequence<ResourceRecord>, at now: Instant) {
        ends = ends.filter { $0.value > now }
        for record in records {
            ends[record.identity] = now.advanced(by: .seconds(Int64(record.ttl)))
        }
        for (identity, _) in ends.sorted(by: { $0.value < $1.value }).dropLast(Self.maximum) {
            ends[identity] = nil
        }
    }

    /// Returns whether a record was advertised by this host and may still be cached elsewhere.
    func contains(_ record: ResourceRecord, at now: Instant) -> Bool {
        ends[record.identity].map { $0 > now } ?? false
    }
}
