/// Why a feed isn't read or written any further.
///
/// It never changes what is shown: a device goes on with its copy, and with the hub.
package struct FeedError: Error, Hashable, Sendable, Codable {
    /// The kinds of errors. Unknown values are preserved.
    package struct Code: RawRepresentable, Hashable, Sendable, Codable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The relay sent something that the hub didn't write, or leaves out what it wrote.
        package static let relayLies = Code(rawValue: "relayLies")
        /// The hub has signed two different entries for one place.
        package static let feedForked = Code(rawValue: "feedForked")
        /// The hub has signed an entry that can't be read.
        package static let feedDamaged = Code(rawValue: "feedDamaged")
        /// There is no key for this device.
        package static let notAddressed = Code(rawValue: "notAddressed")
        /// The relay has lost entries that it had.
        package static let relayRolledBack = Code(rawValue: "relayRolledBack")
        /// The hub has lost entries that it had signed. A reader finds this when it meets the hub.
        package static let hubRolledBack = Code(rawValue: "hubRolledBack")
        /// The entry is of a later version.
        package static let updateNeeded = Code(rawValue: "updateNeeded")
        /// The relay has entries that this hub has signed and doesn't know.
        package static let storeRolledBack = Code(rawValue: "storeRolledBack")
        /// The content doesn't fit into a feed.
        package static let contentTooLarge = Code(rawValue: "contentTooLarge")
        /// The state of the writer doesn't allow the call.
        package static let notNow = Code(rawValue: "notNow")
        /// A device's box isn't a key.
        package static let invalidBox = Code(rawValue: "invalidBox")
    }

    /// The kind.
    package var code: Code
    /// What is wrong and what to do, for people.
    package var message: String
    /// The number of entries that the hub doesn't know, of ``Code/storeRolledBack``.
    package var changes: Int?
    /// The time of the last of them in milliseconds since 1970, of ``Code/storeRolledBack``; 0 if it isn't known.
    package var until: Int?

    /// Creates an error.
    package init(_ code: Code, _ message: String, changes: Int? = nil, until: Int? = nil) {
        self.code = code
        self.message = message
        self.changes = changes
        self.until = until
    }

    /// Whether the reader stays stopped until it has met the hub.
    var needsHub: Bool { [.relayLies, .feedForked, .feedDamaged, .hubRolledBack].contains(code) }
}

extension FeedError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}

extension FeedError {
    static func relayLies(_ what: String) -> FeedError {
        FeedError(
            .relayLies,
            "The relay's answer isn't what the hub wrote: \(what). It is not believed. Connect to the hub at home."
        )
    }

    static func feedDamaged(_ what: String) -> FeedError {
        FeedError(.feedDamaged, "The hub has written an entry that can't be read: \(what). Connect to the hub at home.")
    }

    static let feedForked = FeedError(
        .feedForked,
        "The hub has signed two histories of the homes, so it was probably set back to an old copy of its data. "
            + "Connect to the hub at home, and see `hearth sync status` there."
    )
    static let updateNeeded = FeedError(.updateNeeded, "The hub writes a later version. Update Hearth on this device.")
    static let notAddressed = FeedError(
        .notAddressed,
        "The hub gives this device no key, so the device was probably removed. Connect to the hub at home."
    )
    static let relayRolledBack = FeedError(
        .relayRolledBack,
        "The relay has lost changes that it had. They are still on this device. The hub writes them again."
    )
    static let hubRolledBack = FeedError(
        .hubRolledBack,
        "The hub was set back to an old copy of its data: this device has later changes that the hub has signed. "
            + "See `hearth sync status` on the hub."
    )

    static func storeRolledBack(changes: Int, until: Int) -> FeedError {
        FeedError(
            .storeRolledBack,
            "The relay has \(changes) \(changes == 1 ? "change" : "changes") that this hub has signed and doesn't know, so its "
                + "data was set back to an old copy. Run `hearth sync recover` to take over the relay's state, or `hearth "
                + "sync discard` to go on with the hub's.",
            changes: changes,
            until: until
        )
    }

    static let contentTooLarge = FeedError(
        .contentTooLarge,
        "The homes are too large for a feed: \(FeedLimits.maximumContentBytes) bytes at most. Remove homes or accessories."
    )

    static func notNow(_ what: String) -> FeedError { FeedError(.notNow, what) }

    static let invalidBox = FeedError(.invalidBox, "The device's key isn't valid. Remove the device, and add it again.")
}
