import Synchronization

/// A service that is being advertised: the handle returned by ``MulticastDNS/advertise(_:)``.
///
/// The advertisement lives until ``withdraw()`` or ``MulticastDNS/shutdown()``; releasing the handle does not end it.
/// It is a class because it has an identity and its name may change under it.
public final class Advertisement: Sendable {
    let id: RegistrationID
    /// The type of the service.
    public let type: ServiceType
    /// Renames, in order, until the advertisement ends. For one consumer; the newest 16 are kept for a slow one.
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

    /// The name under which the service is known now: the requested one, or a numbered one after a conflict.
    public var instanceName: String {
        currentName.withLock { $0 }
    }

    /// Replaces the description and announces the new one. The name is kept and not probed again.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidTXT`, or `closed` after the end of the advertisement.
    public func update(txt: TXTRecord) async throws(DNSSDError) {
        try await owner.update(id, txt: txt)
    }

    /// Says goodbye and ends the advertisement. Does nothing the second time.
    public func withdraw() async {
        await owner.withdraw(id)
    }

    /// Takes the name that was found free at first.
    func settle(on name: String) {
        currentName.withLock { $0 = name }
    }

    /// Takes the name that is established after a conflict, and tells of it if it is another.
    func rename(to name: String) {
        let former = currentName.withLock { current in
            defer { current = name }
            return current
        }
        if former != name {
            continuation.yield(.renamed(from: former, to: name))
        }
    }

    func finish() {
        continuation.finish()
    }
}
