import HubAPI

/// What a method's handler gives: the result, or the work that yields it.
///
/// A session takes its requests one after the other, so handlers start in the client's order. What must keep that order
/// (deciding a change, queueing a write) happens before the handler returns; what may take long (the disk, an accessory)
/// is left in `deferred` and holds up no other request.
enum HandlerResult<Result: Sendable>: Sendable {
    /// Takes the result.
    typealias Reply = @Sendable (Swift.Result<Result, HubError>) -> Void

    /// The result.
    case done(Result)
    /// The rest of the work.
    case deferred(@Sendable () async throws(HubError) -> Result)
    /// The rest of the work, which ends with a change on the disk that the reply names.
    case committing(@Sendable () async throws(HubError) -> Committed<Result>)
    /// Work that hands over the result itself, once, so that the reply has its place among the events that go out.
    case callback(@Sendable (@escaping Reply) -> Void)
    /// The same for the rest of the work.
    case deferredCallback(@Sendable (@escaping Reply) async -> Void)
}
