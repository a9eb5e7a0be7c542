/// The shape of a DNS message (RFC 1035 section 4) as multicast DNS uses it (RFC 6762 section 18).
enum DNSFormat {
    /// Bytes before the first question (RFC 1035 section 4.1.1).
    static let headerSize = 12
    /// The longest label (RFC 1035 section 2.3.4).
    static let maximumLabelSize = 63
    /// The longest name on the wire, its final zero included (RFC 1035 section 2.3.4).
    static let maximumNameSize = 255
    /// The most labels that a name of the longest size can have, and so the most pointers worth following.
    static let maximumLabelCount = 127
    /// The two top bits of a length byte: both set announce a pointer, one alone is reserved (RFC 1035 section 4.1.4).
    static let labelKindMask: UInt8 = 0xC0
    /// The offset in a pointer (RFC 1035 section 4.1.4).
    static let pointerOffsetMask: UInt16 = 0x3FFF
    /// The fewest bytes of a question: an empty name, type and class.
    static let minimumQuestionSize = 5
    /// The fewest bytes of a record: an empty name, type, class, lifetime and data length.
    static let minimumRecordSize = 11
    /// The largest message including IP and UDP headers is 9,000 bytes (RFC 6762 section 17); this is what remains
    /// under IPv6.
    static let maximumMessageSize = 8952
    /// What fits an Ethernet frame under IPv6 and UDP; messages are kept within it unless one record alone is larger.
    static let preferredMessageSize = 1440
    /// The top bit of a question's class: a unicast reply is welcome (RFC 6762 section 18.12). The top bit of a
    /// record's class: older data of this name and type is to be forgotten (RFC 6762 section 18.13).
    static let classTopBit: UInt16 = 0x8000
    /// A reply to a plain DNS querier gives no longer lifetime than this, in seconds (RFC 6762 section 6.7).
    static let legacyMaximumTTL: UInt32 = 10
    /// NSEC lists types by their lower eight bits within block 0 only (RFC 6762 section 6.1).
    static let nsecBlockTypes: UInt16 = 256
    /// The longest bitmap of an NSEC block (RFC 4034 section 4.1.2).
    static let nsecMaximumBitmapSize = 32
}

/// Where multicast DNS takes place (RFC 6762 section 3 and 11).
enum MulticastEndpoint {
    /// The UDP port.
    static let port: UInt16 = 5353
    /// The IPv4 group.
    static let groupIPv4 = "224.0.0.251"
    /// The IPv6 group of the link.
    static let groupIPv6 = "ff02::fb"
    /// The hop limit of every packet sent (RFC 6762 section 11).
    static let hopLimit: CInt = 255
}

/// The lifetimes that a responder gives its records, in seconds (RFC 6762 section 10).
enum RecordTTL {
    /// Records that hold a host name or an address.
    static let host: UInt32 = 120
    /// All other records.
    static let other: UInt32 = 4500
    /// A record that ceases to exist (RFC 6762 section 10.1).
    static let goodbye: UInt32 = 0
    /// The longest lifetime that is believed: a day. Longer ones are cut, so that nothing can stay for years.
    static let longestBelieved: UInt32 = 86_400
}

/// Probing and announcing (RFC 6762 section 8).
enum ClaimTiming {
    /// The first probe waits a random time up to this (section 8.1).
    static let initialDelay: Duration = .milliseconds(250)
    /// Between probes, and after the last one before the name is taken (section 8.1).
    static let probeInterval: Duration = .milliseconds(250)
    /// How many probes are sent (section 8.1).
    static let probeCount = 3
    /// The loser of a simultaneous probe starts anew after this (section 8.2).
    static let tieBreakDelay: Duration = .seconds(1)
    /// Between the first and the second announcement; each further interval is twice the one before (section 8.3).
    static let announceInterval: Duration = .seconds(1)
    /// How many times a claimed name is announced: at least twice, and once more for networks that lose packets
    /// (section 8.3).
    static let announceCount = 3
    /// This many conflicts within ``conflictWindow`` slow the probing down (section 8.1).
    static let conflictLimit = 15
    /// See ``conflictLimit`` (section 8.1).
    static let conflictWindow: Duration = .seconds(10)
    /// The pause before each further attempt once conflicts are too many (section 8.1).
    static let conflictBackoff: Duration = .seconds(5)
}

/// Answering (RFC 6762 section 6 and 7).
enum ResponseTiming {
    /// Questions that others may answer as well are answered after a random time within this (section 6).
    static let sharedDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)
    /// A question whose known answers go on in a next packet is answered after a random time within this (section 7.2).
    static let truncatedDelay: ClosedRange<Duration> = .milliseconds(400) ... .milliseconds(500)
    /// A record is not multicast again on an interface before this has passed (section 6).
    static let repeatInterval: Duration = .seconds(1)
    /// The same, when a name is defended against a probe (section 6).
    static let defenceInterval: Duration = .milliseconds(250)
    /// How many times a goodbye is said, ``goodbyeInterval`` apart, on links that can lose packets.
    static let goodbyeCount = 2
    /// Between two goodbyes. A goodbye leaves a record one second; one that came within it would have some caches, such as
    /// that of Avahi, give the record another second.
    static let goodbyeInterval: Duration = .milliseconds(1250)
    /// A known answer suppresses ours if its remaining lifetime is at least our lifetime divided by this (section 7.1).
    static let knownAnswerDivisor: UInt32 = 2
    /// A record of ours that another host repeats with less than its lifetime divided by this is put right (section 6.6).
    static let correctionDivisor: UInt32 = 2
    /// The most hosts whose known answers are awaited at once, and the most known answers kept for one of them. Beyond
    /// that, questions are answered without waiting.
    static let maximumAwaited = (hosts: 32, answers: 4096)
    /// A record is answered by unicast only if it was multicast within its lifetime divided by this (section 5.4).
    static let unicastDivisor = 4
}

