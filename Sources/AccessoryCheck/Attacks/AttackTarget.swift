internal import NIOCore

/// The rule that only accessories on the tester's own network are attacked.
package enum AttackTarget {
    /// Returns a target by its address. A name is resolved once, so that the address that was examined is the one that
    /// is attacked.
    package static func resolve(_ target: CheckTarget) throws(CheckSummary.Problem) -> CheckTarget {
        let address: SocketAddress
        do {
            address = try SocketAddress.makeAddressResolvingHost(target.host, port: target.port)
        } catch {
            throw .unreachable(CheckContext.describe(error))
        }
        guard let bytes = bytes(of: address), let text = address.ipAddress else {
            throw .unreachable("no address is known for \(target.host)")
        }
        guard isAllowed(bytes) else { throw .publicAddress(text) }
        return CheckTarget(host: text + scope(of: address), port: target.port)
    }

    /// Returns whether an address, of 4 or 16 bytes, is a loopback, link-local or private one.
    package static func isAllowed(_ address: [UInt8]) -> Bool {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        if address.count == 16, address.starts(with: mapped) { return isAllowed(Array(address.dropFirst(12))) }
        switch (address.count, address.first ?? 0) {
        case (4, 10), (4, 127): return true
        case (4, 169): return address[1] == 254
        case (4, 172): return (16...31).contains(address[1])
        case (4, 192): return address[1] == 168
        case (16, 0): return address == [UInt8](repeating: 0, count: 15) + [1]
        case (16, 0xFC), (16, 0xFD): return true
        case (16, 0xFE): return address[1] & 0xC0 == 0x80
        default: return false
        }
    }

    /// Returns the bytes of an IP address, or `nil` for another kind.
    private static func bytes(of address: SocketAddress) -> [UInt8]? {
        let range: Range<Int>
        switch address {
        case .v4: range = 4..<8
        case .v6: range = 8..<24
        case .unixDomainSocket: return nil
        }
        return address.withSockAddr { pointer, size in
            Array(UnsafeRawBufferPointer(start: pointer, count: size)[range])
        }
    }

    /// Returns the interface of a link-local address, as in `%2`.
    private static func scope(of address: SocketAddress) -> String {
        guard case .v6 = address else { return "" }
        let index = address.withSockAddr { pointer, size in
            UnsafeRawBufferPointer(start: pointer, count: size).loadUnaligned(fromByteOffset: 24, as: UInt32.self)
        }
        return index == 0 ? "" : "%\(index)"
    }
}
