import HubAPI

/// A part of the hub. It serves methods, cleans up after sessions and reports statistics; ``HomeHub`` only lists the parts.
protocol HubPart: Sendable {
    /// Registers the part's methods.
    func register(in router: inout MethodRouter)
    /// Releases what the part holds for a session that has ended.
    func sessionDidEnd(_ session: HubSession.ID) async
    /// Adds the part's numbers to the hub's statistics.
    func report(in statistics: inout HubStatistics) async
    /// Ends what is in progress, as the hub stops.
    func stop() async
}

extension HubPart {
    func register(in router: inout MethodRouter) {}
    func sessionDidEnd(_ session: HubSession.ID) async {}
    func report(in statistics: inout HubStatistics) async {}
    func stop() async {}
}
