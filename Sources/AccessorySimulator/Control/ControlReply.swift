#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The response to a control request, as JSON.
package struct ControlReply: Sendable {
    /// The JSON text.
    package let bytes: [UInt8]

    /// The response of a method without a result.
    static let done = ControlReply(bytes: Array("{}".utf8))

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Encodes a response with sorted keys.
    init(_ value: some Encodable) throws(SimulatorError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            bytes = Array(try encoder.encode(value))
        } catch {
            throw SimulatorError(.invalidRequest, reason: "The response can't be encoded as JSON: \(error)")
        }
    }
}
