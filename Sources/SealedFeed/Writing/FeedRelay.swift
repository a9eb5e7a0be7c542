/// A relay, as the writer of feeds sees it.
package protocol FeedRelay: Sendable {
    /// Returns the last entry that the relay has.
    func head(of address: FeedAddress) async throws(FeedRelayError) -> RelayHead

    /// Returns the entries after a number, in order and without gaps, up to the last one or as many as one answer has.
    func entries(of address: FeedAddress, after sequence: Int) async throws(FeedRelayError) -> [[UInt8]]

    /// Appends an entry if the relay's last entry is the one before it.
    ///
    /// - Returns: `nil` if the relay has appended it, otherwise the relay's last entry.
    func append(_ entry: FeedEntry) async throws(FeedRelayError) -> RelayHead?

    /// Stores the envelopes of a generation.
    func put(_ envelopes: [Envelope], of address: FeedAddress) async throws(FeedRelayError)

    /// Stores lists of hubs beside the envelopes of a generation.
    func put(_ lists: [SealedHubLists], of address: FeedAddress) async throws(FeedRelayError)

    /// Stores the latest beat.
    func put(_ beat: FeedBeat) async throws(FeedRelayError)
}
