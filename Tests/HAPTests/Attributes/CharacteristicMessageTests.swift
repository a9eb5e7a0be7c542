@testable import HAP
import HAPCatalog
import Testing

private let lamp = CharacteristicID(aid: 1, iid: 9)
private let fan = CharacteristicID(aid: 2, iid: .max)

private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

@Suite struct CharacteristicIDTests {
    @Test func itIsReadAsItIsWritten() {
        #expect(CharacteristicID("1.9") == lamp)
        #expect(CharacteristicID("2.18446744073709551615") == fan)
        #expect(fan.description == "2.18446744073709551615")
        #expect(lamp < fan)
        #expect(CharacteristicID(aid: 1, iid: 10) > lamp)
    }

    @Test(arguments: [
        "", "1", "1.", ".9", "1.9.1", "1,9", "+1.9", "1.-9", " 1.9", "1.9 ", "1.18446744073709551616", "１.9", "a.b",
    ])
    func nothingElseIsAnID(_ form: String) {
        #expect(CharacteristicID(form) == nil)
    }
}

@Suite struct CharacteristicReadRequestTests {
    @Test func theTargetIsReadBack() throws {
        var request = CharacteristicReadRequest(ids: [lamp, fan])
        #expect(request.target == "/characteristics?id=1.9,2.18446744073709551615")
        request.metadata = true
        request.permissions = true
        request.type = true
        request.events = true
        #expect(request.target.hasSuffix("&meta=1&perms=1&type=1&ev=1"))
        let query = try #require(request.request(host: "h").query)
        #expect(try CharacteristicReadRequest(query: query) == request)
    }

    @Test(arguments: [
        "ev=1&id=1.9,2.18446744073709551615", "id=1.9%2C2.18446744073709551615&ev=true&meta=0",
        "id=1%2e9,2.18446744073709551615&x=y&ev=1&perms=false&&z",
    ])
    func parametersComeInAnyOrderAndMayBeEscaped(_ query: String) throws {
        #expect(
            try CharacteristicReadRequest(query: query) == CharacteristicReadRequest(ids: [lamp, fan], events: true)
        )
    }

    @Test func withoutIdsThereIsNothingToRead() throws {
        for query in ["", "id=", "meta=1", "id"] {
            #expect(try CharacteristicReadRequest(query: query).ids.isEmpty)
        }
    }

    @Test(arguments: [
        ("id=1.9,", "id"), ("id=,1.9", "id"), ("id=1.9,,2.3", "id"), ("id=.9", "id"), ("id=1.", "id"), ("id=1", "id"),
        ("id=1..9", "id"), ("id=1.9.2", "id"), ("id=18446744073709551616.1", "id"), ("id=1.99999999999999999999", "id"),
        ("id=1.9;2.3", "id"), ("id=1.9&id=2.3", "id"), ("id=1.9&ev=2", "ev"), ("id=1.9&meta=", "meta"),
        ("id=1.9%2", "id"), ("id=%GG", "id"), ("id=%FF", "id"), ("type=yes", "type"),
    ])
    func theErrorNamesTheParameter(_ query: String, _ parameter: String) {
        let error = #expect(throws: AttributeDecodingError.self) { try CharacteristicReadRequest(query: query) }
        #expect(error?.path == parameter)
    }
}

