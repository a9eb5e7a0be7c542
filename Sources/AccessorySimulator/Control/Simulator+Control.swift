extension Simulator {
    /// Answers a request of the control. Several may be under way at once.
    ///
    /// - Parameters:
    ///   - method: The name of a ``ControlMethod``.
    ///   - parameters: Its parameters, as JSON.
    /// - Throws: ``SimulatorError`` with the code `unknownMethod`, `invalidRequest`, which names the field, or what the
    ///   method itself throws. Then nothing was changed.
    package nonisolated func answer(
        _ method: String,
        _ parameters: [UInt8]
    ) async throws(SimulatorError) -> ControlReply {
        guard let method = ControlMethod.all[method] else {
            throw SimulatorError(.unknownMethod, reason: "A simulator has no method '\(method)'")
        }
        return try await method.call(self, parameters)
    }
}