/// Asking (RFC 6762 section 5.2).
enum QuestionTiming {
    /// The first question waits a random time within this.
    static let initialDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)
    /// Between the first and the second question.
    static let firstInterval: Duration = .seconds(1)
    /// Each interval is at least this many times the one before.
    static let backoffFactor = 2
    /// How often a host that gave one kind of address is asked for the other.
    static let optionalCount = 2
    /// The longest interval.
    static let longestInterval: Duration = .seconds(3600)
    /// The most questions that are asked at once; further ones wait for ``batchInterval``. So a flood of names that lead
    /// nowhere does not make us flood the link with questions.
    static let maximumBatch = 256
    /// See ``maximumBatch``.
    static let batchInterval: Duration = .milliseconds(100)
    /// A record that is still wanted is asked for again at these percentages of its lifetime.
    static let refreshPercentages = [80, 85, 90, 95]
    /// To each percentage a random part up to this many percent is added.
    static let refreshJitterPercent = 2
}

/// Remembering (RFC 6762 section 10).
enum CacheTiming {
    /// A record that said goodbye, or was replaced by a unique one, lives this much longer (sections 10.1 and 10.2).
    static let lastSecond: Duration = .seconds(1)
    /// Refreshes that come to be due within this time are asked for together.
    static let refreshGrain: Duration = .seconds(1)
    /// A record that is in doubt lives at most this much longer unless it is heard again (sections 10.4 and 10.5).
    static let doubt: Duration = .seconds(10)
    /// So many questions of others that a record should have answered and did not put it in doubt (section 10.5).
    static let unansweredLimit = 2
    /// Questions that come faster than this count as one (section 5.2).
    static let unansweredInterval: Duration = .milliseconds(900)
    /// The most records kept for one interface; further ones are not believed until others expire.
    static let maximumRecords = 8192
    /// The most records kept of one sender, so that no single one can keep out all others.
    static let maximumRecordsOfSource = 6144
    /// So many records beyond ``maximumRecords`` are kept of services that are followed by name.
    static let followedReserve = 1024
    /// The most bytes of names and data kept for one interface.
    static let maximumBytes = 4 << 20
    /// The queue of deadlines is made anew once it is longer than this times the number of records.
    static let queueFactor = 4
    /// The most records of one name and type other than PTR.
    static let maximumSetSize = 32
}

/// Names with a meaning of their own (RFC 6762 section 3, RFC 6763).
enum WellKnownName {
    /// The domain of the link.
    static let local = DomainName(wire: label("local"))
    /// The name whose PTR records list the types on the link (RFC 6763 section 9).
    static let typeEnumeration = DomainName(
        wire: label("_services") + label("_dns-sd") + label("_udp") + local.wire
    )
    /// The label between a subtype and its type (RFC 6763 section 7.1).
    static let subtypeLabel = "_sub"

    private static func label(_ text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { [UInt8($0.count)] + $0 }
    }
}

/// What a description may contain (RFC 6763 section 6).
enum TXTFormat {
    /// The longest entry, key and value together (section 6.1).
    static let maximumEntrySize = 255
    /// The longest description that is advertised; longer ones do not fit one packet (section 6.2).
    static let maximumSize = 1300
    /// What separates a key from its value (section 6.4).
    static let separator = UInt8(ascii: "=")
    /// The characters of a key: printable ASCII without the separator (section 6.4).
    static let keyCharacters: ClosedRange<UInt8> = 0x20...0x7E
}

extension RecordType {
    /// An IPv4 address (RFC 1035 section 3.4.1).
    static let a = RecordType(rawValue: 1)
    /// Another name (RFC 1035 section 3.3.12).
    static let ptr = RecordType(rawValue: 12)
    /// A service's description (RFC 1035 section 3.3.14, RFC 6763 section 6).
    static let txt = RecordType(rawValue: 16)
    /// An IPv6 address (RFC 3596 section 2.1).
    static let aaaa = RecordType(rawValue: 28)
    /// A service's host and port (RFC 2782).
    static let srv = RecordType(rawValue: 33)
    /// Which types a name has (RFC 4034 section 4, RFC 6762 section 6.1).
    static let nsec = RecordType(rawValue: 47)
    /// In a question: every type (RFC 1035 section 3.2.3).
    static let any = RecordType(rawValue: 255)
}

extension RecordClass {
    /// The Internet.
    static let internet = RecordClass(rawValue: 1)
    /// In a question: every class.
    static let any = RecordClass(rawValue: 255)
}

extension DNSMessage.Flags {
    /// A response, not a query.
    static let response = Self(rawValue: 0x8000)
    /// The answer of an authority, as all multicast DNS answers are.
    static let authoritative = Self(rawValue: 0x0400)
    /// More known answers follow in a next packet.
    static let truncated = Self(rawValue: 0x0200)
    /// The kind of query; only 0 is multicast DNS.
    static let operationMask = Self(rawValue: 0x7800)
    /// The error code; only 0 is multicast DNS.
    static let errorMask = Self(rawValue: 0x000F)
}