@Suite struct CharacteristicReadResponseTests {
    @Test func allGoodIs200WithoutAnyStatus() throws {
        let response = CharacteristicReadResponse(entries: [
            .init(id: lamp, value: .bool(true)), .init(id: fan, value: .double(21.5)), .init(id: lamp, value: nil),
        ])
        #expect(response.status == .ok)
        #expect(
            text(response.encoded())
                == #"{"characteristics":[{"aid":1,"iid":9,"value":1},{"aid":2,"iid":18446744073709551615,"value":21.5},"#
                + #"{"aid":1,"iid":9,"value":null}]}"#
        )
        #expect(response.response().headers["content-type"] == "application/hap+json")
    }

    @Test func anyFailureIs207WithAStatusInEveryEntry() throws {
        let response = CharacteristicReadResponse(entries: [
            .init(id: lamp, value: .integer(1)),
            .init(id: fan, status: .unableToPerform, value: .integer(3)),
        ])
        #expect(response.status == .multiStatus)
        #expect(
            text(response.encoded())
                == #"{"characteristics":[{"aid":1,"iid":9,"status":0,"value":1},"#
                + #"{"aid":2,"iid":18446744073709551615,"status":-70402}]}"#
        )
        let decoded = try CharacteristicReadResponse(decoding: response.encoded())
        #expect(decoded.entries.map(\.status) == [.success, .unableToPerform])
        #expect(decoded.entries.map(\.value) == [.integer(1), nil])
        #expect(!decoded.isComplete)
    }

    @Test func whatWasAskedForIsInTheEntry() throws {
        let entry = CharacteristicReadResponse.Entry(
            id: lamp,
            value: .data([1, 1, 0]),
            metadata: CharacteristicMetadata(format: .tlv8),
            permissions: [.read, .notify],
            type: HAPType(short: 0x118),
            events: true
        )
        let response = CharacteristicReadResponse(entries: [entry])
        #expect(
            text(response.encoded())
                == #"{"characteristics":[{"aid":1,"iid":9,"type":"118","format":"tlv8","perms":["pr","ev"],"ev":true,"value":"AQEA"}]}"#
        )
        #expect(try CharacteristicReadResponse(decoding: response.encoded()) == response)
    }

    @Test func accessoriesThatAreNotStrictAreUnderstood() throws {
        let body = #"""
            {"characteristics":[{"aid":2,"iid":10,"value":27.0,},{"aid":3,"iid":12,"status":70402},
            {"iid":11,"aid":3,"value":null,"status":0},{"iid":4.0,"aid":3,"value":1,"status":null},{"aid":3},
            {"aid":3,"iid":5,"status":"good"},{"aid":3,"iid":6,"status":-70403.0}]}
            """#
        let response = try CharacteristicReadResponse(decoding: Array(body.utf8))
        #expect(response.entries.map(\.id.iid) == [10, 12, 11, 4, 6])
        #expect(response.entries.map(\.status) == [.success, .unableToPerform, .success, .success, .busy])
        #expect(response.entries[0].value == .integer(27))
    }

    @Test(arguments: [
        (#"{"characteristics":[{"aid":1},{"iid":1}]}"#, "characteristics[0].iid"),
        (#"{"characteristics":[{"aid":1,"iid":2,"status":"x"}]}"#, "characteristics[0].status"),
        (#"{"characteristics":[{"aid":1,"iid":2,"status":18446744073709551615}]}"#, "characteristics[0].status"),
        (#"{"characteristics":{}}"#, "characteristics"), (#"{"status":-70402}"#, "characteristics"),
    ])
    func theErrorNamesThePath(_ body: String, _ path: String) {
        let error = #expect(throws: AttributeDecodingError.self) {
            try CharacteristicReadResponse(decoding: Array(body.utf8))
        }
        #expect(error?.path == path)
    }
}

@Suite struct CharacteristicWriteTests {
    private func request(_ body: String) throws(AttributeDecodingError) -> CharacteristicWriteRequest {
        try CharacteristicWriteRequest(decoding: Array(body.utf8))
    }

    @Test(arguments: [
        #"{"characteristics":[{"aid":1,"iid":9,"value":true}]}"#,
        #"{"characteristics":[{"iid":9,"aid":1,"ev":false},{"aid":999999999999999999,"iid":0,"value":-7,"ev":true}]}"#,
        #"{ "characteristics" : [ { "aid" : 2 , "iid" : 10 , "value" : "Hall Lamp" } ] , "pid" : 11122333 }"#,
        "{\"characteristics\":\n[\t{\"aid\":2,\r\"iid\":10,\"value\":0}]}",
        #"{"characteristics":[{"aid":2,"iid":10,"value":""}]}"#,
    ])
    func aUsualRequestIsScannedAsItIsDecoded(_ body: String) throws {
        let scanned = try #require(CharacteristicListScanner.request(Array(body.utf8)[...]))
        #expect(try scanned == CharacteristicWriteRequest(decodingTree: Array(body.utf8)))
        // Every prefix and every changed byte is either left to the decoder or decoded to the same.
        for end in body.utf8.indices { expectSame(Array(body.utf8[..<end])) }
        for position in 0..<body.utf8.count {
            for byte in Array("\"\\{}[],:-0e.t \u{1}".utf8) + [0xC3] {
                var altered = Array(body.utf8)
                altered[position] = byte
                expectSame(altered)
            }
        }
    }

    @Test func aPartOfWhatWasReceivedIsDecodedByItself() throws {
        let body = #"{"characteristics":[{"aid":1,"iid":9,"value":12}]}"#
        let received = Array("3456\(body)78".utf8)
        let part = received[4..<(received.count - 2)]
        let expected = CharacteristicWriteRequest(
            entries: [CharacteristicWriteRequest.Entry(id: CharacteristicID(aid: 1, iid: 9), value: .integer(12))]
        )
        #expect(CharacteristicListScanner.request(part) == expected)
        #expect(CharacteristicListScanner.request(received[4..<received.count]) == nil)
        #expect(CharacteristicListScanner.request(part.dropLast()) == nil)
        #expect(try CharacteristicWriteRequest(decoding: Array(" \(body)".utf8)[1...]) == expected)
    }

    @Test(arguments: [
        #"{"characteristics":[{"aid":2,"iid":10,"value":true}]}"#,
        #"{"characteristics":[{"aid":2,"iid":10,"value":-7},{"iid":11,"aid":2,"value":"Hall Lamp"}]}"#,
    ])
    func aUsualEventIsScannedAsItIsDecoded(_ body: String) throws {
        let scanned = try #require(CharacteristicListScanner.event(Array(body.utf8)[...]))
        #expect(try scanned == CharacteristicEvent(decodingTree: Array(body.utf8)))
    }

    @Test(arguments: [
        #"{"characteristics":[{"aid":2,"iid":10,"value":21.5}]}"#,
        #"{"characteristics":[{"aid":2,"iid":10,"ev":true}]}"#,
        #"{"characteristics":[{"aid":2,"iid":10,"value":1,"ev":true}]}"#,
        #"{"characteristics":[{"aid":2,"iid":10,"value":1}],"pid":1}"#,
        #"{"characteristics":[{"aid":2,"iid":10,"value":1,}]}"#,
    ])
    func anyOtherEventIsLeftToTheDecoder(_ body: String) throws {
        #expect(CharacteristicListScanner.event(Array(body.utf8)[...]) == nil)
        #expect(try CharacteristicEvent(decoding: Array(body.utf8)).entries.map(\.id.iid) == [10])
    }

    /// Expects that a body is left to the decoder or decoded to the same, as a request and as an event.
    private func expectSame(_ body: [UInt8]) {
        if let scanned = CharacteristicListScanner.request(body[...]) {
            #expect(scanned == (try? CharacteristicWriteRequest(decodingTree: body)))
        }
        if let scanned = CharacteristicListScanner.event(body[...]) {
            #expect(scanned == (try? CharacteristicEvent(decodingTree: body)))
        }
    }

    @Test(arguments: [
        #"{"characteristics":[{"aid":1,"iid":9,"value":1.5}]}"#, #"{"characteristics":[{"aid":1,"iid":9}]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":null}]}"#, #"{"characteristics":[]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"ev":2}]}"#, #"{"characteristics":[{"aid":1,"aid":1,"iid":9}]}"#,
        #"{"characteristics":[{"aid":01,"iid":9,"value":1}]}"#, #"{"characteristics":[{"aid":-1,"iid":9,"value":1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":-0}]}"#, #"{"characteristics":[{"aid":1,"iid":9,"value":1}],}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":1}]}x"#, #"{"pid":1}"#, "[]", "",
        #"{"characteristics":[{"aid":1,"iid":9,"value":"\u0041"}]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":"é"}]}"#,
        #"{"characteristics":[{"aid":1000000000000000000,"iid":9,"value":1}]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":true,"authData":"AQI="}]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":truer}]}"#,
    ])
    func anyOtherRequestIsLeftToTheDecoder(_ body: String) {
        #expect(CharacteristicListScanner.request(Array(body.utf8)[...]) == nil)
    }

    @Test func everyMemberOfAWriteIsRead() throws {
        let request = try request(
            #"{"characteristics":[{"aid":1,"iid":9,"value":true,"ev":true,"authData":"AQI=","remote":true,"r":true}],"#
                + #""pid":11122333}"#
        )
        var entry = CharacteristicWriteRequest.Entry(id: lamp, value: .bool(true), events: true)
        entry.authorizationData = [1, 2]
        entry.isRemote = true
        entry.wantsResponse = true
        #expect(request == CharacteristicWriteRequest(entries: [entry], pid: 11_122_333))
        let again = try CharacteristicWriteRequest(decoding: request.encoded())
        #expect(again.entries[0].value == .integer(1))
        #expect(again.entries[0].authorizationData == [1, 2])
        #expect(again.pid == 11_122_333)
    }

    @Test func aWriteHasTheFormThatAccessoriesExpect() {
        let request = CharacteristicWriteRequest(entries: [
            .init(id: lamp, value: .double(21.5)), .init(id: fan, events: false),
            .init(id: lamp, value: .data([1, 1, 0])),
        ])
        #expect(
            text(request.encoded())
                == #"{"characteristics":[{"aid":1,"iid":9,"value":21.5},{"aid":2,"iid":18446744073709551615,"ev":false},"#
                + #"{"aid":1,"iid":9,"value":"AQEA"}]}"#
        )
        let http = request.request(host: "10.0.0.2")
        #expect(http.method == .put)
        #expect(http.path == "/characteristics")
        #expect(http.headers["content-type"] == "application/hap+json")
    }

    @Test(arguments: [
        #""ev":1"#, #""ev":0,"value":0"#, #""value":"""#, #""value":1.5,"remote":0,"r":0"#, #""value":false,"x":null"#,
    ])
    func anEntryThatCanBeCarriedOutIsWhole(_ members: String) throws {
        let entry = try request(#"{"characteristics":[{"aid":1,"iid":9,\#(members)}]}"#).entries[0]
        #expect(entry.decodingStatus == .success)
    }

    @Test(arguments: [
        #""x":1"#, #""value":null"#, #""value":[]"#, #""value":{}"#, #""ev":2"#, #""ev":"true""#, #""ev":null"#,
        #""value":1,"ev":"yes""#, #""value":null,"ev":true"#, #""value":1,"authData":"A""#, #""value":1,"authData":7"#,
        #""r":true"#,
    ])
    func anEntryThatCannotBeCarriedOutIsAnsweredWithInvalidValue(_ members: String) throws {
        let request = try request(#"{"characteristics":[{"aid":1,"iid":9,\#(members)},{"aid":1,"iid":10,"value":1}]}"#)
        #expect(request.entries.map(\.decodingStatus) == [.invalidValue, .success])
    }

    @Test(arguments: [
        #"{"characteristics":[{"iid":9,"value":1}]}"#, #"{"characteristics":[{"aid":1,"iid":"9","value":1}]}"#,
        #"{"characteristics":[1]}"#, #"{"characteristics":null}"#, #"{}"#, "[]", "", "{",
        #"{"characteristics":[{"aid":1,"iid":9,"value":1}],"pid":-1}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":1},]}"#,
        #"{"characteristics":[{"aid":1,"iid":9,"value":1,"value":0}]}"#,
    ])
    func aRequestThatCannotBeAnsweredEntryByEntryIsRefused(_ body: String) {
        #expect(throws: AttributeDecodingError.self) { try request(body) }
    }

    @Test func allGoodIs204WithoutABody() {
        let response = CharacteristicWriteResponse(entries: [.init(id: lamp), .init(id: fan, value: .integer(1))])
        #expect(response.status == .noContent)
        #expect(response.encoded().isEmpty)
        #expect(text(response.response().encoded()) == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(CharacteristicWriteResponse(entries: []).status == .noContent)
    }

    @Test func anyFailureIs207WithAStatusInEveryEntry() throws {
        let response = CharacteristicWriteResponse(entries: [
            .init(id: lamp, value: .integer(1)),
            .init(id: fan, status: .readOnly, wantsResponse: true, value: .integer(1)),
        ])
        #expect(response.status == .multiStatus)
        #expect(
            text(response.encoded())
                == #"{"characteristics":[{"aid":1,"iid":9,"status":0},{"aid":2,"iid":18446744073709551615,"status":-70404}]}"#
        )
        #expect(
            try CharacteristicWriteResponse(decoding: response.encoded()).entries.map(\.status) == [
                .success, .readOnly,
            ]
        )
    }

    @Test func anyWriteResponseIs207EvenIfAllIsGood() throws {
        let response = CharacteristicWriteResponse(entries: [
            .init(id: lamp), .init(id: fan, wantsResponse: true, value: .data([1, 1, 0])),
        ])
        #expect(response.response().status == .multiStatus)
        #expect(
            text(response.encoded())
                == #"{"characteristics":[{"aid":1,"iid":9,"status":0},"#
                + #"{"aid":2,"iid":18446744073709551615,"status":0,"value":"AQEA"}]}"#
        )
        let decoded = try CharacteristicWriteResponse(decoding: response.encoded())
        #expect(decoded.entries[1].value?.converted(to: .tlv8) == .data([1, 1, 0]))
    }

    @Test func noBodyMeansThatEverythingWasDone() throws {
        #expect(try CharacteristicWriteResponse(decoding: []).entries.isEmpty)
    }
}

