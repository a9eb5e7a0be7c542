import AccessoryCheck
import HAP
import HAPCatalog
import Synchronization
import Testing

@testable import HAPServer

@Suite struct CharacteristicTests {
    private typealias Types = HAPType.Characteristic

    @Test func aWholeReadHasNoStatus() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            let response = try await connection.get("/characteristics?id=\(brightness),\(on)")
            #expect(response.status == .ok)
            #expect(
                response.text == #"{"characteristics":[{"aid":1,"iid":\#(brightness.iid),"value":50},"#
                    + #"{"aid":1,"iid":\#(on.iid),"value":0}]}"#
            )
        }
    }

    @Test func aReadThatFailsInPartHasAStatusInEveryEntry() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let on = try await server.id(.on)
            let identify = try await server.id("AccessoryInformation", Types.identify)
            let secret = try await server.id("Special", TestAccessories.adminOnly)
            let response = try await connection.get("/characteristics?id=\(on),\(identify),9.9,\(secret)")
            #expect(response.status == .multiStatus)
            let entries = try CharacteristicReadResponse(decoding: response.body).entries
            #expect(
                entries.map(\.status) == [.success, .writeOnly, .noSuchResource, .insufficientPrivileges]
            )
            #expect(entries.map(\.value) == [.integer(0), nil, nil, nil])
            #expect(response.text.contains(#""status":0"#))
        }
    }

    @Test(arguments: 0..<4) func theEntriesHaveAStatusWhicheverOfThemFails(_ place: Int) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            var ids = [try await server.id(.on), try await server.id(.brightness)]
            ids.append(try await server.id("AccessoryInformation", Types.name))
            ids.insert(CharacteristicID(aid: 9, iid: 9), at: place)
            let query = ids.map(\.description).joined(separator: ",")
            let response = try await connection.get("/characteristics?id=\(query)")
            #expect(response.status == .multiStatus)
            let entries = try CharacteristicReadResponse(decoding: response.body).entries
            #expect(entries.map(\.id) == ids)
            #expect(response.text.ranges(of: #""status":"#).count == ids.count)
            for (index, entry) in entries.enumerated() {
                #expect(entry.status == (index == place ? .noSuchResource : .success))
                #expect((entry.value == nil) == (index == place))
            }
        }
    }

    @Test func anIdThatIsReadTwiceIsAnsweredOnce() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            let response = try await connection.get("/characteristics?id=\(brightness),\(on),\(brightness),9.9,9.9")
            let ids = try CharacteristicReadResponse(decoding: response.body).entries.map(\.id)
            #expect(ids == [brightness, on, CharacteristicID(aid: 9, iid: 9)])
        }
    }

    @Test func textPastTheLimitOfOneReadIsRefused() async throws {
        for excess in [0, 1] {
            var limits = ServerLimits()
            limits.readLength = "Lamp".utf8.count + "Maker".utf8.count - excess
            try await TestServer.run(limits: limits) { server in
                let connection = try await server.connect(as: TestServer.user)
                let name = try await server.id("AccessoryInformation", Types.name)
                let manufacturer = try await server.id("AccessoryInformation", Types.manufacturer)
                let on = try await server.id(.on)
                let response = try await connection.get("/characteristics?id=\(name),\(manufacturer),\(on)")
                let entries = try CharacteristicReadResponse(decoding: response.body).entries
                #expect(entries.map(\.status) == [.success, excess == 0 ? .success : .outOfResources, .success])
                #expect(entries.map(\.value) == [.string("Lamp"), excess == 0 ? .string("Maker") : nil, .integer(0)])
            }
        }
    }

    @Test func bytesCountAsTheirBase64() throws {
        let type = HAPType(short: 0xF001)
        let metadata = CharacteristicMetadata(format: .tlv8)
        let value = CharacteristicValue.data([1, 2, 3, 4])
        let data = HostedCharacteristic(type: type, permissions: [.read], metadata: metadata, value: value)
        var lamp = TestAccessories.lamp()
        lamp.services.append(HostedService(HAPType(short: 0xF000), key: "Data", characteristics: [data]))
        var identifiers = IdentifierTable()
        let database = HostedDatabase([try lamp.completed(isPrimary: true)], identifiers: &identifiers)
        let address = CharacteristicAddress(accessory: "Lamp", service: "Data", type: type)
        let id = database.id(of: address)
        let request = CharacteristicReadRequest(ids: [try #require(id)])
        for (limit, status) in [(8, HAPStatus.success), (7, .outOfResources)] {
            let response = database.read(request, isAdmin: false, subscriptions: [], limit: limit)
            let entries = try CharacteristicReadResponse(decoding: response.body).entries
            #expect(entries.map(\.status) == [status])
        }
    }

    @Test func theLongestValueCanBeRead() {
        #expect((HAPLimits.defaultDataLength + 2) / 3 * 4 <= ServerLimits().readLength)
    }

    @Test func aReadTellsMoreIfAsked() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            let response = try await connection.get("/characteristics?id=\(id)&meta=1&perms=1&type=1&ev=1")
            let entry = try #require(try CharacteristicReadResponse(decoding: response.body).entries.first)
            #expect(response.status == .ok)
            #expect(entry.metadata?.maxValue == .integer(100))
            #expect(entry.permissions == [.read, .write, .notify])
            #expect(entry.type == Types.brightness)
            #expect(entry.events == false)
        }
    }

    @Test(arguments: ["/characteristics?id=1", "/characteristics?id=1.x", "/characteristics?id=1.2&meta=2"])
    func aMalformedReadIsABadRequest(_ target: String) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            #expect(try await connection.get(target).status == .badRequest)
        }
    }

    @Test func aReadOfNothingHasNoContent() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            #expect(try await connection.get("/characteristics").status == .noContent)
        }
    }

    @Test func aWriteIsDoneBeforeItIsAnswered() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            let body =
                #"{"characteristics":[{"aid":1,"iid":\#(on.iid),"value":1},"#
                + #"{"aid":1,"iid":\#(brightness.iid),"value":100}]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .noContent)
            #expect(response.body.isEmpty)
            #expect(try await server.server.value(of: .on) == .bool(true))
            #expect(try await server.server.value(of: .brightness) == .integer(100))
            let writer = TestServer.user.pairingID
            #expect(
                await server.events == [
                    .valueChanged(ValueChange(address: .on, value: .bool(true), controller: writer)),
                    .valueChanged(ValueChange(address: .brightness, value: .integer(100), controller: writer)),
                ]
            )
        }
    }

    @Test func oneFailingEntryDoesNotStopTheOthers() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let ids = [
                try await server.id(.brightness), try await server.id(.on),
                try await server.id("AccessoryInformation", Types.name),
                try await server.id("Special", TestAccessories.adminOnly),
                try await server.id("Special", TestAccessories.timed), CharacteristicID(aid: 2, iid: 1),
                try await server.id("Special", TestAccessories.responding),
            ]
            let values = ["101", "true", #""Other""#, "2", "2", "1", "null"]
            let entries = zip(ids, values).map { #"{"aid":\#($0.aid),"iid":\#($0.iid),"value":\#($1)}"# }
            let body = #"{"characteristics":[\#(entries.joined(separator: ","))]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .multiStatus)
            let outcomes = try CharacteristicWriteResponse(decoding: response.body).entries
            #expect(outcomes.map(\.id) == ids)
            #expect(
                outcomes.map(\.status) == [
                    .invalidValue, .success, .readOnly, .insufficientPrivileges, .invalidValue, .noSuchResource,
                    .invalidValue,
                ]
            )
            #expect(try await server.server.value(of: .on) == .bool(true))
            #expect(try await server.server.value(of: .brightness) == .integer(50))
        }
    }

    @Test(arguments: [
        (#"{"aid":1,"iid":ID}"#, HAPStatus.invalidValue), (#"{"aid":1,"iid":ID,"value":"1"}"#, .invalidValue),
        (#"{"aid":1,"iid":ID,"value":-1}"#, .invalidValue), (#"{"aid":1,"iid":ID,"value":50.5}"#, .invalidValue),
        (#"{"aid":1,"iid":ID,"value":7,"r":true}"#, .writeOnly),
    ])
    func anEntryThatCannotBeDoneChangesNothing(_ entry: String, _ status: HAPStatus) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            let entry = entry.replacing("ID", with: "\(id.iid)")
            let response = try await connection.put("/characteristics", #"{"characteristics":[\#(entry)]}"#)
            #expect(response.status == .multiStatus)
            #expect(try CharacteristicWriteResponse(decoding: response.body).entries.map(\.status) == [status])
            #expect(try await server.server.value(of: .brightness) == .integer(50))
        }
    }

    @Test(arguments: ["{", "[]", #"{"characteristics":{}}"#, #"{"characteristics":[{"aid":1}]}"#])
    func aMalformedWriteIsABadRequest(_ body: String) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            #expect(try await connection.put("/characteristics", body).status == .badRequest)
        }
    }

    @Test func ofSeveralValuesForOneCharacteristicTheLastOneCounts() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let watching = try await server.connect(as: TestServer.admin)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            let subscription = #"{"characteristics":[{"aid":1,"iid":\#(brightness.iid),"ev":true}]}"#
            #expect(try await watching.put("/characteristics", subscription).status == .noContent)
            let entries = [(brightness, "7"), (on, "true"), (brightness, "8")].map { id, value in
                #"{"aid":1,"iid":\#(id.iid),"value":\#(value)}"#
            }
            let body = #"{"characteristics":[\#(entries.joined(separator: ","))]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .noContent)
            #expect(response.body.isEmpty)
            #expect(try await server.server.value(of: .brightness) == .integer(8))
            #expect(try await server.server.value(of: .on) == .bool(true))
            // The event of the first value may have been sent before the second one was written.
            var event = try await watching.event()
            if event.contains(#""value":7"#) { event = try await watching.event() }
            #expect(event.contains(#""value":8"#))
        }
    }

    @Test func aValueAndASubscriptionForOneCharacteristicAreBothApplied() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            let entries = [#""value":7"#, #""ev":true"#].map { #"{"aid":1,"iid":\#(id.iid),\#($0)}"# }
            let body = #"{"characteristics":[\#(entries.joined(separator: ","))]}"#
            #expect(try await connection.put("/characteristics", body).status == .noContent)
            try await server.server.update(.integer(9), of: .brightness)
            #expect(try await connection.event().contains(#""value":9"#))
            #expect(try await server.server.value(of: .brightness) == .integer(9))
        }
    }

    @Test func eachEntryOfARepeatedCharacteristicHasItsStatus() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            let entries = ["7", "101"].map { #"{"aid":1,"iid":\#(id.iid),"value":\#($0)}"# }
            let body = #"{"characteristics":[\#(entries.joined(separator: ","))]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .multiStatus)
            let statuses = try CharacteristicWriteResponse(decoding: response.body).entries.map(\.status)
            #expect(statuses == [.success, .invalidValue])
            #expect(try await server.server.value(of: .brightness) == .integer(7))
        }
    }

    @Test func aWriteWithResponseReturnsTheValueThatTheOwnerChose() async throws {
        try await TestServer.run(write: { _ in .respond(.integer(9)) }) { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id("Special", TestAccessories.responding)
            let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":3,"r":true}]}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .multiStatus)
            #expect(response.text == #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":0,"value":9}]}"#)
        }
    }

    @Test func theOwnerIsToldWhoWritesFromWhereAndWithWhatAuthorization() async throws {
        let writes = Mutex<[CharacteristicWrite]>([])
        let decide: @Sendable (CharacteristicWrite) -> WriteDecision = { write in
            writes.withLock { $0.append(write) }
            return .accept
        }
        try await TestServer.run(write: decide) { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            for (value, members) in [
                (1, ""), (2, #","remote":true,"authData":"AQID""#), (3, #","remote":0,"authData":"""#),
            ] {
                let entry = #"{"aid":1,"iid":\#(id.iid),"value":\#(value)\#(members)}"#
                let body = #"{"characteristics":[\#(entry)]}"#
                #expect(try await connection.put("/characteristics", body).status == .noContent)
            }
            let received = writes.withLock { $0 }
            #expect(received.map(\.value) == [.integer(1), .integer(2), .integer(3)])
            #expect(received.map(\.isRemote) == [false, true, false])
            #expect(received.map(\.authorizationData) == [nil, [1, 2, 3], []])
            #expect(received.map(\.controller) == Array(repeating: TestServer.user.pairingID, count: 3))
        }
    }

    @Test func theOwnerCanRefuseAWrite() async throws {
        try await TestServer.run(write: { _ in .refuse(.unableToPerform) }) { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.on)
            let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":true}]}"#
            let response = try await connection.put("/characteristics", body)
            let statuses = try CharacteristicWriteResponse(decoding: response.body).entries.map(\.status)
            #expect(statuses == [.unableToPerform])
            #expect(try await server.server.value(of: .on) == .bool(false))
            #expect(await server.events.isEmpty)
        }
    }

    @Test func anAdminReachesWhatIsKeptFromUsers() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.admin)
            let id = try await server.id("Special", TestAccessories.adminOnly)
            #expect(try await connection.get("/characteristics?id=\(id)").status == .ok)
            let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":3,"ev":true}]}"#
            #expect(try await connection.put("/characteristics", body).status == .noContent)
        }
    }
}

