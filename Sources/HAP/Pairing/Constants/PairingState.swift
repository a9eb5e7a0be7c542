/// A message's number within its exchange, M1 to M6: the value of ``TLVType/state``.
public enum PairingState: UInt8, Hashable, Sendable {
    /// The controller's first message.
    case m1 = 1
    /// The accessory's answer to M1.
    case m2 = 2
    /// The controller's second message.
    case m3 = 3
    /// The accessory's answer to M3.
    case m4 = 4
    /// The controller's third message.
    case m5 = 5
    /// The accessory's answer to M5.
    case m6 = 6
}

extension PairingState: CustomStringConvertible {
    /// The message's name, `M1` to `M6`.
    public var description: String { "M\(rawValue)" }
}
