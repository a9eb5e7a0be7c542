import Glibc
package import NIOCore
import Synchronization

/// The sending side of a socket, with a separate descriptor for it.
///
/// A channel closes its socket on most send errors. Here such errors are temporary: an unplugged cable, an unconfirmed
/// IPv6 address, a full queue, a firewall. A packet that can't be sent is lost without further consequences.
///
/// This is a class because it owns the descriptor and closes it. The lock prevents the use of a closed descriptor.
package final class DatagramSender: Sendable {
    private let descriptor: Mutex<CInt?>

    /// Creates a sender with a duplicate of a descriptor. The caller keeps the original.
    package init(duplicating original: CInt) {
        let duplicate = fcntl(original, F_DUPFD_CLOEXEC, 0)
        descriptor = Mutex(duplicate < 0 ? nil : duplicate)
    }

    deinit {
        close()
    }

    /// Sends a packet without blocking. Returns whether the system accepted it.
    package func send(_ bytes: [UInt8], to address: SocketAddress) -> Bool {
        descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return address.withSockAddr { pointer, size in
                sendto(descriptor, bytes, bytes.count, CInt(MSG_DONTWAIT), pointer, socklen_t(size)) >= 0
            }
        }
    }

    /// Closes the descriptor, unless it is already closed.
    package func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor.take() {
                Glibc.close(open)
            }
        }
    }
}
