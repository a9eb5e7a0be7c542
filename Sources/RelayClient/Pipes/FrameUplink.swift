import Foundation
import RelayAPI

/// The frames that wait to be sent up a stream, and the numbers of the requests that send them.
struct FrameUplink: Sendable {
    private var waiting: [Data] = []
    private var first = 0
    private var order: Int64 = 0
    /// The numbers of the requests that have no answer yet.
    private var unanswered: Set<Int64> = []
    /// The number of bytes that wait.
    private(set) var waitingBytes = 0

    mutating func add(_ frame: LiveFrame) {
        let bytes = frame.encoded
        waiting.append(bytes)
        waitingBytes += bytes.count
    }

    /// Returns the next request; `nil` if there is nothing to send, or if answers must come first.
    ///
    /// The relay may get requests in another order, and takes none that is too far ahead of one that it hasn't got. So the
    /// oldest without an answer counts, and not how many have none.
    mutating func next() -> (order: Int64, body: Data)? {
        let oldest = unanswered.min() ?? order + 1
        guard first < waiting.count, order + 1 < oldest + Int64(RelayLimits.frameRequests) else { return nil }
        var body = Data()
        while first < waiting.count, body.count + waiting[first].count <= RelayLimits.frameRequestBytes {
            body.append(waiting[first])
            first += 1
        }
        if first == waiting.count { (waiting, first) = ([], 0) }
        waitingBytes -= body.count
        order += 1
        unanswered.insert(order)
        return (order, body)
    }

    /// Records the answer to a request.
    mutating func answered(_ order: Int64) { unanswered.remove(order) }
}
