import Glibc
import NIOCore
import Synchronization

/// The sending side of a socket: a descriptor of its own for the same socket.
///
/// A channel closes its socket on most errors of sending. Here they come and go with the network: a cable that is out, an
/// IPv6 address that is not yet confirmed, a full queue, a firewall. A packet that cannot be sent is lost, and that is all.
///
/// A class, because it owns the descriptor and closes it; the lock keeps a number that was closed from being used.
final class DatagramSender: Sendable {
    private let descriptor: Mutex<CInt?>

    /// Duplicates a descriptor; the original stays the caller's.
    init(duplicating original: CInt) {
        let duplicate = fcntl(original, F_DUPFD_CLOEXEC, 0)
        descriptor = Mutex(duplicate < 0 ? nil : duplicate)
    }

    deinit {
        close()
    }

    /// Sends a packet, or loses it; says which. Never waits.
    func send(_ bytes: [UInt8], to address: SocketAddress) -> Bool {
        descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return address.withSockAddr { pointer, size in
                sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), pointer, socklen_t(size)) >= 0
            }
        }
    }

    /// Closes the descriptor. Does nothing the second time.
    func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor.take() {
                Glibc.close(open)
            }
        }
    }
}
