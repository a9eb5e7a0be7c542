public import HAP
public import HAPCatalog

/// A fault of a simulated accessory, as it occurs in real accessories.
///
/// Each fault is written as a line. `Documentation/Faults.md` lists them:
///
/// ```swift
/// try await simulator.inject(Fault("latency 200ms jitter 50ms for 10s"), into: "Garage Door")
/// ```
public struct Fault: Hashable, Sendable {
    /// The kind of fault.
    public enum Kind: Hashable, Sendable {
        /// Every request is delayed, with a jitter in both directions.
        case latency(Duration, jitter: Duration)
        /// Requests aren't executed, and the connection stays silent from then on.
        case noAnswer
        /// Requests aren't executed, and the connection is closed.
        case drop
        /// The port is closed: connections end, and new ones are refused.
        case refuse
        /// Requests are executed, half of the response is sent, and the connection is closed.
        case halfAnswer
        /// Requests are executed, and the response has an invalid authentication tag. Pairing isn't affected, because
        /// it isn't encrypted.
        case wrongTag
        /// Reads, writes or both fail with a HAP status.
        case status(HAPStatus, Access)
        /// The accessory doesn't know timed writes: it answers that there is no such resource.
        case noTimedWrites
        /// A characteristic has a value, even an invalid one.
        case value(CharacteristicValue)
        /// Events are not sent.
        case eventLost
        /// Events are sent twice.
        case eventDoubled
        /// Events are sent later, with the value at that time.
        case eventLate(Duration)
        /// The accessory withdraws its mDNS advertisement. Its port stays open.
        case mdnsSilent
        /// The accessory alternates between withdrawing and advertising itself over mDNS, at this interval.
        case mdnsFlapping(Duration)
        /// The accessory listens on another port.
        case portChanged
        /// The accessory restarts with a higher configuration number, although nothing changed.
        case configurationChanged
        /// The accessory restarts, and everything except its information has new instance IDs.
        case idsChanged
        /// The accessory is off for a time, and restarts with its values.
        case restart(Duration)
        /// During pair setup, the accessory loses power just before it sends this message (M2, M4 or M6). It restarts
        /// after a second.
        case powerCut(PairingState)
        /// The accessory forgets all pairings.
        case pairingForgotten
        /// All batteries of the accessory have this level, in percent, and report a low battery.
        case batteryLow(Int)
    }

    /// The requests that a status applies to.
    public enum Access: String, CaseIterable, Hashable, Sendable {
        /// Reads.
        case read
        /// Writes and subscriptions.
        case write
        /// Reads, writes and subscriptions.
        case all
    }

    /// The duration of a fault.
    public enum Span: Hashable, Sendable {
        /// Until it is cleared.
        case untilCleared
        /// For a time.
        case time(Duration)
        /// For a number of requests or events, from 1 to ``Fault/maximumTimes``.
        case times(Int)
    }

    /// The kind of fault.
    public var kind: Kind
    /// The duration. Momentary faults have ``Span/untilCleared``.
    public var span: Span

    /// The maximum duration in a fault: one day.
    public static let maximumTime = Duration.seconds(86_400)
    /// The maximum number of requests or events that a fault applies to.
    public static let maximumTimes = 1_000_000
    /// The time that an accessory is off after a power cut.
    static let powerCutTime = Duration.seconds(1)

    /// Creates a fault without validating it.
    public init(_ kind: Kind, _ span: Span = .untilCleared) {
        self.kind = kind
        self.span = span
    }
}

// MARK: Properties of kinds

extension Fault.Kind {
    /// Whether the fault is momentary, so that it can't have a duration.
    public var isMomentary: Bool {
        switch self {
        case .portChanged, .configurationChanged, .idsChanged, .restart, .pairingForgotten, .batteryLow: true
        default: false
        }
    }

    /// Whether the fault applies to requests or events, so that it can be counted.
    public var isCounted: Bool {
        switch self {
        case .latency, .noAnswer, .drop, .halfAnswer, .wrongTag, .status, .eventLost, .eventDoubled, .eventLate,
            .powerCut:
            true
        default: false
        }
    }

    /// Whether the fault can be limited to one characteristic.
    public var canTargetCharacteristic: Bool {
        switch self {
        case .latency, .noAnswer, .drop, .halfAnswer, .wrongTag, .status, .value, .eventLost, .eventDoubled,
            .eventLate:
            true
        default: false
        }
    }

    /// Whether the fault requires a characteristic.
    public var needsCharacteristic: Bool {
        if case .value = self { true } else { false }
    }

    /// The aspect of the accessory that the fault affects. Of two faults with the same subject, one would hide the
    /// other.
    var subject: Subject? {
        switch self {
        case .noAnswer, .drop, .halfAnswer, .wrongTag: .answer
        case .noTimedWrites: .preparation
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

    /// An aspect of an accessory that a fault affects.
    enum Subject: Hashable, Sendable {
        case answer
        case preparation
        case event
        case advertisement
        case latency
        case port
        case status
        case value
        case power
    }
}
