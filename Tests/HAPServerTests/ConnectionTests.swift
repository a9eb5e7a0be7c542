import AccessoryCheck
import HAP
import NIOCore
import NIOEmbedded
import Testing

@testable import HAPServer

@Suite struct ConnectionTests {
    private let channel = EmbeddedChannel()
    private let connection: Connection
    private let request = HTTPRequest(.get, "/accessories", host: "x").encoded()

    init() throws {
        let identity = AccessoryIdentity(deviceID: .random(), keyPair: .random())
        connection = Connection(id: ConnectionID(rawValue: 1), channel: channel, identity: identity, at: .now)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Handles bytes and the requests that they complete, as the server does.
    private func receive(_ bytes: [UInt8], _ isTooLate: NIOLoopBoundBox<Bool>) throws {
        try connection.receive(ByteBuffer(bytes: bytes), at: .now)
        var isAnother = false
        while try connection.input.next() != nil { isAnother = true }
        guard connection.needsRequestTimer(isAnother: isAnother) else { return }
        connection.watchRequest(.seconds(30)) { isTooLate.value = true }
    }

    @Test func aRequestHasItsTimeHoweverLongTheFormerOneTook() throws {
        let isTooLate = NIOLoopBoundBox(false, eventLoop: channel.eventLoop)
        try receive(Array(request.prefix(5)), isTooLate)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        // The end of the first request and the start of the second arrive together.
        try receive(Array(request.dropFirst(5)) + request.prefix(5), isTooLate)
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        #expect(!isTooLate.value)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(isTooLate.value)
    }

    @Test func bytesThatTrickleInDoNotProlongARequest() throws {
        let isTooLate = NIOLoopBoundBox(false, eventLoop: channel.eventLoop)
        for byte in request.prefix(30) {
            #expect(!isTooLate.value)
            try receive([byte], isTooLate)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        #expect(isTooLate.value)
    }

    @Test func aConnectionThatHasBegunNothingMayStaySilent() throws {
        let isTooLate = NIOLoopBoundBox(false, eventLoop: channel.eventLoop)
        try receive(request, isTooLate)
        channel.embeddedEventLoop.advanceTime(by: .hours(24))
        #expect(!isTooLate.value)
    }
}
