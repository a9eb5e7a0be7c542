package import HomeHub

extension TestHome {
    /// The order in which apps and accessories connect to a new hub.
    public enum RestartOrder: Sendable {
        /// The hub reaches every accessory before any app connects. No app sees an accessory that isn't reachable yet.
        case accessoriesFirst
        /// Apps connect as soon as the hub runs, as they do outside of tests. At first they find all accessories
        /// unreachable.
        case appsFirst
    }

    /// Stops the home's hub and starts it again, as if its machine restarted. Stored data survives: IDs, pairings, the
    /// layout, users. Apps disconnect and reconnect to the new hub automatically.
    ///
    /// While there is no hub, accessories are reported to apps as unreachable. Notifications that apps enabled stay
    /// enabled. Returns once the connected apps have loaded the homes again, and the hub reaches every accessory that
    /// is on and receives its events.
    ///
    /// ```swift
    /// try await home.restartHub {
    ///     await #expect(throws: HMError.self) { try await power.writeValue(true) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - order: Whether apps or accessories connect to the new hub first.
    ///   - isolation: The actor that runs the test; leave the default.
    ///   - file: The file to name in the error; leave the default.
    ///   - line: The line to name in the error; leave the default.
    ///   - meanwhile: A closure to run while there is no hub. An error that it throws is rethrown after the new hub has
    ///     started.
    /// - Throws: ``WaitTimeoutError`` if the apps or accessories aren't connected again within ``waitLimit``.
    public func restartHub(
        _ order: RestartOrder = .accessoriesFirst,
        isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID,
        line: UInt = #line,
        meanwhile: () async throws -> Void = {}
    ) async throws {
        let previousHub = try hub()
        for connector in connectors { connector.close() }
        await previousHub.stop()
        for connector in connectors { try await connector.disconnectAll() }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await meanwhile())
        } catch {
            outcome = .failure(error)
        }
        let hub = try await startHub()
        if order == .appsFirst {
            for connector in connectors { connector.open(to: hub) }
            for connector in connectors { try await connector.waitUntilSettled() }
        }
        do {
            try await client.connect(to: hub)
            for host in hosts {
                try await until("the hub reaches every accessory", file: file, line: line) {
                    await host.isObserved(by: hub)
                }
            }
        } catch {
            for connector in connectors { connector.close() }
            await hub.stop()
            throw error
        }
        if order == .accessoriesFirst {
            for connector in connectors { connector.open(to: hub) }
            for connector in connectors { try await connector.waitUntilSettled() }
        }
        try outcome.get()
    }

    /// Returns the hub, for operations that require it.
    ///
    /// - Throws: ``TestHomeError`` if it isn't running.
    package func hub() throws(TestHomeError) -> HomeHub {
        guard let hub = connector.hub else { throw TestHomeError("The home's hub isn't running.") }
        return hub
    }

    /// The names of the connected apps, one per connection.
    var connectedApps: [String] { connectors.flatMap(\.apps) }

    /// The connectors to the hub: the home's own, those of devices that aren't cut off and, for a home of scope
    /// `.process`, the process's.
    private var connectors: [HubConnector] {
        let own = [connector] + devices.filter { !$0.isCutOff }.map(\.connector)
        return scope == .process ? own + [ProcessTestEnvironment.shared.connector] : own
    }
}
