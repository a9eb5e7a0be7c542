package import Foundation

/// What came of a request.
package struct HubReply: Hashable, Sendable {
    /// The result as JSON, or an error.
    package var result: Result<Data, HubError>
    /// The entries that the request led to, as far as the client may see their logs. On the connection of the request
    /// their changes come before the reply, unless it hears of none for the time being; what hears of changes in another
    /// way knows by them when it shows what was asked for. Empty if nothing was changed, and in the reply to a request
    /// that was carried out before the hub was started.
    package var follows: [LogPlace]

    /// Makes a reply.
    package init(_ result: Result<Data, HubError>, follows: [LogPlace] = []) {
        self.result = result
        self.follows = follows
    }

    /// About how many bytes it takes while it waits or is kept.
    package var size: Int {
        let places = follows.count * MemoryLayout<LogPlace>.stride
        return switch result {
        case .success(let body): body.count + places
        case .failure(let error): error.reason.utf8.count + places
        }
    }

    /// The reply with a result that follows no entry.
    package static func success(_ result: Data) -> HubReply { HubReply(.success(result)) }

    /// The reply with an error.
    package static func failure(_ error: HubError) -> HubReply { HubReply(.failure(error)) }
}
