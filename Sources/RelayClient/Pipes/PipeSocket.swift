import Foundation
import NIOCore
import NIOPosix
import RelayAPI

/// The socket at one end of a pipe.
final class PipeSocket: Sendable {
    // This is a class because the pipes and the channel's handler share it. All of its state belongs to the event loop.

    private struct State {
        var channel: (any Channel)?
        /// What has come before the channel was there, or is being written.
        var early: [ByteBuffer] = []
        /// What was read and waits for credit.
        var pending = ByteBuffer()
        /// Whether the program has closed its end.
        var hasEnded = false
        var isReading = false
        var isOver = false
        var lastWrite: EventLoopFuture<Void>?
    }

    private let number: UInt32
    private let pipes: RelayPipes
    private let state: NIOLoopBoundBox<State>

    /// Creates a socket on the event loop of its pipes.
    init(_ number: UInt32, of pipes: RelayPipes) {
        self.number = number
        self.pipes = pipes
        state = NIOLoopBoundBox(State(), eventLoop: pipes.loop)
    }

    /// Begins to pump bytes between the pipe and a socket, which this closes.
    func attach(to socket: CInt) {
        ClientBootstrap(group: pipes.loop)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: LiveFrame.payloadBytes)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PipeSocketHandler(self))
                }
            }
            .withConnectedSocket(socket)
            .whenComplete { result in
                switch result {
                case .success(let channel): self.begin(channel)
                case .failure: self.programHasEnded()
                }
            }
    }

    private func begin(_ channel: any Channel) {
        guard !state.value.isOver else { return channel.close(promise: nil) }
        state.value.channel = channel
        let early = state.value.early
        state.value.early = []
        for bytes in early { write(bytes, to: channel) }
        sendMore()
    }

    // MARK: From the pipe

    /// Writes bytes to the program. Credit is given once the socket has taken them.
    func write(_ bytes: Data) {
        let buffer = ByteBuffer(bytes: bytes)
        guard let channel = state.value.channel else { return state.value.early.append(buffer) }
        write(buffer, to: channel)
    }

    private func write(_ buffer: ByteBuffer, to channel: any Channel) {
        let count = buffer.readableBytes
        let written = channel.writeAndFlush(buffer)
        state.value.lastWrite = written
        written.whenSuccess { self.pipes.took(count, on: self.number) }
    }

    /// Sends what the program has written, as far as there is credit.
    func sendMore() {
        let credit = pipes.credit(of: number)
        let count = min(credit, state.value.pending.readableBytes)
        if count > 0, let bytes = state.value.pending.readBytes(length: count) { pipes.send(Data(bytes), on: number) }
        guard state.value.pending.readableBytes == 0 else { return }
        if state.value.hasEnded { return pipes.close(number) }
        guard let channel = state.value.channel, !state.value.isReading,
            pipes.credit(of: number) >= LiveFrame.payloadBytes
        else { return }
        state.value.isReading = true
        channel.read()
    }

    /// Ends the socket, because the pipe has ended. What came before is written first.
    func end() {
        state.value.isOver = true
        guard let channel = state.value.channel else { return }
        guard let lastWrite = state.value.lastWrite else { return channel.close(promise: nil) }
        lastWrite.whenComplete { _ in channel.close(promise: nil) }
    }

    // MARK: From the program

    fileprivate func received(_ buffer: ByteBuffer) {
        state.value.isReading = false
        var buffer = buffer
        state.value.pending.writeBuffer(&buffer)
        sendMore()
    }

    fileprivate func programHasEnded() {
        state.value.hasEnded = true
        if !state.value.isOver { sendMore() }
    }
}

/// A channel handler that reports what a program writes to its socket.
private final class PipeSocketHandler: ChannelInboundHandler {
    // This is a class because NIO's handlers are.

    typealias InboundIn = ByteBuffer

    private let socket: PipeSocket

    init(_ socket: PipeSocket) {
        self.socket = socket
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        socket.received(unwrapInboundIn(data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket.programHasEnded()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
