import HAP
import Testing

@Suite struct HTTPRequestReaderTests {
    @Test func everyCutOfAStreamGivesTheSameRequests() {
        let stream = Array(
            ("GET /accessories HTTP/1.1\r\nHost: lamp\\032._hap._tcp.local\r\n\r\n"
                + "PUT /characteristics HTTP/1.1\r\nHost: 10.0.0.2:51826\r\ncontent-length:  11 \r\n"
                + "Content-Type: application/hap+json\r\n\r\n{\"é\":\r\n1}\n"
                + "\r\nPOST /identify HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
                + "GET /characteristics?id=1.9,1.10&ev=1 HTTP/1.1\r\nX-Empty:\r\n\r\n").utf8
        )
        let whole = HTTPRequestReader.outcome(of: [stream[...]])
        #expect(whole.error == nil)
        #expect(whole.messages.map(\.path) == ["/accessories", "/characteristics", "/identify", "/characteristics"])
        #expect(whole.messages.map(\.method) == [.get, .put, .post, .get])
        #expect(whole.messages.first?.headers["host"] == "lamp\\032._hap._tcp.local")
        #expect(whole.messages[1].body == Array("{\"é\":\r\n1}\n".utf8))
        #expect(whole.messages[1].headers["CONTENT-TYPE"] == "application/hap+json")
        #expect(whole.messages[1].query == nil)
        #expect(whole.messages[3].query == "id=1.9,1.10&ev=1")
        #expect(whole.messages[3].headers["x-empty"] == "")
        for segments in HTTPSplits.all(of: stream) { #expect(HTTPRequestReader.outcome(of: segments) == whole) }
    }

    @Test func aRequestStaysAsItIsWhileTheNextOnesAreReceived() throws {
        var reader = HTTPRequestReader()
        var requests: [HTTPRequest] = []
        for number in 0..<20 {
            reader.receive { $0 += "GET /characteristics?id=1.\(number) HTTP/1.1\r\nHost: \(number)\r\n\r\n".utf8 }
            requests.append(try #require(try reader.next()))
        }
        #expect(requests.map(\.query) == (0..<20).map { "id=1.\($0)" })
        #expect(requests.map { $0.headers["Host"] } == (0..<20).map { "\($0)" })
    }

    @Test func aReaderKnowsWhetherItIsBetweenMessages() throws {
        var reader = HTTPRequestReader()
        #expect(reader.isBetweenMessages)
        for byte in "POST /pair-verify HTTP/1.1\r\nContent-Length: 2\r\n\r\nab".utf8 {
            #expect(try reader.next() == nil)
            reader.receive([byte])
            #expect(!reader.isBetweenMessages)
        }
        #expect(try reader.next()?.body == Array("ab".utf8))
        #expect(reader.isBetweenMessages)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", HTTPError.malformedStartLine), (" GET / HTTP/1.1\r\n\r\n", .malformedStartLine),
        ("GET  / HTTP/1.1\r\n\r\n", .malformedStartLine), ("GET / HTTP/1.1 \r\n\r\n", .malformedStartLine),
        ("GET accessories HTTP/1.1\r\n\r\n", .malformedStartLine), ("G(T / HTTP/1.1\r\n\r\n", .malformedStartLine),
        ("GET http://a/ HTTP/1.1\r\n\r\n", .malformedStartLine), ("GET /\u{E9} HTTP/1.1\r\n\r\n", .malformedStartLine),
        ("GET /\t HTTP/1.1\r\n\r\n", .malformedStartLine), ("GET / HTTX/1.1\r\n\r\n", .malformedStartLine),
        ("\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n", .malformedStartLine), ("\u{16}\u{3}\u{1}\r\n", .malformedStartLine),
        ("EVENT/1.0 200 OK\r\n\r\n", .malformedStartLine),
        ("GET / HTTP/1.0\r\n\r\n", .unsupportedVersion), ("GET / HTTP/2.0\r\n\r\n", .unsupportedVersion),
        ("GET / http/1.1\r\n\r\n", .malformedStartLine), ("GET / HTTP/1.10\r\n\r\n", .unsupportedVersion),
        ("GET / HTTP/1.1\n\r\n", .malformedLineEnd), ("GET / HTTP/1.1\r\nA: b\n\r\n", .malformedLineEnd),
        ("GET / HTTP/1.1\r\nA: b\r\n\n", .malformedLineEnd),
        ("GET / HTTP/1.1\r\nA: b\rC: d\r\n\r\n", .malformedLineEnd),
        ("GET / HTTP/1.1\r\nA: b\r\r\n\r\n", .malformedLineEnd), ("GET /\rX", .malformedLineEnd),
        ("GET / HTTP/1.1\r\nContent-Length : 5\r\n\r\nhello", .malformedHeader),
        ("GET / HTTP/1.1\r\n Content-Length: 5\r\n\r\nhello", .malformedHeader),
        ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", .malformedHeader), ("GET / HTTP/1.1\r\nA b\r\n\r\n", .malformedHeader),
        ("GET / HTTP/1.1\r\n: b\r\n\r\n", .malformedHeader), ("GET / HTTP/1.1\r\nA: \u{0}\r\n\r\n", .malformedHeader),
        ("GET / HTTP/1.1\r\nA\u{B}: b\r\n\r\n", .malformedHeader), ("GET / HTTP/1.1\r\nÄ: b\r\n\r\n", .malformedHeader),
        ("PUT / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: 5\r\ncontent-length: 5\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: 5, 5\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: +5\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: -5\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: 0x5\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: 5 5\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length:\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: ５\r\n\r\nhello", .malformedContentLength),
        ("PUT / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", .bodyTooLarge),
        ("PUT / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .conflictingLengths),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", .conflictingLengths),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .lengthRequired),
        ("PUT / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n", .lengthRequired),
        ("PUT / HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello", .unmetExpectation),
        ("PUT / HTTP/1.1\r\ntransfer-ENCODING:\tidentity\r\n\r\n", .lengthRequired),
    ])
    func whatTwoReadersCouldReadDifferentlyIsRefused(_ text: String, _ expected: HTTPError) {
        let stream = Array(text.utf8)
        for segments in HTTPSplits.all(of: stream) {
            let outcome = HTTPRequestReader.outcome(of: segments)
            #expect(outcome.messages.isEmpty)
            #expect(outcome.error == expected)
        }
        #expect((400..<600).contains(expected.status.rawValue))
        #expect(!expected.status.reasonPhrase.isEmpty)
    }

