internal import HAP
internal import HAPCatalog
internal import NIOCore

/// Requests and their answers on one plain connection, for a task.
struct PairingConnection: Sendable {
    private let connection: AccessoryConnection.Bound
    private let eventLoop: any EventLoop
    private let timeout: TimeAmount
    /// The accessory's host and port.
    let host: String

    /// Connects to the first address that accepts.
    init(
        with addresses: [AccessoryAddress],
        configuration: PairerConfiguration,
        on eventLoop: any EventLoop
    ) async throws(UnreachableCause) {
        self.eventLoop = eventLoop
        timeout = TimeAmount(configuration.responseTimeout)
        do {
            let addresses = AccessoryAddress.sortedByPreference(addresses)
            let connect = AccessoryConnection.connect(
                toFirstOf: addresses,
                by: configuration.connector,
                timeout: configuration.connectTimeout,
                on: eventLoop
            )
            (connection, host) = try await connect.map { ($0, $0.value.address.authority) }.get()
        } catch {
            throw UnreachableCause(error)
        }
    }

    /// From now on every byte in both directions travels in frames under these keys.
    func secure(with keys: SessionKeys) {
        eventLoop.execute { [connection] in connection.value.secure(with: keys) }
    }

    /// Sends a request and waits for its answer. Cancelling the task ends the connection.
    func ask(_ request: HTTPRequest) async throws(UnreachableCause) -> HTTPResponse {
        let answer = eventLoop.makePromise(of: HTTPResponse.self)
        eventLoop.execute { [connection, timeout] in
            let connection = connection.value
            let timer = self.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
                connection.close(because: .timedOut)
            }
            connection.onArrival { arrival in
                switch arrival {
                case .response(let response), .lastResponse(let response): answer.succeed(response)
                case .closed(let cause): answer.fail(cause)
                case .event: return
                }
                timer.cancel()
            }
            connection.send(request)
        }
        do {
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                close()
            }
        } catch {
            throw UnreachableCause(error)
        }
    }

    /// Ends the connection.
    func close() {
        eventLoop.execute { [connection] in connection.value.close(because: .connectionLost) }
    }
}
