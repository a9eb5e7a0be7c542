public import HAPCatalog

/// IDs that an accessory had elsewhere and must keep. They also record which IDs were ever assigned, so that none is
/// reused.
public struct PreassignedIdentifiers: Hashable, Sendable {
    /// The owner of an iid: a service or one of its characteristics.
    public struct Subject: Hashable, Sendable {
        /// The key of the service.
        public var service: String
        /// The type of the characteristic, or `nil` for the service itself.
        public var characteristic: HAPType?

        /// Creates a subject from a service and, optionally, one of its characteristics.
        public init(service: String, characteristic: HAPType? = nil) {
            self.service = service
            self.characteristic = characteristic
        }
    }

    /// The aid, or `nil` to let the server assign it. The primary accessory always has 1.
    public var aid: UInt64?
    /// The iids. The server assigns the missing ones. Those of removed services and characteristics stay reserved.
    public var iids: [Subject: UInt64]
    /// The highest iid that was ever assigned, or `nil` if it is the highest of ``iids``.
    public var lastIID: UInt64?

    /// Creates a set of preassigned IDs.
    public init(aid: UInt64? = nil, iids: [Subject: UInt64] = [:], lastIID: UInt64? = nil) {
        self.aid = aid
        self.iids = iids
        self.lastIID = lastIID
    }
}
