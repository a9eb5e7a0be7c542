import Glibc
import NIOCore
import NIOPosix

/// Notices that an interface came, went, or got other addresses, by the kernel's own messages (rtnetlink).
///
/// What a message says is not looked at: whoever is told asks the system for the interfaces as they are.
struct InterfaceMonitor: Sendable {
    /// The kernel's numbers of what is used here (`linux/netlink.h`, `linux/rtnetlink.h`).
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

    /// Starts to listen; `nil` if the system refuses.
    ///
    /// - Parameter changed: Called on an event loop, once or more for every change. Must not wait.
    init?(_ changed: @escaping @Sendable () -> Void) async {
        let kind = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, kind, Netlink.route)
        guard descriptor >= 0 else { return nil }
        // A message that did not fit is one of many; an error would end the listening.
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

    /// Ends the listening soon.
    func abandon() {
        channel.close(promise: nil)
    }
}

/// Tells that something was read. A class, as the pipeline requires; it has no state of its own.
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
