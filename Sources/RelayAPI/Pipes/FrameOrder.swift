package import Foundation

/// Puts the requests with frames of one stream in order, which come over several connections. Requests have the numbers
/// 1, 2, 3 and so on.
package struct FrameOrder: Sendable {
    private var next: Int64 = 1
    private var waiting: [Int64: Data] = [:]
    private let window: Int64

    /// Creates the order of a new stream.
    package init(window: Int = RelayLimits.frameRequests) {
        self.window = Int64(window)
    }

    /// The number of the request that others wait for; `nil` if none do.
    package var gap: Int64? { waiting.isEmpty ? nil : next }

    /// Takes a request's body.
    ///
    /// A request that was taken before was sent again, because its answer was lost: it has no effect.
    ///
    /// - Returns: The bodies that are now in turn.
    /// - Throws: `malformed` if the number is too far ahead.
    package mutating func receive(_ number: Int64, _ body: Data) throws(RelayError) -> [Data] {
        guard number < next + window else {
            throw .malformed("The request \(number) is too far ahead of the request \(next).")
        }
        guard number >= next, waiting[number] == nil else { return [] }
        waiting[number] = body
        var bodies: [Data] = []
        while let body = waiting.removeValue(forKey: next) {
            bodies.append(body)
            next += 1
        }
        return bodies
    }
}
