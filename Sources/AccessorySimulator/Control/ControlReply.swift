#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The answer to a request of the control, as JSON.
package struct ControlReply: Sendable {
    /// The JSON text.
    package let bytes: [UInt8]

    /// The answer of a method that has nothing to tell but that it is done.
    static let done = ControlReply(bytes: Array("{}".utf8))

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Encodes an answer, names in order.
    init(_ value: some Encodable) throws(SimulatorError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            bytes = Array(try encoder.encode(value))
        } catch {
            throw SimulatorError(.invalidRequest, reason: "The answer cannot be written as JSON: \(error)")
        }
    }
}