@Suite struct OtherMessageTests {
    @Test func anEventCarriesTheNewestValues() throws {
        let event = CharacteristicEvent(entries: [
            .init(id: lamp, value: .double(23)), .init(id: fan, value: nil), .init(id: fan, value: .string("x")),
        ])
        #expect(
            text(event.message().encoded())
                == "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 149\r\n\r\n"
                + #"{"characteristics":[{"aid":1,"iid":9,"value":23},{"aid":2,"iid":18446744073709551615,"value":null},"#
                + #"{"aid":2,"iid":18446744073709551615,"value":"x"}]}"#
        )
        #expect(try CharacteristicEvent(decoding: event.encoded()) == event)
    }

    @Test func theEventOfTheDigestIsRead() throws {
        let event = try CharacteristicEvent(
            decoding: Array(#"{"characteristics":[{"aid":1,"iid":9,"value":23.0}]}"#.utf8)
        )
        #expect(event.entries == [.init(id: lamp, value: .double(23))])
    }

    @Test func aPreparationIsReadBack() throws {
        let prepare = PrepareRequest(timeToLive: 2_500, pid: .max)
        #expect(text(prepare.encoded()) == #"{"ttl":2500,"pid":18446744073709551615}"#)
        #expect(try PrepareRequest(decoding: prepare.encoded()) == prepare)
        #expect(prepare.request(host: "h").target == "/prepare")
        for bad in [
            #"{"ttl":1}"#, #"{"pid":1}"#, #"{"ttl":-1,"pid":1}"#, #"{"ttl":1,"pid":18446744073709551616}"#, "[]",
        ] {
            #expect(throws: AttributeDecodingError.self) { try PrepareRequest(decoding: Array(bad.utf8)) }
        }
    }

    @Test func aStatusBodyIsReadWithOrWithoutItsSign() throws {
        #expect(text(StatusBody(.success).encoded()) == #"{"status":0}"#)
        #expect(try StatusBody(decoding: Array(#"{"status":-70401}"#.utf8)).status == .insufficientPrivileges)
        #expect(try StatusBody(decoding: Array(#"{"status":70401}"#.utf8)).status == .insufficientPrivileges)
        #expect(throws: AttributeDecodingError.self) { try StatusBody(decoding: Array("{}".utf8)) }
    }
}
