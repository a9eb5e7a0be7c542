public import HAP
public import HAPCatalog

/// Something that goes wrong with a simulated accessory, as it does with those on the market.
///
/// Each has a form of one line, which `Documentation/Faults.md` lists:
///
/// ```swift
/// try await simulator.inject(Fault("latency 200ms jitter 50ms for 10s"), into: "Garage Door")
/// ```
public struct Fault: Hashable, Sendable {
    /// What goes wrong.
    public enum Kind: Hashable, Sendable {
        /// Every request waits for a time, which differs by up to the jitter in both directions.
        case latency(Duration, jitter: Duration)
        /// Requests are not carried out, and nothing more is heard on their connection.
        case noAnswer
        /// Requests are not carried out, and their connection is closed.
        case drop
        /// The port is closed: connections end, and new ones are refused.
        case refuse
        /// Requests are carried out; half of the answer's bytes go out, then the connection is closed.
        case halfAnswer
        /// Requests are carried out; the answer has a wrong authentication tag. Pairing is spared, it has no tags.
        case wrongTag
        /// Reads, writes or both are refused with a status of HAP.
        case status(HAPStatus, Access)
        /// A characteristic has a value, whether or not it can have it.
        case value(CharacteristicValue)
        /// Events are not sent.
        case eventLost
        /// Events are sent two times.
        case eventDoubled
        /// Events are sent later, with the value of that time.
        case eventLate(Duration)
        /// The accessory takes leave of multicast DNS. Its port stays open.
        case mdnsSilent
        /// The accessory takes leave of multicast DNS and comes back, each for this time.
        case mdnsFlapping(Duration)
        /// The accessory listens on another port.
        case portChanged
        /// The accessory restarts with a higher configuration number, though nothing has changed.
        case configurationChanged
        /// The accessory restarts, and all but its information has other instance ids.
        case idsChanged
        /// The accessory is off for a time, and comes back with its values.
        case restart(Duration)
        /// In pair-setup the power fails just before this message, M2, M4 or M6, goes out; after a second it is back.
        case powerCut(PairingState)
        /// The accessory forgets every controller.
        case pairingForgotten
        /// Every battery of the accessory has this level, in percent, and says that it is low.
        case batteryLow(Int)
    }

    /// Which requests a status is for.
    public enum Access: String, CaseIterable, Hashable, Sendable {
        /// Reads.
        case read
        /// Writes and subscriptions.
        case write
        /// All of them.
        case all
    }

    /// How long it lasts.
    public enum Span: Hashable, Sendable {
        /// Until it is cleared.
        case untilCleared
        /// For a time.
        case time(Duration)
        /// For so many requests or events, 1 to ``Fault/mostTimes``.
        case times(Int)
    }

    /// What goes wrong.
    public var kind: Kind
    /// How long it lasts. Faults that happen at once and are over have ``Span/untilCleared``.
    public var span: Span

    /// The longest time in a fault: a day.
    public static let longestTime = Duration.seconds(86_400)
    /// The most times that a fault may be asked to happen.
    public static let mostTimes = 1_000_000
    /// How long an accessory whose power was cut is off.
    static let powerCutTime = Duration.seconds(1)

    /// Creates a fault. Nothing is checked.
    public init(_ kind: Kind, _ span: Span = .untilCleared) {
        self.kind = kind
        self.span = span
    }
}

// MARK: What kind of fault it is

extension Fault.Kind {
    /// Whether it happens and is over, so that it cannot last for a time.
    public var isMomentary: Bool {
        switch self {
        case .portChanged, .configurationChanged, .idsChanged, .restart, .pairingForgotten, .batteryLow: true
        default: false
        }
    }

    /// Whether it happens with requests or events, so that it can be counted.
    public var isCounted: Bool {
        switch self {
        case .latency, .noAnswer, .drop, .halfAnswer, .wrongTag, .status, .eventLost, .eventDoubled, .eventLate,
            .powerCut:
            true
        default: false
        }
    }

    /// Whether it can be limited to one characteristic.
    public var fitsCharacteristic: Bool {
        switch self {
        case .latency, .noAnswer, .drop, .halfAnswer, .wrongTag, .status, .value, .eventLost, .eventDoubled,
            .eventLate:
            true
        default: false
        }
    }

    /// Whether it makes sense for one characteristic only.
    public var needsCharacteristic: Bool {
        if case .value = self { true } else { false }
    }

    /// What of an accessory it takes hold of: of two faults with the same, one would hide the other.
    var subject: Subject? {
        switch self {
        case .noAnswer, .drop, .halfAnswer, .wrongTag: .answer
        case .eventLost, .eventDoubled, .eventLate: .event
        case .mdnsSilent, .mdnsFlapping: .advertisement
        case .latency: .latency
        case .refuse: .port
        case .status: .status
        case .value: .value
        case .powerCut: .power
        case .portChanged, .configurationChanged, .idsChanged, .restart, .pairingForgotten, .batteryLow: nil
        }
    }

    /// What a fault takes hold of.
    enum Subject: Hashable, Sendable {
        case answer
        case event
        case advertisement
        case latency
        case port
        case status
        case value
        case power
    }
}
