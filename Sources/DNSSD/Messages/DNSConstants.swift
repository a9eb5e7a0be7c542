/// The format of DNS messages (RFC 1035 section 4) in multicast DNS (RFC 6762 section 18).
enum DNSFormat {
    /// The number of bytes before the first question (RFC 1035 section 4.1.1).
    static let headerSize = 12
    /// The maximum length of a label (RFC 1035 section 2.3.4).
    static let maximumLabelSize = 63
    /// The maximum length of an encoded name, including its final zero (RFC 1035 section 2.3.4).
    static let maximumNameSize = 255
    /// The maximum number of labels in a name, and therefore of pointers that are followed.
    static let maximumLabelCount = 127
    /// The two top bits of a length byte: both set indicate a pointer, one alone is reserved (RFC 1035 section 4.1.4).
    static let labelKindMask: UInt8 = 0xC0
    /// The offset in a pointer (RFC 1035 section 4.1.4).
    static let pointerOffsetMask: UInt16 = 0x3FFF
    /// The minimum size of a question: an empty name, type and class.
    static let minimumQuestionSize = 5
    /// The minimum size of a record: an empty name, type, class, lifetime and data length.
    static let minimumRecordSize = 11
    /// The maximum size of a message. With IP and UDP headers, 9,000 bytes are allowed (RFC 6762 section 17); this is
    /// the rest under IPv6.
    static let maximumMessageSize = 8952
    /// The size that fits into an Ethernet frame under IPv6 and UDP. Messages don't exceed it, unless a single record
    /// is larger.
    static let preferredMessageSize = 1440
    /// The top bit of a question's class requests a unicast response (RFC 6762 section 18.12). The top bit of a
    /// record's class flushes older records with the name and type from caches (RFC 6762 section 18.13).
    static let classTopBit: UInt16 = 0x8000
    /// The maximum lifetime, in seconds, in a response to a plain DNS querier (RFC 6762 section 6.7).
    static let legacyMaximumTTL: UInt32 = 10
    /// The number of types in NSEC block 0, the only block in use (RFC 6762 section 6.1).
    static let nsecBlockTypes: UInt16 = 256
    /// The maximum size of the bitmap of an NSEC block (RFC 4034 section 4.1.2).
    static let nsecMaximumBitmapSize = 32
}

/// The addresses of multicast DNS (RFC 6762 sections 3 and 11).
enum MulticastEndpoint {
    /// The UDP port.
    static let port: UInt16 = 5353
    /// The IPv4 group.
    static let groupIPv4 = "224.0.0.251"
    /// The link-local IPv6 group.
    static let groupIPv6 = "ff02::fb"
    /// The hop limit of every packet sent (RFC 6762 section 11).
    static let hopLimit: CInt = 255
}

/// The lifetimes of a responder's records, in seconds (RFC 6762 section 10).
enum RecordTTL {
    /// The lifetime of records that contain a host name or an address.
    static let host: UInt32 = 120
    /// The lifetime of all other records.
    static let other: UInt32 = 4500
    /// The lifetime of a goodbye (RFC 6762 section 10.1).
    static let goodbye: UInt32 = 0
    /// The maximum lifetime that is accepted: a day. Longer lifetimes are reduced to it.
    static let maximumAccepted: UInt32 = 86_400
}

/// Probing and announcing (RFC 6762 section 8).
enum ClaimTiming {
    /// The maximum random delay before the first probe (section 8.1).
    static let initialDelay: Duration = .milliseconds(250)
    /// The interval between probes, and between the last one and claiming the name (section 8.1).
    static let probeInterval: Duration = .milliseconds(250)
    /// The number of probes (section 8.1).
    static let probeCount = 3
    /// The delay after which the loser of a simultaneous probe starts again (section 8.2).
    static let tieBreakDelay: Duration = .seconds(1)
    /// The interval between the first two announcements. Each further interval is doubled (section 8.3).
    static let announceInterval: Duration = .seconds(1)
    /// The number of announcements: at least two are required, and one is added for networks that lose packets (section
    /// 8.3).
    static let announceCount = 3
    /// The number of conflicts within ``conflictWindow`` that slow down probing (section 8.1).
    static let conflictLimit = 15
    /// See ``conflictLimit`` (section 8.1).
    static let conflictWindow: Duration = .seconds(10)
    /// The delay before each further attempt after too many conflicts (section 8.1).
    static let conflictBackoff: Duration = .seconds(5)
}

/// Responding (RFC 6762 sections 6 and 7).
enum ResponseTiming {
    /// The random delay of responses to questions that other hosts may answer, too (section 6).
    static let sharedDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)
    /// The random delay of a response if the known answers continue in another packet (section 7.2).
    static let truncatedDelay: ClosedRange<Duration> = .milliseconds(400) ... .milliseconds(500)
    /// The minimum interval between multicasts of a record on an interface (section 6).
    static let repeatInterval: Duration = .seconds(1)
    /// The minimum interval when a name is defended against a probe (section 6).
    static let defenceInterval: Duration = .milliseconds(250)
    /// The number of goodbyes, ``goodbyeInterval`` apart, on links that can lose packets.
    static let goodbyeCount = 2
    /// The interval between two goodbyes. A goodbye leaves a record one second to live. A second goodbye within that
    /// time would extend it in some caches, such as Avahi's.
    static let goodbyeInterval: Duration = .milliseconds(1250)
    /// A known answer suppresses a response if its remaining lifetime is at least the full lifetime divided by this
    /// (section 7.1).
    static let knownAnswerDivisor: UInt32 = 2
    /// A record that another host repeats with less than the full lifetime divided by this is corrected (section 6.6).
    static let correctionDivisor: UInt32 = 2
    /// The maximum number of hosts whose further known answers are awaited, and of known answers per host. Beyond that,
    /// questions are answered without waiting.
    static let maximumAwaited = (hosts: 32, answers: 4096)
    /// A record is sent by unicast only if it was multicast within its lifetime divided by this (section 5.4).
    static let unicastDivisor = 4
}

