#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An IPv4 or IPv6 address, without port and zone.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Storage: Hashable, Sendable {
        case v4(UInt32)
        case v6(UInt64, UInt64)
    }

    fileprivate let storage: Storage

    /// Creates an address from its usual text form, `192.168.1.20` or `fd00::1`; `nil` if the text is something else or
    /// has a zone.
    public init?(_ text: String) {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = inet_pton(family, text, buffer.baseAddress) == 1 ? size : 0
            }
            if let address = IPAddress(bytes: bytes) {
                self = address
                return
            }
        }
        return nil
    }

    /// Creates an address from its 4 or 16 bytes in network order; `nil` for any other number of bytes.
    public init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4:
            storage = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            storage = .v6(
                bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
            )
        default:
            return nil
        }
    }

    /// The 4 or 16 bytes in network order.
    public var bytes: [UInt8] {
        switch storage {
        case .v4(let value): value.bigEndianBytes
        case .v6(let high, let low): high.bigEndianBytes + low.bigEndianBytes
        }
    }

    /// Whether this is an IPv4 address.
    public var isIPv4: Bool {
        if case .v4 = storage { true } else { false }
    }

    /// Whether this is an IPv6 link-local address (`fe80::/10`), which is reachable only through a specific interface.
    public var isIPv6LinkLocal: Bool {
        if case .v6(let high, _) = storage { high >> 54 == 0xFE80 >> 6 } else { false }
    }

    /// Whether this is a link-local address (`fe80::/10`, `169.254.0.0/16`).
    var isLinkLocal: Bool {
        switch storage {
        case .v4(let value): value >> 16 == 0xA9FE
        case .v6: isIPv6LinkLocal
        }
    }

    /// Whether this is a loopback address (`127.0.0.0/8`, `::1`).
    public var isLoopback: Bool {
        switch storage {
        case .v4(let value): value >> 24 == 127
        case .v6(let high, let low): (high, low) == (0, 1)
        }
    }

    /// Whether this can be the address of another host: neither unspecified nor multicast.
    var isUnicast: Bool {
        switch storage {
        case .v4(let value): value != 0 && value >> 28 < 0xE
        case .v6(let high, let low): (high, low) != (0, 0) && high >> 56 != 0xFF
        }
    }

    /// The usual text form.
    public var description: String {
        let text = [UInt8](unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { buffer, count in
            let family = isIPv4 ? AF_INET : AF_INET6
            count = buffer.withMemoryRebound(to: CChar.self) { characters in
                inet_ntop(family, bytes, characters.baseAddress, socklen_t(INET6_ADDRSTRLEN)).map { strlen($0) } ?? 0
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension IPAddress: Comparable {
    /// Orders addresses by how likely a connection is to succeed: IPv4, then global IPv6, then link-local IPv6; then by
    /// number.
    public static func < (left: IPAddress, right: IPAddress) -> Bool {
        (left.rank, left.storage.number) < (right.rank, right.storage.number)
    }

    private var rank: Int {
        isIPv4 ? 0 : isIPv6LinkLocal ? 2 : 1
    }
}

extension IPAddress.Storage {
    fileprivate var number: UInt128 {
        switch self {
        case .v4(let value): UInt128(value)
        case .v6(let high, let low): UInt128(high) << 64 | UInt128(low)
        }
    }
}
