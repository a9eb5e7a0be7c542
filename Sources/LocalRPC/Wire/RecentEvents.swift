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
    /// The number of events that were written.
    package private(set) var count = 0

    /// Creates an empty list.
    package init() {}

    /// Returns the bytes of an event, which `write` makes unless an equal event is among the last ones.
    package mutating func bytes(of event: Event, _ write: (Event) throws -> Bytes) rethrows -> Bytes {
        var index = events.count
        while index > 0 {
            index -= 1
            if events[index] == event { return written[index] }
        }
        let bytes = try write(event)
        count += 1
        if events.count == Self.kept {
            events.removeFirst()
            written.removeFirst()
        }
        events.append(event)
        written.append(bytes)
        return bytes
    }
}
