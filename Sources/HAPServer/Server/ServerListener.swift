package import NIOCore

/// Where an accessory server takes connections: a TCP port, or what stands in for one.
package struct ServerListener: Sendable {
    /// Takes a new connection; to be called on the server's event loop, with which the channel is registered, before
    /// anything is read from it.
    package typealias Accept = @Sendable (_ channel: any Channel) throws -> Void

    /// Opens an entrance to a server that runs on an event loop. Port 0 takes any that is free.
    package typealias Open =
        @Sendable (_ eventLoop: any EventLoop, _ port: Int, _ accept: @escaping Accept) -> ServerListener

    /// The port, 1 to 65535.
    package let port: Int
    /// Takes no more connections; those that there are stay.
    package let close: @Sendable () async -> Void

    /// Creates an entrance that is open.
    package init(port: Int, close: @escaping @Sendable () async -> Void) {
        self.port = port
        self.close = close
    }
}
