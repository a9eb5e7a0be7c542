import HAP
import HAPCatalog
import NIOCore
import NIOPosix
import PeerProcess
import Testing

@testable import HAPClient

/// Tests messages of accessories on the market, reproduced by hand.
struct RealAccessoryTests {
    /// A database with all tolerated deviations: types in each form, IDs as `1.0`, flat ranges, trailing commas, null
    /// for missing values, and members that are missing, of the wrong kind, unknown or useless.
    private static let database = #"""
        { "accessories" : [ { "aid" : 1.0, "vendor" : {"x":[null,]}, "services" : [
          { "iid":1, "type":"3e", "linked":null, "primary":null, "characteristics":[
            {"iid":2,"type":"00000014-0000-1000-8000-0026bb765291","perms":["pw"],"format":"bool"},
            {"iid":3,"type":"0000003A","perms":["pr","hd","zz"],"format":"string","value":"Lamp","maxLen":64.0,},
          ] },
          { "iid":8.0, "type":"00000043-0000-1000-8000-0026BB765291", "primary":1, "hidden":0, "linked":[0, 77],
            "characteristics":[
            {"iid":9,"type":"25","perms":["pr","pw","ev"],"value":1},
            {"iid":10,"type":"8","perms":null,"format":"int","minValue":0.0,"maxValue":1e2,"minStep":1.0,"value":40.0},
            {"iid":11,"type":"E863F10D-079E-48FF-8F27-9C2605A29F52","perms":["pr","ev"],"format":"uint64",
             "value":18446744073709551615,"valid-values-range":[0,1]},
            {"iid":12,"type":"11","perms":["pr","ev"],"format":"float","unit":"celsius","value":null},
            {"iid":13,"type":"73","perms":["pr","ev"],"format":"uint8","valid-values":[0.0,1,2],"value":null},
            {"iid":14,"perms":["pr"],"format":"bool"}, {"type":"25","perms":["pr"]}, null, 7,
          ] },
          { "iid":20, "type":"not a type", "characteristics":[] },
        ] }, {"services":[]}, ] }
        """#

    private static let power = CharacteristicID(aid: 1, iid: 9)
    private static let brightness = CharacteristicID(aid: 1, iid: 10)
    private static let counter = CharacteristicID(aid: 1, iid: 11)
    private static let temperature = CharacteristicID(aid: 1, iid: 12)

    /// Runs a closure with a session and an accessory that has this database and answers other requests with a script.
    private func withSession(
        database: String = Wire.response("200 OK", database),
        script: @escaping FakeAccessory.Script = { _ in [] },
        body: (AccessorySession, FakeAccessory, EventLog) async throws -> Void
    ) async throws {
        let accessory = try await FakeAccessory.start(script: { request in
            request.line == "GET /accessories" ? [.send(database)] : script(request)
        })
        let log = EventLog()
        let session = AccessorySession(
            pairing: accessory.pairing,
            addresses: [accessory.address],
            configuration: .forTests,
            onEvent: log.record
        )
        session.start()
        do {
            try await body(session, accessory, log)
        } catch {
            await session.stop()
            await accessory.stop()
            throw error
        }
        await session.stop()
        await accessory.stop()
    }

    private func read(_ characteristics: String) -> String {
        Wire.response("200 OK", #"{"characteristics":[\#(characteristics)]}"#)
    }

    // MARK: Databases

    @Test func aDatabaseIsTakenForWhatIsSoundInIt() async throws {
        try await withSession { _, _, log in
            let accessory = try #require(await log.ready().first)
            #expect(accessory.aid == 1)
            #expect(accessory.services.map(\.iid) == [1, 8])
            #expect(accessory.services.map(\.type) == [.Service.accessoryInformation, .Service.lightbulb])
            let lamp = accessory.services[1]
            #expect(lamp.isPrimary && !lamp.isHidden && lamp.linked.isEmpty)
            #expect(lamp.characteristics.map(\.iid) == [9, 10, 11, 12, 13])
            #expect(
                lamp.characteristics.map(\.value)
                    == [.bool(true), .integer(40), .unsigned(.max), nil, nil]
            )
            #expect(lamp.characteristics[1].permissions == [.read, .write, .notify])
            #expect(lamp.characteristics[1].metadata.maxValue == .integer(100))
            #expect(lamp.characteristics[2].metadata.validRanges == [0...1])
            #expect(lamp.characteristics[4].metadata.validValues == [0, 1, 2])
        }
    }

    @Test func aDatabaseMayComeInChunksWithExtensionsAndTrailers() async throws {
        var chunked = "HTTP/1.1 200\r\ncontent-TYPE:application/hap+json\r\nTRANSFER-encoding:\tChunked \r\n\r\n"
        var rest = Self.database[...]
        for length in [1, 16, 255, 10_000] {
            let chunk = rest.prefix(length)
            rest = rest.dropFirst(length)
            chunked += "000\(String(chunk.utf8.count, radix: 16, uppercase: true)) ; name=\"value\"\r\n\(chunk)\r\n"
        }
        chunked += "0;last\r\nX-Checksum: 1\r\nX-More: 2\r\n\r\n"
        try await withSession(database: chunked) { _, _, log in
            #expect(await log.ready().first?.services.count == 2)
        }
    }

    // MARK: Values

    @Test func valuesTakeTheFormOfTheirFormatHoweverTheyAreWritten() async throws {
        let answer = read(
            #"{"aid":1,"iid":9,"value":0.0},{"aid":1,"iid":10,"value":true},{"iid":11.0,"aid":1,"value":9007199254740993},"#
                + #"{"aid":1,"iid":12,"value":21,"status":null,"extra":1},"#
        )
        try await withSession(script: { _ in [.send(answer)] }) { session, _, log in
            _ = await log.ready()
            let outcomes = await session.submitRead([Self.power, Self.brightness, Self.counter, Self.temperature]).value
            #expect(
                outcomes.map(\.result) == [
                    .success(.bool(false)), .success(.integer(1)), .success(.integer(9_007_199_254_740_993)),
                    .success(.double(21)),
                ]
            )
        }
    }

    @Test func aUInt64BeyondTheExactDoublesIsWrittenAsItIs() async throws {
        let script: FakeAccessory.Script = { _ in [.send("HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")] }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            for value in [UInt64.max, 9_007_199_254_740_993] {
                let write = CharacteristicWrite(id: Self.counter, value: .unsigned(value))
                #expect(await session.submitWrite([write]).value.map(\.result) == [.success(nil)])
                #expect(accessory.requests.last?.body.contains("\"value\":\(value)}") == true)
            }
        }
    }

    @Test func anEntryThatMakesNoSenseCostsOnlyItself() async throws {
        let answer = read(#"{"aid":1,"iid":9,"value":1},{"aid":1,"iid":10,"status":"well"},{"iid":11}"#)
        try await withSession(script: { _ in [.send(answer)] }) { session, _, log in
            _ = await log.ready()
            let outcomes = await session.submitRead([Self.power, Self.brightness]).value
            #expect(outcomes[0].result == .success(.bool(true)))
            guard case .failure(.malformedAnswer) = outcomes[1].result else {
                Issue.record("\(outcomes[1].result)")
                return
            }
        }
    }

    @Test func aWriteIsNoSuccessIfAnyOutcomeMakesNoSense() async throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"status":0},{"aid":1,"iid":10,"status":"bad"}]}"#
        try await withSession(script: { _ in [.send(Wire.response("207 Multi-Status", body))] }) { session, _, log in
            _ = await log.ready()
            let outcomes = await session.submitWrite([
                CharacteristicWrite(id: Self.power, value: .bool(true)),
                CharacteristicWrite(id: Self.brightness, value: .integer(5)),
            ]).value
            for outcome in outcomes {
                guard case .failure(.malformedAnswer) = outcome.result else {
                    Issue.record("\(outcome.result)")
                    continue
                }
            }
        }
    }

    @Test func anEventIsTakenForWhatIsSoundInIt() async throws {
        let json =
            #"{"characteristics":[{"aid":1.0,"iid":9,"value":1},null,{"iid":3},{"aid":1,"iid":12,"value":-0.5},"#
            + #"{"aid":1,"iid":11,"value":18446744073709551615},{"aid":1,"iid":10,"value":null},]}"#
        let event = "EVENT/1.0 200 OK\r\nContent-Length: \(json.utf8.count)\r\n\r\n\(json)"
        let answer = read(#"{"aid":1,"iid":9,"value":1}"#)
        try await withSession(script: { _ in [.send(event), .send(answer)] }) { session, _, log in
            _ = await log.ready()
            _ = await session.submitRead([Self.power]).value
            #expect(
                await log.values() == [
                    Self.power: .bool(true), Self.temperature: .double(-0.5), Self.counter: .unsigned(.max),
                    Self.brightness: nil,
                ]
            )
        }
    }

    // MARK: HTTP

    @Test func aBodyMayEndWithTheConnection() async throws {
        let script: FakeAccessory.Script = { request in
            guard request.connection == 0 else { return [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
            let json = #"{"characteristics":[{"aid":1,"iid":9,"status":-70402}]}"#
            return [.send("HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n" + json), .close]
        }
        try await withSession(script: script) { session, accessory, log in
            _ = await log.ready()
            let first = session.submitWrite([CharacteristicWrite(id: Self.power, value: .bool(true))])
            let second = session.submitWrite([CharacteristicWrite(id: Self.power, value: .bool(false))])
            // The response is used, and pending requests are sent on the next connection.
            #expect(await first.value.map(\.result) == [.failure(.status(.unableToPerform))])
            #expect(await second.value.map(\.result) == [.success(nil)])
            #expect(accessory.requests.filter { $0.line.hasPrefix("PUT") }.map(\.connection) == [0, 1])
        }
    }

    @Test func aBodyThatEndsWithinAFrameIsNone() async throws {
        let script: FakeAccessory.Script = { request in
            guard request.connection == 0 else { return [.send("HTTP/1.1 204 No Content\r\n\r\n")] }
            return [.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .sendPlain([5, 0, 1]), .close]
        }
        try await withSession(script: script) { session, _, log in
            _ = await log.ready()
            let outcomes = await session.submitWrite([CharacteristicWrite(id: Self.power, value: .bool(true))]).value
            #expect(outcomes.map(\.result) == [.failure(.outcomeUnknown(.connectionLost))])
        }
    }

    @Test(arguments: ["204 No Content", "200 OK", "207 Multi-Status"])
    func anAnswerWithoutABodyLeavesTheNextOneReadable(status: String) async throws {
        let answer = "HTTP/1.1 \(status)\r\nCONTENT-LENGTH: 0\r\nConnection: keep-alive\r\n\r\n"
        try await withSession(script: { _ in [.send(answer)] }) { session, accessory, log in
            _ = await log.ready()
            for value in [true, false] {
                let write = CharacteristicWrite(id: Self.power, value: .bool(value))
                #expect(await session.submitWrite([write]).value.map(\.result) == [.success(nil)])
            }
            #expect(accessory.requests.map(\.connection) == [0, 0, 0])
        }
    }

    // MARK: Pairings

    @Test func aListOfPairingsIsReadWithoutSeparatorsAndInShortFragments() async throws {
        let keys = [LongTermKeyPair.random().publicKey, LongTermKeyPair.random().publicKey]
        var body: [UInt8] = [6, 1, 2]
        for (name, key) in zip([UInt8(65), 66], keys) {
            body += [1, 1, name, 3, 16] + key.bytes.prefix(16) + [3, 16] + key.bytes.suffix(16) + [11, 2, 1, 0]
        }
        let answer = Wire.pairing(body)
        try await withSession(script: { _ in [.sendBytes(answer)] }) { session, _, log in
            _ = await log.ready()
            let pairings = try await session.listPairings()
            #expect(pairings.map(\.controllerID.description) == ["A", "B"])
            #expect(pairings.map(\.publicKey) == keys)
        }
    }

    // MARK: Several accessories

    @Test func anAccessoryThatDoesNotAnswerDelaysNoOther() async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = read(#"{"aid":1,"iid":9,"value":1}"#)
        let slow = try await FakeAccessory.start(script: { request in
            request.line == "GET /accessories" ? [.send(Wire.attributes)] : []
        })
        let quick = try await FakeAccessory.start(script: { request in
            [.send(request.line == "GET /accessories" ? Wire.attributes : answer)]
        })
        var sessions: [AccessorySession] = []
        for accessory in [slow, quick] {
            let log = EventLog()
            let session = AccessorySession(
                pairing: accessory.pairing,
                addresses: [accessory.address],
                configuration: .forTests,
                group: eventLoop,
                onEvent: log.record
            )
            session.start()
            _ = await log.ready()
            sessions.append(session)
        }
        let waiting = sessions[0].submitRead([Fixture.on])
        for _ in 0..<20 {
            #expect(await sessions[1].submitRead([Fixture.on]).value.map(\.result) == [.success(.bool(true))])
        }
        // It was still unanswered.
        await sessions[0].stop()
        #expect(await waiting.value.map(\.result) == [.failure(.stopped)])
        await sessions[1].stop()
        await slow.stop()
        await quick.stop()
    }

    @Test func theKernelWatchesASilentConnection() async throws {
        let accessory = try await FakeAccessory.start()
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let bound = try await AccessoryConnection.connect(
            toFirstOf: [accessory.address],
            timeout: Wait.limit,
            on: eventLoop
        ).get()
        let channel = try #require(try await eventLoop.submit { bound.value.channel }.get())
        #expect(try await channel.getOption(.socketOption(.so_keepalive)).get() != 0)
        for (option, value) in KeepAlive.options {
            #expect(try await channel.getOption(.tcpOption(option)).get() == value)
        }
        try await channel.close().get()
        await accessory.stop()
    }
}
