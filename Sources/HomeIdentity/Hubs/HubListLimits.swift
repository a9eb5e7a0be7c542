/// Limits of the list of hubs.
package enum HubListLimits {
    /// The version of the list.
    package static let version = 1
    /// The maximum number of hubs that keep homes together.
    package static let maximumHubs = 2
    /// The maximum number of bytes of the list's line, without the line feed.
    package static let maximumLineBytes = 8_192
    /// The maximum number of lists in a chain.
    package static let maximumLists = 8
    /// The maximum number of hubs that the lists of a chain name together. So a chain leads from a hub to the one that has
    /// replaced it, and on to that one's second hub.
    package static let maximumChainHubs = 3
    /// The maximum number of bytes of a chain.
    package static let maximumChainBytes = 6_344
    /// The largest sequence number: the largest that every reader of JSON has exactly.
    package static let maximumSequence = 9_007_199_254_740_991
}
