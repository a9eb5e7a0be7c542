/// The sockets of all interfaces in use: one for each IP version of an interface.
struct LinkSockets: Sendable {
    private var sockets: [UInt32: [MulticastSocket]] = [:]
    /// The last error of each interface. An interface on which one IP version works is used with that version.
    private(set) var refusals: [UInt32: DNSSDError] = [:]

    /// Opens the sockets for all running interfaces.
    ///
    /// - Parameter previous: Open sockets. Those that still match their interfaces are kept.
    init(
        serving interfaces: [NetworkInterface],
        keeping previous: LinkSockets? = nil,
        packets: AsyncStream<ReceivedPacket>.Continuation
    ) async {
        for interface in interfaces where interface.isRunning {
            for isIPv4 in [true, false] where interface.addresses.contains(where: { $0.isIPv4 == isIPv4 }) {
                if let kept = previous?.sockets[interface.index]?.first(where: {
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

    /// Whether there are no sockets.
    var isEmpty: Bool { sockets.isEmpty }

    /// Returns the interfaces that have a socket.
    func used(of interfaces: [NetworkInterface]) -> [NetworkInterface] {
        interfaces.filter { sockets[$0.index] != nil }
    }

    /// Returns whether an interface has a socket for an IP version.
    func uses(_ link: UInt32, isIPv4: Bool) -> Bool {
        sockets[link]?.contains { $0.isIPv4 == isIPv4 } ?? false
    }

    /// Sends a packet. Returns the number of sockets that could not send it.
    func send(_ packet: [UInt8], on link: UInt32, to destination: Outgoing.Destination) -> Int {
        var lost = 0
        for socket in sockets[link] ?? [] {
            if case .unicast(let endpoint) = destination, endpoint.address.isIPv4 != socket.isIPv4 { continue }
            lost += socket.send(packet, to: destination) ? 0 : 1
        }
        return lost
    }

    /// Closes all sockets asynchronously, except those that are also in another set.
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
