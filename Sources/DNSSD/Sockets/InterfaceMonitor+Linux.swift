import Glibc
import NIOCore
import NIOPosix

/// Monitors interfaces for changes, using the kernel's notifications (rtnetlink).
///
/// The content of the notifications is ignored; the receiver reads the current interfaces from the system.
struct InterfaceMonitor: Sendable {
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

    private let channel: any Channel

    /// Starts to monitor the interfaces; `nil` if the system refuses.
    ///
    /// - Parameter changed: A closure that is called at least once for every change, on an event loop. It must not
    ///   block.
    init?(_ changed: @escaping @Sendable () -> Void) async {
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
        let bootstrap = NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.pipeline.addHandler(ChangeReader(changed: changed))
            }
        guard let channel = try? await bootstrap.takingOwnershipOfDescriptor(input: descriptor).get() else {
            Glibc.close(descriptor)
            return nil
        }
        self.channel = channel
    }

    /// Stops the monitoring asynchronously.
    func abandon() {
        channel.close(promise: nil)
    }
}

/// Reports that something was read. This is a class because the pipeline requires it; it has no mutable state.
private final class ChangeReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let changed: @Sendable () -> Void

    init(changed: @escaping @Sendable () -> Void) {
        self.changed = changed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        changed()
    }
}
