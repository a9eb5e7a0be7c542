import HubAPI

/// The result of a method's handler, or the remaining work that produces it.
///
/// A session handles its requests one after another, so handlers start in the client's order. Work that must keep that
/// order, such as deciding a change or queueing a write, happens before the handler returns. Work that can take long, on
/// the disk or an accessory, is deferred, so that it doesn't delay other requests.
enum HandlerResult<Result: Sendable>: Sendable {
    /// A closure that receives the result.
    typealias Reply = @Sendable (Swift.Result<Result, HubError>) -> Void

    /// The result.
    case done(Result)
    /// The remaining work.
    case deferred(@Sendable () async throws(HubError) -> Result)
    /// The remaining work, which ends with a change on disk that the reply refers to.
    case committing(@Sendable () async throws(HubError) -> Committed<Result>)
    /// Work that passes the result to a closure, once, so that the reply stays in order with the events.
    case callback(@Sendable (@escaping Reply) -> Void)
    /// Remaining work that passes the result to a closure, once.
    case deferredCallback(@Sendable (@escaping Reply) async -> Void)
}
