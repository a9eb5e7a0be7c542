/// The last events with their bytes.
///
/// Connections with the same view get equal events one after the other. To compare them costs a fraction of writing them
/// as JSON again.
package struct RecentEvents<Event: RPCEvent, Bytes: Sendable>: Sendable {
    private struct Written: Sendable {
        var event: Event
        var bytes: Bytes
    }

    /// The number of events that are kept: an event can differ for the client that caused it, for each role, and for each
    /// user and app.
    private static var kept: Int { 16 }

    private var recent: [Written] = []
    /// The number of events that were written.
    package private(set) var count = 0

    /// Creates an empty list.
    package init() {}

    /// Returns the bytes of an event, which `write` makes unless an equal event is among the last ones.
    package mutating func bytes(of event: Event, _ write: (Event) throws -> Bytes) rethrows -> Bytes {
        // A loop over the indices compares the events where they are, without a copy of each.
        for index in recent.indices.reversed() where recent[index].event == event { return recent[index].bytes }
        let bytes = try write(event)
        count += 1
        if recent.count == Self.kept { recent.removeFirst() }
        recent.append(Written(event: event, bytes: bytes))
        return bytes
    }
}
