/// The last events with their bytes.
///
/// Connections with the same view get equal events one after the other. To compare them costs a fraction of writing them
/// as JSON again.
package struct RecentEvents<Event: RPCEvent, Bytes: Sendable>: Sendable {
    /// The number of events that are kept: an event can differ for the client that caused it, for each role, and for each
    /// user and app.
    private static var kept: Int { 16 }

    // Two arrays and a plain loop, because code for any type of event looks up each further type at run time, which takes
    // longer than to compare.
    private var events: [Event] = []
    /// The bytes of each of ``events``.
    private var written: [Bytes] = []
    /// The place of the event that was asked for last.
    private var latest = 0
    /// The number of events that were written.
    package private(set) var count = 0

    /// Creates an empty list.
    package init() {}

    /// Returns the bytes of an event, which `write` makes unless an equal event is among the last ones.
    package mutating func bytes(of event: Event, _ write: (Event) throws -> Bytes) rethrows -> Bytes {
        // Most often it is the same as for the client before.
        if latest < events.count, events[latest] == event { return written[latest] }
        var index = events.count
        while index > 0 {
            index -= 1
            guard events[index] == event else { continue }
            latest = index
            // The next client's event then shares its memory with this one, and needn't be compared any further.
            events[index] = event
            return written[index]
        }
        let bytes = try write(event)
        count += 1
        if events.count == Self.kept {
            events.removeFirst()
            written.removeFirst()
        }
        events.append(event)
        written.append(bytes)
        latest = events.count - 1
        return bytes
    }
}
