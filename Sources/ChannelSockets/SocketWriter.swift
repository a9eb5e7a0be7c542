internal import Glibc
package import NIOCore

/// Writes messages straight to a channel's socket while the channel has nothing else to write.
///
/// For a channel to queue a message, write it and free its queue takes longer than the system call, and a message that
/// the socket takes whole needs no queue. What the socket doesn't take goes through the channel, which then reports the
/// errors, and so does everything for channels without a socket.
///
/// Use it on the channel's event loop, in place of the context's methods, in a handler that is next to the socket: no
/// other handler sees the messages, and nothing else may write bytes to the channel.
package final class SocketWriter {
    // This is a class because the channel can call the handler, and the handler this, before a write returns.

    private let context: ChannelHandlerContext
    private let channel: any Channel
    /// The channel's socket, which is open as long as the channel is active; `nil` if the channel has none.
    private let socket: NIOBSDSocket.Handle?
    /// Whether the channel may still have something to write.
    private var isQueued = false

    /// Creates the writer of a handler.
    package init(_ context: ChannelHandlerContext) {
        self.context = context
        channel = context.channel
        let pipeline = context.pipeline.syncOperations
        socket = try? pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }
    }

    /// Writes a message. Messages leave in the order of the calls.
    package func write(_ message: ByteBuffer) {
        let sent = message.withUnsafeReadableBytes { send($0) }
        guard sent < message.readableBytes else { return }
        var rest = message
        rest.moveReaderIndex(forwardBy: sent)
        queue(rest)
    }

    /// Writes a message. Messages leave in the order of the calls.
    package func write(_ message: [UInt8]) {
        let sent = message.withUnsafeBytes { send($0) }
        if sent < message.count { queue(ByteBuffer(bytes: message[sent...])) }
    }

    /// Returns the number of bytes that the socket took.
    private func send(_ message: UnsafeRawBufferPointer) -> Int {
        guard let socket, channel.isActive, isFirst() else { return 0 }
        // On an error, the channel tries again, and handles what it gets.
        return max(0, Glibc.send(socket, message.baseAddress, message.count, Int32(MSG_NOSIGNAL)))
    }

    private func queue(_ rest: ByteBuffer) {
        isQueued = true
        context.writeAndFlush(NIOAny(rest), promise: nil)
    }

    /// Returns whether the channel has nothing to write. It is asked only after a message went through it, because that
    /// takes long.
    private func isFirst() -> Bool {
        guard isQueued else { return true }
        isQueued = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) != 0
        return !isQueued
    }
}
