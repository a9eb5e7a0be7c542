internal import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The TCP keepalive settings. With them, the kernel detects that an accessory has lost power.
enum KeepAlive {
    private static let idleSeconds: ChannelOptions.Types.SocketOption.Value = 30
    private static let intervalSeconds: ChannelOptions.Types.SocketOption.Value = 10
    private static let probes: ChannelOptions.Types.SocketOption.Value = 3

    /// The TCP options and their values.
    static var options: [(NIOBSDSocket.Option, ChannelOptions.Types.SocketOption.Value)] {
        #if canImport(Darwin)
        let idle = TCP_KEEPALIVE
        #else
        let idle = TCP_KEEPIDLE
        #endif
        return [
            (NIOBSDSocket.Option(rawValue: idle), idleSeconds),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPINTVL), intervalSeconds),
            (NIOBSDSocket.Option(rawValue: TCP_KEEPCNT), probes),
        ]
    }
}
