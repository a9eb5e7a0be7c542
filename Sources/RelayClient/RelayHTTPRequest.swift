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
    var body = Data()
}
