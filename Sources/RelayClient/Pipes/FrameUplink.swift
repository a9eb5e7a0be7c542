import Foundation
import RelayAPI

/// The frames that wait to be sent up a stream, and the numbers of the requests that send them.
struct FrameUplink: Sendable {
    private var waiting: [Data] = []
    private var first = 0
    private var order: Int64 = 0
    private var inFlight = 0
    /// The number of bytes that wait.
    private(set) var waitingBytes = 0

    mutating func add(_ frame: LiveFrame) {
        let bytes = frame.encoded
        waiting.append(bytes)
        waitingBytes += bytes.count
    }

    /// Returns the next request; `nil` if there is nothing to send, or if answers must come first.
    mutating func next() -> (order: Int64, body: Data)? {
        guard first < waiting.count, inFlight < RelayLimits.frameRequests else { return nil }
        var body = Data()
        while first < waiting.count, body.count + waiting[first].count <= RelayLimits.frameRequestBytes {
            body.append(waiting[first])
            first += 1
        }
        if first == waiting.count { (waiting, first) = ([], 0) }
        waitingBytes -= body.count
        inFlight += 1
        order += 1
        return (order, body)
    }

    /// Records the answer to a request.
    mutating func answered() { inFlight -= 1 }
}
