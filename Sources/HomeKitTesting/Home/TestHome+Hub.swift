import HomeHub

extension TestHome {
    /// The order in which a hub that starts gets its apps and its accessories.
    public enum RestartOrder: Sendable {
        /// The hub reaches every accessory before any app reaches it: no app sees an accessory that has yet to come.
        case accessoriesFirst
        /// Apps reach the hub as soon as it runs, as they do outside of tests. They find all accessories unreachable at
        /// first.
        case appsFirst
    }

    /// Stops the home's hub and starts it anew, as when its machine was restarted. What is stored survives: ids,
    /// pairings, the layout, people. Apps lose the hub, and get the new one by themselves.
    ///
    /// Apps hear that the accessories are unreachable while there is no hub, and that they are back. They go on hearing of the
    /// values that they asked for. Returns once the apps that were connected know the homes again, and the hub reaches every
    /// accessory that is switched on and hears of its events.
    ///
    /// ```swift
    /// try await home.restartHub {
    ///     await #expect(throws: HMError.self) { try await power.writeValue(true) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - order: Whether apps or accessories get the new hub first.
    ///   - meanwhile: Runs while there is no hub. What it throws is thrown when there is one again.
    /// - Throws: ``WaitTimeoutError`` if the apps or accessories are not there again within ``waitLimit``.
    public func restartHub(
        _ order: RestartOrder = .accessoriesFirst,
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
        if order == .appsFirst {
            for door in doors { door.open(to: hub) }
            for door in doors { try await door.settle() }
        }
        do {
            try await keeper.connect(to: hub)
            for host in hosts {
                try await until("the hub reaches every accessory", file: file, line: line) {
                    await host.isHeard(by: hub)
                }
            }
        } catch {
            for door in doors { door.close() }
            await hub.stop()
            throw error
        }
        if order == .accessoriesFirst {
            for door in doors { door.open(to: hub) }
            for door in doors { try await door.settle() }
        }
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
    private var doors: [HubConnector] {
        scope == .process ? [door, ProcessTestEnvironment.shared.door] : [door]
    }
}
