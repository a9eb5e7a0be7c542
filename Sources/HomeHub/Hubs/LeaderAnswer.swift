import Foundation
import HomeIdentity
import HomeStore
import HubAPI

/// What the leader answers the other hub.
struct LeaderAnswer: Hashable, Sendable {
    /// What came of a request.
    enum Content: Hashable, Sendable {
        /// The reply to a client's request.
        case reply(HubReply)
        /// A change was stored.
        case stored
        /// A change wasn't stored.
        case failed(StoreError)
        /// There is no request: the leader tells its clock.
        case clock
    }

    /// The number of the request.
    var number: Int
    /// The place of the last batch that the leader had applied. What was answered depends on no later one.
    var place: Int
    /// The leader's running clock, by which requests from away expire.
    var clock: Int64
    /// What came of it.
    var content: Content

    private struct Header: Codable {
        var number: Int
        var place: Int
        var clock: Int64
        var follows: [LogPlace]?
        var error: HubError?
        var store: String?
        var reason: String?
        var isReply: Bool?
    }

    init(number: Int, place: Int, clock: Int64, _ content: Content) {
        (self.number, self.place, self.clock, self.content) = (number, place, clock, content)
    }

    /// Reads an answer: a line of JSON, and the result. Returns `nil` if the bytes aren't one.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= LeaderLimits.answerBytes, let end = bytes.firstIndex(of: LineJSON.lineFeed),
            let header = LineJSON.decode(Header.self, from: Array(bytes[..<end]))
        else { return nil }
        (number, place, clock) = (header.number, header.place, header.clock)
        if header.isReply == true {
            let result: Result<Data, HubError> =
                header.error.map { .failure($0) } ?? .success(Data(bytes[(end + 1)...]))
            content = .reply(HubReply(result, follows: header.follows ?? []))
        } else if let code = header.store {
            content = .failed(StoreError(StoreError.Code(rawValue: code), header.reason ?? ""))
        } else {
            content = number == 0 ? .clock : .stored
        }
    }

    /// The bytes of the answer.
    var bytes: [UInt8] {
        var header = Header(number: number, place: place, clock: clock)
        var rest = Data()
        switch content {
        case .reply(let reply):
            header.isReply = true
            header.follows = reply.follows
            switch reply.result {
            case .success(let result): rest = result
            case .failure(let error): header.error = error
            }
        case .failed(let error): (header.store, header.reason) = (error.code.rawValue, error.reason)
        case .stored, .clock: break
        }
        return LineJSON.encode(header) + [LineJSON.lineFeed] + Array(rest)
    }
}
