/// What an accessory advertises over multicast DNS.
package struct AccessoryAdvertisement: Hashable, Sendable {
    /// The instance name.
    package var name: String
    /// The port.
    package var port: Int
    /// The text record's values by key. A key without a value has an empty one.
    package var txt: [String: String]

    /// Creates an advertisement.
    package init(name: String, port: Int, txt: [String: String]) {
        self.name = name
        self.port = port
        self.txt = txt
    }
}

/// A way to hear what the accessory under test advertises.
package struct AdvertisementSource: Sendable {
    /// Returns the newest advertisement once it satisfies a condition, or the newest one after a time limit; `nil` if
    /// the accessory isn't advertised.
    package let current:
        @Sendable (_ condition: @Sendable (AccessoryAdvertisement) -> Bool) async -> AccessoryAdvertisement?
    /// Returns whether the advertisement was withdrawn, once it was or after a time limit.
    package let isWithdrawn: @Sendable () async -> Bool

    /// Creates a source.
    package init(
        current:
            @escaping @Sendable (_ condition: @Sendable (AccessoryAdvertisement) -> Bool) async
            -> AccessoryAdvertisement?,
        isWithdrawn: @escaping @Sendable () async -> Bool = { false }
    ) {
        self.current = current
        self.isWithdrawn = isWithdrawn
    }
}
