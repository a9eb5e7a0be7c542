import HubAPI

/// What a method's handler gives: the result, or the work that yields it.
///
/// A session takes its requests one after the other, so handlers start in the client's order. What must keep that order
/// (deciding a change, queueing a write) happens before the handler returns; what may take long (the disk, an accessory)
/// is left in `deferred` and holds up no other request.
enum HandlerResult<Result: Sendable>: Sendable {
    /// A closure that receives the result.
    typealias Reply = @Sendable (Swift.Result<Result, HubError>) -> Void

    /// The result.
    case done(Result)
    /// The remaining work.
    case deferred(@Sendable () async throws(HubError) -> Result)
    /// The remaining work, which ends with a change on disk that the reply refers to.
    case committing(@Sendable () async throws(HubError) -> Committed<Result>)
    /// Work that passes the result to a closure, once, so that the reply keeps its place among the events.
    case callback(@Sendable (@escaping Reply) -> Void)
    /// Remaining work that passes the result to a closure, once.
    case deferredCallback(@Sendable (@escaping Reply) async -> Void)
}
