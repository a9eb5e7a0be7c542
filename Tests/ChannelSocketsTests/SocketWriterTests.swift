import ChannelSockets
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

/// Messages that leave straight through a socket, and through its channel where that isn't possible.
struct SocketWriterTests {
    /// A handler that writes what a test asks for, and again when the channel calls it during a write.
    private final class Handler: ChannelInboundHandler {
        // This is a class because NIO's handlers are.
        typealias InboundIn = ByteBuffer

        var writer: SocketWriter?
        /// The message to write when the channel has nothing more to write.
        var last: String?
        private var usesArray = false

        func handlerAdded(context: ChannelHandlerContext) {
            writer = SocketWriter(context)
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            if context.channel.isWritable, let last = last.take() { writer?.write(ByteBuffer(string: last)) }
        }

        /// Writes arrays and buffers in turn.
        func write(_ text: String) {
            usesArray.toggle()
            if usesArray {
                writer?.write(Array(text.utf8))
            } else {
                writer?.write(ByteBuffer(string: text))
            }
        }
    }

    /// A handler that counts the messages that pass through the channel.
    private final class Counter: ChannelOutboundHandler {
        // This is a class because NIO's handlers are.
        typealias OutboundIn = ByteBuffer

        var count = 0

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            count += 1
            context.write(data, promise: promise)
        }
    }

    /// One end of a connection.
    private struct End: Sendable {
        let channel: any Channel
        let handler: NIOLoopBound<Handler>
        let counter: NIOLoopBound<Counter>

        /// Runs a closure on the channel's event loop.
        func run<Value: Sendable>(
            _ body: @escaping @Sendable (_ handler: Handler, _ counter: Counter) throws -> Value
        ) async throws -> Value {
            try await channel.eventLoop.submit { try body(handler.value, counter.value) }.get()
        }
    }

    /// Runs a test with a handler on one end of a connection; the test has the other end.
    private static func run(_ body: (_ end: End, _ other: FileHandle) async throws -> Void) async throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        // The channel's number is one that no other test has.
        let descriptor = fcntl(ends[0], F_DUPFD_CLOEXEC, 900)
        close(ends[0])
        let other = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .withConnectedSocket(descriptor).get()
        let end = try await channel.eventLoop.submit {
            let (handler, counter) = (Handler(), Counter())
            try channel.pipeline.syncOperations.addHandlers([counter, handler])
            return End(
                channel: channel,
                handler: NIOLoopBound(handler, eventLoop: channel.eventLoop),
                counter: NIOLoopBound(counter, eventLoop: channel.eventLoop)
            )
        }.get()
        do {
            try await body(end, other)
            try? await channel.close()
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Reads on a thread of its own, because that waits for the writer.
    private static func read(_ count: Int, from other: FileHandle) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { String(decoding: try other.read(upToCount: count) ?? Data(), as: UTF8.self) }
                )
            }
        }
    }

    /// Reads what has arrived.
    private static func received(_ other: CInt) -> String? {
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = recv(other, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    @Test func aMessagePassesTheChannelBy() async throws {
        try await Self.run { end, other in
            let descriptor = other.fileDescriptor
            try await end.run { handler, counter in
                handler.write("one")
                #expect(Self.received(descriptor) == "one")
                #expect(counter.count == 0)
            }
        }
    }

    @Test func messagesArriveInOrderIfTheSocketDoesNotTakeThem() async throws {
        try await Self.run { end, other in
            let messages = (0..<200).map { String(repeating: "\($0)-", count: $0.isMultiple(of: 3) ? 40_000 : 1) }
            let queued = try await end.run { handler, counter in
                for message in messages { handler.write(message) }
                return counter.count
            }
            #expect(queued > 0)
            let expected = messages.joined()
            #expect(try await Self.read(expected.utf8.count, from: other) == expected)
            // The channel's queue is empty now, and the socket has room.
            let added = try await end.run { handler, counter in
                let before = counter.count
                handler.write("last")
                return counter.count - before
            }
            #expect(added == 0)
            #expect(try await Self.read(4, from: other) == "last")
        }
    }

    @Test func theHandlerCanWriteWhileTheChannelCallsIt() async throws {
        try await Self.run { end, other in
            let long = String(repeating: "x", count: 4_000_000)
            try await end.run { handler, _ in
                handler.last = "last"
                handler.write(long)
            }
            #expect(try await Self.read(long.utf8.count + 4, from: other) == long + "last")
        }
    }

    /// The number of a closed socket belongs to the next file that is opened.
    @Test func nothingIsWrittenToAClosedChannelsDescriptor() async throws {
        try await Self.run { end, _ in
            var ends: [CInt] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            defer { for end in ends { close(end) } }
            let (near, far) = (ends[0], ends[1])
            let channel = end.channel
            let isSame = try await end.run { handler, _ in
                let number = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: CInt.self) { $0 }
                guard let number else { return false }
                channel.close(promise: nil)
                let descriptor = fcntl(near, F_DUPFD_CLOEXEC, number)
                handler.write("secret")
                close(descriptor)
                return descriptor == number
            }
            #expect(isSame)
            #expect(Self.received(far) == nil)
        }
    }

    @Test func aPeerThatIsGoneEndsTheChannel() async throws {
        try await Self.run { end, other in
            try await end.run { handler, _ in
                try other.close()
                handler.write("one")
            }
            try await end.channel.closeFuture.get()
        }
    }

    @Test func aChannelWithoutASocketTakesTheMessage() throws {
        let handler = Handler()
        let channel = EmbeddedChannel(handler: handler)
        handler.write("one")
        handler.write("two")
        #expect(try channel.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "one"))
        #expect(try channel.readOutbound(as: ByteBuffer.self) == ByteBuffer(string: "two"))
        _ = try channel.finish()
    }
}
