internal import HAP
internal import NIOCore
internal import NIOPosix
package import WirelessSetup

/// Configures accessories that aren't on the network yet, over their own network.
package struct AccessoryConfigurator: Sendable {
    /// The maximum time for connecting to each address.
    package var connectTimeout = Duration.seconds(10)
    /// The maximum time for each reply.
    package var responseTimeout = Duration.seconds(15)
    /// The factory of connections.
    package var connector = AccessoryConnector.tcp

    /// Creates a configurator.
    package init() {}

    /// Exchanges keys with an accessory, and sends it a configuration. The accessory then leaves its own network.
    ///
    /// - Parameter addresses: The addresses of the accessory in its own network.
    /// - Throws: ``ConfiguratorError``. The accessory may have received the configuration even then, if it didn't reply.
    package func configure(
        _ addresses: [AccessoryAddress],
        with configuration: SetupConfiguration
    ) async throws(ConfiguratorError) -> SetupInformation {
        try await withConnection(to: addresses) { (connection) async throws(ConfiguratorError) in
            var controller = SetupController()
            let exchange = try await post(SetupPath.exchange, controller.exchangeRequest, on: connection)
            do throws(WirelessSetupError) {
                try controller.handleExchange(exchange)
            } catch {
                throw .protocolViolation(error)
            }
            let body: [UInt8]
            do throws(WirelessSetupError) {
                body = try controller.configure(configuration)
            } catch {
                throw .protocolViolation(error)
            }
            let reply = try await post(SetupPath.configure, body, on: connection)
            do throws(WirelessSetupError) {
                return try controller.handleConfiguration(reply)
            } catch {
                throw .protocolViolation(error)
            }
        }
    }

    /// Tells an accessory that it was found in the network that it joined.
    ///
    /// - Parameter addresses: The addresses of the accessory in the home's network.
    package func confirm(_ addresses: [AccessoryAddress]) async throws(ConfiguratorError) {
        try await withConnection(to: addresses) { (connection) async throws(ConfiguratorError) in
            _ = try await post(SetupPath.configured, [], on: connection)
        }
    }

    private func withConnection<Result: Sendable>(
        to addresses: [AccessoryAddress],
        _ body: (DirectConnection) async throws(ConfiguratorError) -> Result
    ) async throws(ConfiguratorError) -> Result {
        let connection: DirectConnection
        do {
            connection = try await DirectConnection.open(
                toFirstOf: addresses,
                by: connector,
                timeout: connectTimeout,
                responseTimeout: responseTimeout,
                limits: .pairing,
                on: MultiThreadedEventLoopGroup.singleton.next()
            )
        } catch {
            throw .unreachable(error)
        }
        do throws(ConfiguratorError) {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }

    private func post(
        _ path: String,
        _ body: [UInt8],
        on connection: DirectConnection
    ) async throws(ConfiguratorError) -> [UInt8] {
        let request = HTTPRequest(
            .post,
            path,
            host: connection.host,
            contentType: SetupPath.contentType,
            body: body
        )
        let response: HTTPResponse
        do {
            response = try await connection.ask(request)
        } catch {
            throw .unreachable(error)
        }
        guard response.status == .ok else { throw .refused(response.status.rawValue) }
        return response.body
    }
}
