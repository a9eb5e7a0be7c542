/// The sockets of all interfaces in use: one for each IP version that an interface has an address of.
struct LinkSockets: Sendable {
    private var sockets: [UInt32: [MulticastSocket]] = [:]
    /// What the system refused last, by interface. An interface on which one IP version works is used with that one.
    private(set) var refusals: [UInt32: DNSSDError] = [:]

    /// Opens what is needed to serve interfaces, as far as they are running.
    ///
    /// - Parameter former: Sockets that are open already, of which those are kept that serve an interface as it is.
    init(
        serving interfaces: [NetworkInterface],
        keeping former: LinkSockets? = nil,
        packets: AsyncStream<ReceivedPacket>.Continuation
    ) async {
        for interface in interfaces where interface.isRunning {
            for isIPv4 in [true, false] where interface.addresses.contains(where: { $0.isIPv4 == isIPv4 }) {
                if let kept = former?.sockets[interface.index]?.first(where: {
                    $0.isIPv4 == isIPv4 && $0.serves(interface)
                }) {
                    sockets[interface.index, default: []].append(kept)
                    continue
                }
                do throws(DNSSDError) {
                    let socket = try await MulticastSocket(interface, isIPv4: isIPv4, packets: packets)
                    sockets[interface.index, default: []].append(socket)
                } catch {
                    refusals[interface.index] = refusals[interface.index] ?? error
                }
            }
        }
    }

    /// Whether there is no socket.
    var isEmpty: Bool { sockets.isEmpty }

    /// The interfaces that have a socket.
    func used(of interfaces: [NetworkInterface]) -> [NetworkInterface] {
        interfaces.filter { sockets[$0.index] != nil }
    }

    /// Whether an interface has a socket of an IP version.
    func uses(_ link: UInt32, isIPv4: Bool) -> Bool {
        sockets[link]?.contains { $0.isIPv4 == isIPv4 } ?? false
    }

    /// Sends a packet; says by how many sockets it could not be sent.
    func send(_ packet: [UInt8], on link: UInt32, to destination: Outgoing.Destination) -> Int {
        var lost = 0
        for socket in sockets[link] ?? [] {
            if case .unicast(let endpoint) = destination, endpoint.address.isIPv4 != socket.isIPv4 { continue }
            lost += socket.send(packet, to: destination) ? 0 : 1
        }
        return lost
    }

    /// Closes all sockets soon, except those that others keep.
    func abandon(except kept: LinkSockets? = nil) {
        for (link, sockets) in sockets {
            for socket in sockets where kept?.sockets[link]?.contains(where: { $0.isSame(as: socket) }) != true {
                socket.abandon()
            }
        }
    }

    /// Closes all sockets.
    func close() async {
        for socket in sockets.values.joined() {
            await socket.close()
        }
    }
}
