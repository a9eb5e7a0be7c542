internal import HAP

/// The pairing of the suite with the accessory, message by message.
struct ObservedSetup {
    private(set) var m2: HTTPResponse?
    private(set) var m4: HTTPResponse?
    private(set) var m6: HTTPResponse?
    /// The accessory, if the pairing succeeded.
    private(set) var accessory: PairedAccessory?
    /// Why the pairing failed.
    private(set) var failure: PairingFailure?
    /// The salt and public key of M2 and the controller's M3 let the accessory's proof be verified.
    private(set) var isProven = false

    /// Pairs. A failure is part of the result.
    ///
    /// - Parameter busyTime: The maximum time for which the accessory may be busy with another attempt.
    init(
        _ connection: ControllerConnection,
        controller: ControllerIdentity,
        code: SetupCode,
        busyTime: Duration
    ) async {
        let busyEnd = ContinuousClock.now + busyTime
        var random = SystemRandomNumberGenerator()
        var exchange = PairSetupController(identity: controller, setupCode: code, expecting: nil)
        do throws(PairingFailure) {
            var m2 = try await Self.post(connection, exchange.start())
            // The accessory takes a moment to notice that the connection of another attempt is closed.
            while RawMessage.values(m2.body)[7] == [UInt8(truncatingIfNeeded: PairingError.busy.rawValue)],
                ContinuousClock.now < busyEnd, !Task.isCancelled
            {
                try? await Task.sleep(for: .milliseconds(20))
                m2 = try await Self.post(connection, exchange.start())
            }
            self.m2 = m2
            let m3 = try exchange.handleM2(m2.body, using: &random)
            let m4 = try await Self.post(connection, m3)
            self.m4 = m4
            let m5 = try exchange.handleM4(m4.body)
            isProven = true
            let m6 = try await Self.post(connection, m5)
            self.m6 = m6
            accessory = try exchange.handleM6(m6.body)
        } catch {
            failure = error
        }
    }

    private static func post(
        _ connection: ControllerConnection,
        _ message: [UInt8]
    ) async throws(PairingFailure) -> HTTPResponse {
        do {
            return try await connection.post("/pair-setup", message)
        } catch {
            throw PairingFailure(.malformedReply, reason: "no response (\(CheckContext.describe(error)))")
        }
    }
}