@Suite struct TimedWriteTests {
    private static func write(_ id: CharacteristicID, pid: Int?) -> String {
        let pid = pid.map { #","pid":\#($0)"# } ?? ""
        return #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":5}]\#(pid)}"#
    }

    @Test func aPreparedWriteIsExecutedOnce() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id("Special", TestAccessories.timed)
            let prepared = try await connection.put("/prepare", #"{"ttl":60000,"pid":18446744073709551615}"#)
            #expect(prepared.status == .ok)
            #expect(prepared.text == #"{"status":0}"#)
            let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":5}],"pid":18446744073709551615}"#
            #expect(try await connection.put("/characteristics", body).status == .noContent)
            let again = try await connection.put("/characteristics", body)
            #expect(again.text == #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":-70410}]}"#)
        }
    }

    @Test func aPidThatWasNotPreparedWritesNothing() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: 7)).status == .multiStatus)
            _ = try await connection.put("/prepare", #"{"ttl":60000,"pid":7}"#)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: 8)).status == .multiStatus)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: 7)).status == .multiStatus)
            #expect(try await server.server.value(of: .brightness) == .integer(50))
        }
    }

    @Test func aPidIsGoodOnItsOwnConnectionOnly() async throws {
        try await TestServer.run { server in
            let first = try await server.connect(as: TestServer.user)
            let second = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            _ = try await first.put("/prepare", #"{"ttl":60000,"pid":7}"#)
            #expect(try await second.put("/characteristics", Self.write(id, pid: 7)).status == .multiStatus)
            #expect(try await first.put("/characteristics", Self.write(id, pid: 7)).status == .noContent)
        }
    }

    @Test func aWriteThatComesTooLateWritesNothing() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            _ = try await connection.put("/prepare", #"{"ttl":0,"pid":7}"#)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: 7)).status == .multiStatus)
            #expect(try await server.server.value(of: .brightness) == .integer(50))
        }
    }

    @Test func aSecondPreparationReplacesTheFirst() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            _ = try await connection.put("/prepare", #"{"ttl":60000,"pid":7}"#)
            _ = try await connection.put("/prepare", #"{"ttl":60000,"pid":8}"#)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: 8)).status == .noContent)
        }
    }

    @Test func aPlainWriteLeavesThePreparedOneStanding() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let id = try await server.id(.brightness)
            _ = try await connection.put("/prepare", #"{"ttl":60000,"pid":7}"#)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: nil)).status == .noContent)
            #expect(try await connection.put("/characteristics", Self.write(id, pid: 7)).status == .noContent)
        }
    }

    @Test func aPreparedWriteIsGoodUntilItsTimeIsOver() {
        let start = ContinuousClock.now
        for (ttl, lifetime) in [
            (0, .zero), (1, .milliseconds(1)), (2500, .milliseconds(2500)),
            (UInt64.max, ServerLimits.timedWriteLifetime),
        ] as [(UInt64, Duration)] {
            for (moment, isInTime) in [(max(lifetime - .nanoseconds(1), .zero), lifetime > .zero), (lifetime, false)] {
                var write = TimedWrite()
                write.prepare(PrepareRequest(timeToLive: ttl, pid: 7), at: start)
                let isExecuted = write.execute(pid: 7, at: start + moment)
                #expect(isExecuted == isInTime)
                let again = write.execute(pid: 7, at: start)
                #expect(!again)
            }
        }
    }

    @Test func aLateWriteChangesNoSubscriptionEither() async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            let (on, brightness) = (try await server.id(.on), try await server.id(.brightness))
            let body =
                #"{"characteristics":[{"aid":1,"iid":\#(on.iid),"value":true,"ev":true},"#
                + #"{"aid":1,"iid":\#(brightness.iid),"ev":true},{"aid":9,"iid":9,"value":1}],"pid":1}"#
            let response = try await connection.put("/characteristics", body)
            #expect(response.status == .multiStatus)
            let outcomes = try CharacteristicWriteResponse(decoding: response.body).entries
            #expect(outcomes.map(\.status) == [.invalidValue, .invalidValue, .invalidValue])
            let read = try await connection.get("/characteristics?id=\(on),\(brightness)&ev=1")
            #expect(read.text.contains(#""ev":false"#) && !read.text.contains(#""ev":true"#))
            #expect(await server.events.isEmpty)
        }
    }

    @Test func aPreparationEndsWithItsConnection() async throws {
        try await TestServer.run { server in
            let id = try await server.id("Special", TestAccessories.timed)
            let first = try await server.connect(as: TestServer.user)
            _ = try await first.put("/prepare", #"{"ttl":60000,"pid":7}"#)
            try await first.close()
            let second = try await server.connect(as: TestServer.user)
            #expect(try await second.put("/characteristics", Self.write(id, pid: 7)).status == .multiStatus)
            #expect(try await second.put("/characteristics", Self.write(id, pid: nil)).status == .multiStatus)
            _ = try await second.put("/prepare", #"{"ttl":60000,"pid":7}"#)
            #expect(try await second.put("/characteristics", Self.write(id, pid: 7)).status == .noContent)
        }
    }

    @Test(arguments: ["{}", #"{"ttl":1}"#, #"{"ttl":-1,"pid":1}"#, #"{"ttl":1,"pid":"1"}"#])
    func aMalformedPreparationIsABadRequest(_ body: String) async throws {
        try await TestServer.run { server in
            let connection = try await server.connect(as: TestServer.user)
            #expect(try await connection.put("/prepare", body).status == .badRequest)
        }
    }
}