    @Test func aChangedStreamMeansTheSameHoweverItIsCut() {
        let text =
            "GET /a HTTP/1.1\r\nHost: x\r\n\r\nPUT /b HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello"
            + "POST /c HTTP/1.1\r\n\r\n"
        let limits = HTTPLimits(startLineLength: 18, headerLength: 24, bodyLength: 50)
        for stream in HTTPMutations.of(text, count: 2_000) {
            let whole = HTTPRequestReader.outcome(of: [stream[...]], limits: limits)
            let bytes = HTTPRequestReader.outcome(of: stream.indices.map { stream[$0...$0] }, limits: limits)
            #expect(whole == bytes)
        }
    }

    @Test func aRefusalIsFinalAndComesAfterTheRequestsBeforeIt() throws {
        var reader = HTTPRequestReader()
        reader.receive(Array("GET /accessories HTTP/1.1\r\n\r\nGET\r\n\r\n".utf8))
        #expect(try reader.next()?.path == "/accessories")
        #expect(throws: HTTPError.malformedStartLine) { try reader.next() }
        reader.receive(Array("GET /accessories HTTP/1.1\r\n\r\n".utf8))
        #expect(throws: HTTPError.malformedStartLine) { try reader.next() }
    }

    @Test func everyLimitHoldsAtItsLastByte() {
        let limits = HTTPLimits(startLineLength: 24, headerLength: 30, bodyLength: 8)
        // "GET /" + 10 + " HTTP/1.1" is 24 bytes; "A: " + 25 with its line end is 30, and an empty line follows.
        let target = String(repeating: "a", count: 10)
        #expect(HTTPRequestReader.outcome(of: "GET /\(target) HTTP/1.1\r\n\r\n", limits: limits).messages.count == 1)
        #expect(
            HTTPRequestReader.outcome(of: "GET /\(target)a HTTP/1.1\r\n\r\n", limits: limits).error == .startLineTooLong
        )
        let value = String(repeating: "b", count: 25)
        #expect(
            HTTPRequestReader.outcome(of: "GET / HTTP/1.1\r\nA: \(value)\r\n\r\n", limits: limits).messages.count == 1
        )
        let wide = HTTPRequestReader.outcome(of: "GET / HTTP/1.1\r\nA: \(value)bbb\r\n\r\n", limits: limits)
        #expect(wide.error == .headersTooLarge)
        let more = HTTPRequestReader.outcome(of: "GET / HTTP/1.1\r\nA: \(value)\r\nB: c\r\n\r\n", limits: limits)
        #expect(more.error == .headersTooLarge)
        let body = HTTPRequestReader.outcome(of: "PUT / HTTP/1.1\r\nContent-Length: 8\r\n\r\n12345678", limits: limits)
        #expect(body.messages.first?.body.count == 8)
        let large = HTTPRequestReader.outcome(of: "PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\n", limits: limits)
        #expect(large.error == .bodyTooLarge)
    }

    @Test func anEndlessLineIsRefusedBeforeItEnds() {
        let limits = HTTPLimits(startLineLength: 100, headerLength: 100, bodyLength: 8)
        for start in ["", "GET / HTTP/1.1\r\n"] {
            var reader = HTTPRequestReader(limits: limits)
            reader.receive(Array(start.utf8))
            var taken = 0
            #expect(throws: HTTPError.self) {
                while true {
                    reader.receive([UInt8(ascii: "a")])
                    taken += 1
                    _ = try reader.next()
                }
            }
            #expect(taken <= 102)
        }
    }

    @Test func aReadOfAFullBridgeFits() {
        let bridge = (1...149).flatMap { aid in (1...10).map { "\(aid + 100_000).\($0 + 1_000_000_000)" } }
        let target = "/characteristics?id=\(bridge.joined(separator: ","))"
        #expect(HTTPRequestReader.outcome(of: "GET \(target) HTTP/1.1\r\n\r\n").messages.first?.target == target)
    }
}
