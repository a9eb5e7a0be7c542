internal import LocalRPC

extension Simulator {
    /// Handles a control request. Several requests can be in progress at the same time.
    ///
    /// - Parameters:
    ///   - method: The name of a ``ControlMethod``.
    ///   - parameters: The parameters, as JSON.
    /// - Throws: ``SimulatorError`` with the code `unknownMethod` or `invalidRequest`, which names the field, or an
    ///   error of the method. Nothing is changed then.
    package nonisolated func answer(
        _ method: String,
        _ parameters: [UInt8]
    ) async throws(SimulatorError) -> ControlReply {
        let handler: ControlMethod
        do throws(RPCError) {
            handler = try ControlMethod.table.handler(of: method)
        } catch {
            throw SimulatorError(.unknownMethod, reason: error.reason)
        }
        return try await handler.call(self, parameters)
    }
}
