import NIOCore
import NIOPosix

extension Channel {
    /// Reads the credentials of the peer.
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
