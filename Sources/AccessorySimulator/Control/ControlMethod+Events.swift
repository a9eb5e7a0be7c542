extension ControlMethod {
    private static let after = "after"

    /// The methods that report events.
    static let eventMethods = [
        /// Without a position, returns the current position immediately. With one, waits for events after it.
        ControlMethod("event.next", [after]) { simulator, parameters throws(SimulatorError) in
            guard let node = parameters.member(after) else {
                return try ControlReply(ControlEvents(next: simulator.broadcaster.log.next, missed: 0, events: []))
            }
            guard let after = UInt64(exactly: try node.integer()), after <= simulator.broadcaster.log.next else {
                throw node.error("expected a position from an earlier response")
            }
            let (first, events) = await simulator.broadcaster.log.events(after: after)
            let names = simulator.names
            return try ControlReply(
                ControlEvents(
                    next: first + UInt64(events.count),
                    missed: first - after,
                    events: events.map { ControlEvent($0, names) }
                )
            )
        }
    ]
}
