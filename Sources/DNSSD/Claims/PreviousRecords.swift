/// What this host said and no longer says: addresses that it had, descriptions that were updated.
///
/// Others may repeat it for as long as it was said to hold, for example a reflector that answers from its cache. That is
/// stale, but it is no other host that has our name.
struct PreviousRecords {
    /// The most records that are remembered; those that end first make room.
    static let maximum = 256

    private var ends: [RecordIdentity: Instant] = [:]

    /// Remembers records for their lifetime.
    mutating func insert(_ records: some Sequence<ResourceRecord>, at now: Instant) {
        ends = ends.filter { $0.value > now }
        for record in records {
            ends[record.identity] = now.advanced(by: .seconds(Int64(record.ttl)))
        }
        for (identity, _) in ends.sorted(by: { $0.value < $1.value }).dropLast(Self.maximum) {
            ends[identity] = nil
        }
    }

    /// Whether a record was ours, and may be known to others still.
    func contains(_ record: ResourceRecord, at now: Instant) -> Bool {
        ends[record.identity].map { $0 > now } ?? false
    }
}
