import Foundation
import NIOHTTP1

/// A request to a relay.
struct RelayHTTPRequest: Sendable {
    var method: HTTPMethod
    var path: String
    var headers: [(String, String)] = []
    var body = Data()
    /// The maximum time to the end of the answer.
    var time = Duration.seconds(30)
}

/// A relay's answer.
struct RelayHTTPResponse: Sendable {
    var status: Int
    /// The ID of the live stream, if the answer is one.
    var stream: String?
    var body = Data()
}
