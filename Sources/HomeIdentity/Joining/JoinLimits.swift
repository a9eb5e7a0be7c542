/// Limits and sizes of joining a hub.
package enum JoinLimits {
    /// The version of the exchange.
    package static let version = 1
    /// The maximum number of bytes of a message, without the line feed at its end.
    package static let maximumMessageBytes = 4_096
    /// The maximum number of bytes of UTF-8 in a device's name.
    package static let maximumNameBytes = 64
    /// The time in which a device that lost the reply can join again with the same key, in seconds.
    package static let repetitionTime = 600
    /// The maximum duration of an exchange, in seconds.
    package static let exchangeTime = 10

    /// The number of bytes of a salt.
    static let saltByteCount = 16
    /// The number of bytes of the hub's share of the check digits.
    static let shareByteCount = 32
}
