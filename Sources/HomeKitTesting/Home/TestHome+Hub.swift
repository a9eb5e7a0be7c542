import HomeHub

extension TestHome {
    /// Stops the home's hub and starts it anew, as when its machine was restarted. What is stored survives: ids,
    /// pairings, the layout, people. Apps lose the hub, and get the new one by themselves.
    ///
    /// The hub first reaches every accessory of the home that is switched on, and hears of its events; then apps get it.
    /// Returns once those that were connected know the homes again. An accessory that was reachable is so for them all the
    /// time, and they go on hearing of its values.
    ///
    /// ```swift
    /// try await home.restartHub {
    ///     await #expect(throws: HMError.self) { try await power.writeValue(true) }
    /// }
    /// ```
    ///
    /// - Parameter meanwhile: Runs while there is no hub. What it throws is thrown when there is one again.
    /// - Throws: ``NotReached`` if the apps or accessories are not there again within 20 seconds.
    public func restartHub(
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        meanwhile: () async throws -> Void = {}
    ) async throws {
        let former = try hub()
        for door in doors { door.close() }
        await former.stop()
        for door in doors { try await door.dismiss() }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await meanwhile())
        } catch {
            outcome = .failure(error)
        }
        let hub = try await startHub()
        // Accessories first: that apps come when the hub has some of them and some not is for no test to depend on.
        do {
            try await keeper.connect(to: hub)
            for host in hosts {
                try await until("the hub reaches every accessory", file: file, line: line) {
                    await host.isHeard(by: hub)
                }
            }
        } catch {
            await hub.stop()
            throw error
        }
        for door in doors { door.open(to: hub) }
        for door in doors { try await door.settle() }
        try outcome.get()
    }

    /// The hub, for what cannot be done without it.
    ///
    /// - Throws: ``TestHomeError`` if there is none at the moment.
    func hub() throws(TestHomeError) -> HomeHub {
        guard let hub = door.hub else { throw TestHomeError("The home's hub does not run at the moment.") }
        return hub
    }

    /// The names of the apps that are connected, one for each connection.
    var connectedApps: [String] { doors.flatMap(\.apps) }

    /// The ways to the hub: that of the home's apps, and that of the process's if the home is theirs.
    private var doors: [HubDoor] {
        scope == .process ? [door, ProcessStage.shared.door] : [door]
    }
}
