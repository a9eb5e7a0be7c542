import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A relay that isn't to be trusted: a proxy in front of an honest one, with a script that decides about each answer.
package final class HostileRelay: Sendable {
    // This is a class because it owns an open port.

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Upstream = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    private struct State {
        var script: HostileScript = { _ in .pass }
        var upstream = 0
        var requests: [HostileRequest] = []
    }

    /// The number of requests that are remembered.
    private static let rememberedRequests = 4_096

    private let state = Mutex(State())
    private let listening = Mutex<(channel: any Channel, port: Int)?>(nil)
    private let open = Mutex<[ObjectIdentifier: any Channel]>([:])
    private let isStopped = Mutex(false)

    /// The URL under which clients find the relay.
    package var url: String { "http://127.0.0.1:\(listening.withLock { $0?.port } ?? 0)" }

    /// Opens a port on the loopback interface. Set ``upstream`` before the first request.
    package init() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 64)
            .childChannelInitializer { [weak self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    // Each connection is served from the beginning, because one that nobody takes can't be released.
                    let connection = try Connection(wrappingChannelSynchronously: channel)
                    self?.add(channel)
                    Task { [weak self] in try? await Self.serve(connection, by: self) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        listening.withLock { $0 = (server, server.localAddress?.port ?? 0) }
    }

    /// The port of the honest relay.
    package var upstream: Int {
        get { state.withLock { $0.upstream } }
        set { state.withLock { $0.upstream = newValue } }
    }

    /// The requests so far.
    package var requests: [HostileRequest] { state.withLock { $0.requests } }

    /// Does as a script says from now on. Connections that are open end, streams too.
    package func follow(_ script: @escaping HostileScript) {
        state.withLock { state in
            state.script = script
            state.requests = []
        }
        dropConnections()
    }

    /// Is honest from now on.
    package func beHonest() { follow { _ in .pass } }

    /// Closes the port and all connections.
    package func stop() async {
        isStopped.withLock { $0 = true }
        try? await listening.withLock { $0?.channel }?.close()
        dropConnections()
    }

    private func dropConnections() {
        for channel in open.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }

    // MARK: Serving

    private func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        open.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [weak self] _ in
            _ = self?.open.withLock { $0.removeValue(forKey: id) }
        }
        if isStopped.withLock({ $0 }) { channel.close(promise: nil) }
    }

    private static func serve(_ connection: Connection, by relay: HostileRelay?) async throws {
        let channel = connection.channel
        try await connection.executeThenClose { inbound, outbound in
            guard let relay else { return }
            var head: HTTPRequestHead?
            var body = Data()
            for try await part in inbound {
                switch part {
                case .head(let next): (head, body) = (next, Data())
                case .body(let bytes): body.append(contentsOf: bytes.readableBytesView)
                case .end:
                    guard let head else { return }
                    try await relay.answer(head, body, outbound, channel)
                }
            }
        }
    }

    private func answer(
        _ head: HTTPRequestHead,
        _ body: Data,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
        _ channel: any Channel
    ) async throws {
        let request = HostileRequest(method: head.method.rawValue, path: head.uri, body: body)
        let script = state.withLock { state in
            state.requests = (state.requests + [request]).suffix(Self.rememberedRequests)
            return state.script
        }
        switch script(request) {
        case .pass:
            try await forward(head, body, outbound, channel) { $0 }
        case .alterRequest(let alter):
            let altered = alter(body)
            var head = head
            head.headers.replaceOrAdd(name: "Content-Length", value: "\(altered.count)")
            try await forward(head, altered, outbound, channel) { $0 }
        case .alterStream(let alter):
            try await forward(head, body, outbound, channel, alter)
        case .answer(let answer):
            try await write(answer, outbound)
        case .alter(let alter):
            try await write(alter(try await ask(head, body)), outbound)
        case .cut(let count):
            // The length says more than comes.
            let answer = try await ask(head, body)
            try await outbound.write(.head(Self.head(answer)))
            try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body.prefix(count)))))
            try await channel.close()
        case .endless(let piece):
            let endless = HTTPResponseHead(version: .http1_1, status: .ok)
            try await outbound.write(.head(endless))
            while !Task.isCancelled {
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: piece))))
                // It must not starve the others on the machine.
                try await Task.sleep(for: .milliseconds(1))
            }
        case .hang:
            try await channel.closeFuture.get()
        case .close:
            try await channel.close()
        }
    }

    private static func head(_ answer: HostileAnswer) -> HTTPResponseHead {
        var headers = HTTPHeaders(answer.headers.filter { $0.0.lowercased() != "content-length" })
        headers.remove(name: "Transfer-Encoding")
        headers.replaceOrAdd(name: "Content-Length", value: "\(answer.body.count)")
        return HTTPResponseHead(version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
    }

    private func write(
        _ answer: HostileAnswer,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        try await outbound.write(.head(Self.head(answer)))
        try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: answer.body))))
        try await outbound.write(.end(nil))
    }

    // MARK: The honest relay

    private func upstreamConnection() async throws -> Upstream {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHTTPClientHandlers() }
            }
            .connect(host: "127.0.0.1", port: upstream).get()
        // Only now, because a connection that isn't made can't be released.
        return try await channel.eventLoop.submit { try Upstream(wrappingChannelSynchronously: channel) }.get()
    }

    private static func send(
        _ head: HTTPRequestHead,
        _ body: Data,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        var head = head
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        try await outbound.write(.head(head))
        if !body.isEmpty { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
        try await outbound.write(.end(nil))
    }

    /// Returns what the honest relay answers.
    private func ask(_ head: HTTPRequestHead, _ body: Data) async throws -> HostileAnswer {
        let connection = try await upstreamConnection()
        return try await connection.executeThenClose { inbound, outbound in
            try await Self.send(head, body, outbound)
            var answer = HostileAnswer(status: 500, body: Data())
            for try await part in inbound {
                switch part {
                case .head(let head):
                    answer.status = Int(head.status.code)
                    answer.headers = head.headers.filter { $0.name.lowercased() != "connection" }
                        .map { ($0.name, $0.value) }
                case .body(let bytes): answer.body.append(contentsOf: bytes.readableBytesView)
                case .end: return answer
                }
            }
            return answer
        }
    }

    /// Passes on what the honest relay answers, as it comes.
    private func forward(
        _ head: HTTPRequestHead,
        _ body: Data,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
        _ channel: any Channel,
        _ alter: @Sendable (Data) -> Data
    ) async throws {
        let connection = try await upstreamConnection()
        let upstream = connection.channel
        channel.closeFuture.whenComplete { _ in upstream.close(promise: nil) }
        try await connection.executeThenClose { inbound, upstreamOutbound in
            try await Self.send(head, body, upstreamOutbound)
            for try await part in inbound {
                switch part {
                case .head(var head):
                    head.headers.remove(name: "Connection")
                    try await outbound.write(.head(head))
                case .body(let bytes):
                    let altered = alter(Data(bytes.readableBytesView))
                    try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: altered))))
                case .end:
                    try await outbound.write(.end(nil))
                    return
                }
            }
            // The honest relay has ended its answer in the middle.
            channel.close(promise: nil)
        }
    }
}
