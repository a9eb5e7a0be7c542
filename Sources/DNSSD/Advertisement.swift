import Synchronization

/// An advertised service: the handle that ``MulticastDNS/advertise(_:)`` returns.
///
/// The advertisement lasts until ``withdraw()`` or ``MulticastDNS/shutdown()``; releasing the handle doesn't end it.
/// This is a class because it has an identity, and its name can change.
public final class Advertisement: Sendable {
    let id: RegistrationID
    /// The type of the service.
    public let type: ServiceType
    /// The renames, in order, until the advertisement ends. For one consumer; the newest 16 are buffered.
    public let events: AsyncStream<AdvertisementEvent>

    private let owner: MulticastDNS
    private let currentName: Mutex<String>
    private let continuation: AsyncStream<AdvertisementEvent>.Continuation

    init(id: RegistrationID, name: String, type: ServiceType, owner: MulticastDNS) {
        self.id = id
        self.type = type
        self.owner = owner
        currentName = Mutex(name)
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    /// The current name of the service: the requested name, or a numbered one after a conflict.
    public var instanceName: String {
        currentName.withLock { $0 }
    }

    /// Replaces the service's TXT record and announces the new one. The name is kept and isn't probed again.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidTXT`, or `closed` after the end of the advertisement.
    public func update(txt: TXTRecord) async throws(DNSSDError) {
        try await owner.update(id, txt: txt)
    }

    /// Sends a goodbye and ends the advertisement. Does nothing if it has already ended.
    public func withdraw() async {
        await owner.withdraw(id)
    }

    /// Sets the first established name.
    func setName(_ name: String) {
        currentName.withLock { $0 = name }
    }

    /// Sets the name that is established after a conflict, and reports it if it differs.
    func rename(to name: String) {
        let previous = currentName.withLock { current in
            defer { current = name }
            return current
        }
        if previous != name {
            continuation.yield(.renamed(from: previous, to: name))
        }
    }

    func finish() {
        continuation.finish()
    }
}
