import HubAPI
import NIOCore
import NIOPosix

extension Channel {
    /// Who is at the other end, as the kernel knows it.
    func socketPeer() -> EventLoopFuture<SocketPeer> {
        guard let provider = self as? any SocketOptionProvider else {
            return eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        return provider.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SocketPeer.optionLevel),
            name: NIOBSDSocket.Option(rawValue: SocketPeer.optionName)
        )
    }
}
