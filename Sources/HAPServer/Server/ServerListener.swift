package import NIOCore

/// A source of connections for an accessory server: a TCP port or a replacement.
package struct ServerListener: Sendable {
    /// A closure that accepts a new connection. Call it on the server's event loop, with which the channel must be
    /// registered, before anything is read from the channel. The channel supports the option `autoRead`, which is turned
    /// off.
    package typealias Accept = @Sendable (_ channel: any Channel) throws -> Void

    /// A closure that opens a listener for a server that runs on an event loop. Port 0 means any free port.
    package typealias Open =
        @Sendable (_ eventLoop: any EventLoop, _ port: Int, _ accept: @escaping Accept) -> ServerListener

    /// The port, 1 to 65535.
    package let port: Int
    /// A closure that stops accepting connections. Open connections stay open.
    package let close: @Sendable () async -> Void

    /// Creates an open listener.
    package init(port: Int, close: @escaping @Sendable () async -> Void) {
        self.port = port
        self.close = close
    }
}
