public import HAPCatalog

/// Ids that an accessory had elsewhere and has to keep: those of its services and characteristics, and which were given
/// at all, so that none is given again to anything else.
public struct PreassignedIdentifiers: Hashable, Sendable {
    /// What an iid belongs to: a service, or a characteristic of it.
    public struct Subject: Hashable, Sendable {
        /// The key of the service.
        public var service: String
        /// The type of the characteristic; `nil` for the service itself.
        public var characteristic: HAPType?

        /// Names a service, or a characteristic of it.
        public init(service: String, characteristic: HAPType? = nil) {
            self.service = service
            self.characteristic = characteristic
        }
    }

    /// The aid; `nil` leaves it to the server. The primary accessory has always 1.
    public var aid: UInt64?
    /// The iids. What is not among them is given one by the server. Those of what is no longer there stay reserved.
    public var iids: [Subject: UInt64]
    /// The highest iid that was ever given; `nil` if that is the highest of ``iids``.
    public var lastIID: UInt64?

    /// Creates a statement of IDs.
    public init(aid: UInt64? = nil, iids: [Subject: UInt64] = [:], lastIID: UInt64? = nil) {
        self.aid = aid
        self.iids = iids
        self.lastIID = lastIID
    }
}
