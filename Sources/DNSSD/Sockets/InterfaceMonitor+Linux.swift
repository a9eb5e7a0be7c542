import Dispatch
import Glibc
import Synchronization

/// Monitors interfaces for changes, using the kernel's notifications (rtnetlink).
///
/// The content of the notifications is ignored; the receiver reads the current interfaces from the system. This is a
/// class because it owns a descriptor.
final class InterfaceMonitor: Sendable {
    /// The kernel's constants (`linux/netlink.h`, `linux/rtnetlink.h`).
    private enum Netlink {
        static let route: CInt = 0
        static let groups: UInt32 = linkGroup | addressGroupIPv4 | addressGroupIPv6
        static let linkGroup: UInt32 = 0x1
        static let addressGroupIPv4: UInt32 = 0x10
        static let addressGroupIPv6: UInt32 = 0x100
        static let optionLevel: CInt = 270
        static let noBufferErrors: CInt = 5
    }

    /// The layout of the kernel's `sockaddr_nl`.
    private struct Address {
        let family = UInt16(AF_NETLINK)
        let padding: UInt16 = 0
        let process: UInt32 = 0
        let groups = Netlink.groups
    }

    private let source: Mutex<any DispatchSourceRead>

    /// Starts to monitor the interfaces; `nil` if the system refuses.
    ///
    /// - Parameter changed: A closure that is called at least once for every change, on a dispatch queue. It must not
    ///   block.
    init?(_ changed: @escaping @Sendable () -> Void) {
        let kind = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, kind, Netlink.route)
        guard descriptor >= 0 else { return nil }
        // A lost notification is one of many, but an error would end the monitoring.
        guard SocketOption.canSet(descriptor, Netlink.optionLevel, Netlink.noBufferErrors, CInt(1)),
            SocketOption.canBind(descriptor, to: Address())
        else {
            Glibc.close(descriptor)
            return nil
        }
        // Creating a channel of an event loop would take a noticeable part of a program's start.
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            Self.discardNotifications(descriptor)
            changed()
        }
        source.setCancelHandler { Glibc.close(descriptor) }
        source.activate()
        self.source = Mutex(source)
    }

    /// Stops the monitoring asynchronously.
    func abandon() {
        source.withLock { $0.cancel() }
    }

    /// Reads all that has arrived. Of a notification that is larger than the buffer, the kernel discards the rest.
    private static func discardNotifications(_ descriptor: CInt) {
        var byte: UInt8 = 0
        while recv(descriptor, &byte, 1, 0) > 0 {}
    }
}
