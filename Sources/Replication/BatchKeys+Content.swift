package import Consensus
package import HomeStore

extension BatchKeys {
    /// Returns what a batch changes.
    ///
    /// - Throws: ``HomeStore/StoreError`` with `damaged` if these keys don't open it, or if it isn't of this version.
    package func content(of batch: Batch) throws(StoreError) -> BatchContent {
        guard let bytes = open(batch), let content = BatchContent(bytes) else {
            throw StoreError(
                .damaged,
                "The change \(batch.position.place) of the other hub can't be read. If the other hub has a newer version, "
                    + "update this one."
            )
        }
        return content
    }
}
