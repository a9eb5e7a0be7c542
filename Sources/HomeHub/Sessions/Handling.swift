import HubAPI

/// What a method's handler gives: the result, or the work that yields it.
///
/// A session takes its requests one after the other, so handlers start in the client's order. What must keep that order
/// (deciding a change, queueing a write) happens before the handler returns; what may take long (the disk, an accessory)
/// is left in `later` and holds up no other request.
enum Handling<Result: Sendable>: Sendable {
    /// The result.
    case done(Result)
    /// The rest of the work.
    case later(@Sendable () async throws(HubError) -> Result)
}