/// Querying (RFC 6762 section 5.2).
enum QuestionTiming {
    /// The random delay before a question is asked for the first time.
    static let initialDelay: ClosedRange<Duration> = .milliseconds(20) ... .milliseconds(120)
    /// The interval between the first two times that a question is asked.
    static let firstInterval: Duration = .seconds(1)
    /// The factor by which each interval increases.
    static let backoffFactor = 2
    /// The number of times that a host with addresses of one family is queried for the other.
    static let optionalCount = 2
    /// The maximum interval.
    static let maximumInterval: Duration = .seconds(3600)
    /// The maximum number of questions at a time; further ones wait for ``batchInterval``. This prevents a flood of
    /// names that can't be resolved from causing a flood of questions.
    static let maximumBatch = 256
    /// The interval between batches; see ``maximumBatch``.
    static let batchInterval: Duration = .milliseconds(100)
    /// The percentages of a record's lifetime at which it is refreshed if it is still needed.
    static let refreshPercentages = [80, 85, 90, 95]
    /// The maximum random percentage that is added to each refresh time.
    static let refreshJitterPercent = 2
}

/// Caching (RFC 6762 section 10).
enum CacheTiming {
    /// The remaining lifetime of a record after a goodbye, or after it was replaced by a unique record (sections 10.1
    /// and 10.2).
    static let lastSecond: Duration = .seconds(1)
    /// The granularity of refresh times. Refreshes that are due within it are sent together.
    static let refreshGrain: Duration = .seconds(1)
    /// The remaining lifetime of a record that is being verified, unless it is received again (sections 10.4 and 10.5).
    static let reconfirmationTime: Duration = .seconds(10)
    /// The number of other hosts' unanswered questions after which a record is removed soon (section 10.5).
    static let unansweredLimit = 2
    /// The minimum interval between questions that are counted separately (section 5.2).
    static let unansweredInterval: Duration = .milliseconds(900)
    /// The maximum number of cached records per interface. Further records are ignored until others expire.
    static let maximumRecords = 8192
    /// The maximum number of cached records per sender, so that a single sender can't fill the cache.
    static let maximumRecordsOfSource = 6144
    /// The additional number of records that are cached for services that are followed by name.
    static let followedReserve = 1024
    /// The maximum number of bytes of cached names and data per interface.
    static let maximumBytes = 4 << 20
    /// The factor by which the queue of deadlines may exceed the number of records before it is rebuilt.
    static let queueFactor = 4
    /// The maximum number of records with the same name and type, except PTR.
    static let maximumSetSize = 32
}

/// Names with a special meaning (RFC 6762 section 3, RFC 6763).
enum WellKnownName {
    /// The link-local domain.
    static let local = DomainName(wire: label("local"))
    /// The name of the PTR records that list the types on the link (RFC 6763 section 9).
    static let typeEnumeration = DomainName(
        wire: label("_services") + label("_dns-sd") + label("_udp") + local.wire
    )
    /// The label between a subtype and its type (RFC 6763 section 7.1).
    static let subtypeLabel = "_sub"

    private static func label(_ text: StaticString) -> [UInt8] {
        text.withUTF8Buffer { [UInt8($0.count)] + $0 }
    }
}

/// The format of TXT records (RFC 6763 section 6).
enum TXTFormat {
    /// The maximum size of an entry, key and value together (section 6.1).
    static let maximumEntrySize = 255
    /// The maximum size of an advertised TXT record, so that it fits into one packet (section 6.2).
    static let maximumSize = 1300
    /// The separator between a key and its value (section 6.4).
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
    /// The types of a name's records (RFC 4034 section 4, RFC 6762 section 6.1).
    static let nsec = RecordType(rawValue: 47)
    /// In a question: all types (RFC 1035 section 3.2.3).
    static let any = RecordType(rawValue: 255)
}

extension RecordClass {
    /// The Internet.
    static let internet = RecordClass(rawValue: 1)
    /// In a question: all classes.
    static let any = RecordClass(rawValue: 255)
}

extension DNSMessage.Flags {
    /// The message is a response, not a query.
    static let response = Self(rawValue: 0x8000)
    /// The answer is authoritative, as all multicast DNS answers are.
    static let authoritative = Self(rawValue: 0x0400)
    /// More known answers follow in another packet.
    static let truncated = Self(rawValue: 0x0200)
    /// The operation code; multicast DNS uses only 0.
    static let operationMask = Self(rawValue: 0x7800)
    /// The response code; multicast DNS uses only 0.
    static let errorMask = Self(rawValue: 0x000F)
}
