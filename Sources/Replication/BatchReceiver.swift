package import HomeStore

/// What a replicator tells: the parts of a hub that depend on the state and on who leads.
///
/// The calls come one after the other. The replicator goes on when a call has returned, so none may wait for a change that
/// goes through the replicator.
package protocol BatchReceiver: Sendable {
    /// Handles batches that the store has applied, in order. Batches that this hub proposed come here before their proposer
    /// gets the result.
    func receive(_ batches: [AppliedBatch]) async

    /// Handles that the store's state was replaced as a whole.
    func reload() async

    /// Handles that this hub began or stopped leading, or follows another hub.
    func change(to role: HubRole) async

    /// Handles that the store failed. The replicator has stopped, and the hub must start again.
    func fail(_ error: StoreError) async
}
