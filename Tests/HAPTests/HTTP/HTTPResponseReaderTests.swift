import HAP
import Testing

@Suite struct HTTPResponseReaderTests {
    @Test func eventsAreFoundBetweenResponsesHoweverTheStreamIsCut() {
        let stream = Array(
            ("HTTP/1.1 204 No Content\r\n\r\n"
                + "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 3\r\n\r\n{1}"
                + "EVENT/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"
                + "HTTP/1.1 207 Multi-Status\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n,\r\n00A\r\n0123456789\r\n0\r\n"
                + "X-Trailer: 1\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nEVENT/1.0 200 OK\r\n\r\nHTTP/1"
                + "\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 470 Connection Authorization Required\r\n\r\n"
                + "HTTP/1.1 499\r\nContent-Length: 0\r\n\r\n").utf8
        )
        let whole = HTTPResponseReader.outcome(of: [stream[...]])
        #expect(whole.error == nil)
        let messages = whole.messages.map { message in
            switch message {
            case .response(let response):
                "\(response.status.rawValue) \(String(decoding: response.body, as: UTF8.self))"
            case .event(let event): "event \(String(decoding: event.body, as: UTF8.self))"
            }
        }
        #expect(
            messages == [
                "204 ", "event {1}", "event {}", "207 hello,0123456789", "200 EVENT/1.0 200 OK\r\n\r\nHTTP/1", "470 ",
                "499 ",
            ]
        )
        for segments in HTTPSplits.all(of: stream) { #expect(HTTPResponseReader.outcome(of: segments) == whole) }
    }

    @Test func aBodyWithoutALengthGoesOnToTheEndOfAConnectionThatIsToBeClosed() throws {
        let head = "HTTP/1.1 200 OK\r\ncONNECTION: Close\r\n\r\n"
        let body = "HTTP/1.1 204 No Content\r\n\r\n"
        for segments in HTTPSplits.all(of: Array((head + body).utf8)) {
            var reader = HTTPResponseReader()
            for segment in segments {
                reader.receive(segment)
                #expect(try reader.next() == nil)
            }
            #expect(!reader.isBetweenMessages)
            #expect(reader.finish()?.body == Array(body.utf8))
            #expect(reader.finish() == nil)
        }
    }

    @Test func anyOtherMessageIsNotEndedByTheEndOfTheConnection() throws {
        for text in [
            "", "HTTP/1.1 200 OK\r\nConnection: close\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{",
            "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
            "EVENT/1.0 200 OK\r\nConnection: close\r\n\r\n",
        ] {
            var reader = HTTPResponseReader()
            reader.receive(text.utf8)
            while try reader.next() != nil {}
            #expect(reader.finish() == nil, "\(text)")
        }
    }

    @Test func aBodyWithoutALengthHasTheLimitOfAnyOther() throws {
        let limits = HTTPLimits(startLineLength: 100, headerLength: 100, bodyLength: 10)
        for (count, error) in [(10, nil), (11, HTTPError.bodyTooLarge)] {
            var reader = HTTPResponseReader(limits: limits)
            reader.receive("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)
            var caught: HTTPError?
            for byte in [UInt8](repeating: 7, count: count) {
                reader.receive([byte])
                do { _ = try reader.next() } catch { caught = error }
            }
            #expect(caught == error)
            #expect(reader.finish()?.body.count == (error == nil ? 10 : nil))
        }
    }

    @Test(arguments: [(6, 6), (10, 6), (6, 10)])
    func anEventHasALimitOfItsOwnWithinThatOfEveryBody(bodyLength: Int, eventBodyLength: Int) {
        let limits = HTTPLimits(
            startLineLength: 100,
            headerLength: 100,
            bodyLength: bodyLength,
            eventBodyLength: eventBodyLength
        )
        for (count, error) in [(6, nil), (7, HTTPError.bodyTooLarge)] {
            let body = String(repeating: "x", count: count)
            for rest in [
                "Content-Length: \(count)\r\n\r\n\(body)",
                "Transfer-Encoding: chunked\r\n\r\n\(count)\r\n\(body)\r\n0\r\n\r\n",
            ] {
                var reader = HTTPResponseReader(limits: limits)
                reader.receive("EVENT/1.0 200 OK\r\n\(rest)".utf8)
                var caught: HTTPError?
                var message: HTTPResponseReader.Message?
                do { message = try reader.next() } catch { caught = error }
                #expect(caught == error)
                #expect((message != nil) == (error == nil))
            }
        }
    }

    @Test func anEventOfAQuarterMebibyteIsTakenAndNoLongerOne() {
        #expect(HTTPLimits.response.eventBodyLength == 262_144)
        let body = String(repeating: "x", count: 262_144)
        for (head, count) in [("EVENT/1.0", 262_144), ("EVENT/1.0", 262_145), ("HTTP/1.1", 262_145)] {
            var reader = HTTPResponseReader()
            reader.receive("\(head) 200 OK\r\nContent-Length: \(count)\r\n\r\n\(body)x".utf8)
            let isTaken = (try? reader.next()) != nil
            #expect(isTaken == (count == 262_144 || head == "HTTP/1.1"))
        }
    }

    @Test func aStatusThatForbidsABodyHasNoneWhateverTheHeadersSay() {
        for head in ["204 No Content\r\nContent-Length: 5", "304 Not Modified\r\nTransfer-Encoding: chunked"] {
            let outcome = HTTPResponseReader.outcome(of: "HTTP/1.1 \(head)\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
            #expect(outcome.messages.count == 2)
        }
    }

    @Test(arguments: [
        ("HTTP/1.0 200 OK\r\n\r\n", HTTPError.unsupportedVersion), ("EVENT/1.1 200 OK\r\n\r\n", .malformedStartLine),
        ("HTTP/1.1 20 OK\r\n\r\n", .malformedStartLine), ("HTTP/1.1 2000 OK\r\n\r\n", .malformedStartLine),
        ("HTTP/1.1 099 OK\r\n\r\n", .malformedStartLine), ("HTTP/1.1 -20 OK\r\n\r\n", .malformedStartLine),
        ("HTTP/1.1  200 OK\r\n\r\n", .malformedStartLine), ("HTTP/1.1 200 O\u{0}K\r\n\r\n", .malformedStartLine),
        ("GET / HTTP/1.1\r\n\r\n", .malformedStartLine), ("HTTP/1.1\r\n\r\n", .malformedStartLine),
        ("HTTP/1.1 \r\n\r\n", .malformedStartLine), ("HTTP/1.1 20\r\n\r\n", .malformedStartLine),
        (" 200 OK\r\n\r\n", .malformedStartLine),
        ("HTTP/1.1 200 OK\n\n", .malformedLineEnd),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .conflictingLengths),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", .unsupportedTransferEncoding),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .unsupportedTransferEncoding),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n",
            .unsupportedTransferEncoding
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .malformedContentLength),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n000000001\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 1\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", .malformedChunk),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\n", .malformedLineEnd),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", .bodyTooLarge),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nbad trailer\r\n\r\n", .malformedHeader),
    ])
    func aStreamWithoutBoundariesIsRefused(_ text: String, _ expected: HTTPError) {
        for segments in HTTPSplits.all(of: Array(text.utf8)) {
            let outcome = HTTPResponseReader.outcome(of: segments)
            #expect(outcome.messages.isEmpty)
            #expect(outcome.error == expected)
        }
    }

    @Test func aChangedStreamMeansTheSameHoweverItIsCut() {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nhello\r\n0\r\nT: x\r\n\r\n"
            + "EVENT/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 204\r\n\r\n"
        let limits = HTTPLimits(startLineLength: 18, headerLength: 30, bodyLength: 50)
        for stream in HTTPMutations.of(text, count: 2_000) {
            let whole = HTTPResponseReader.outcome(of: [stream[...]], limits: limits)
            let bytes = HTTPResponseReader.outcome(of: stream.indices.map { stream[$0...$0] }, limits: limits)
            #expect(whole == bytes)
        }
    }

    @Test func chunksAddUpToTheBodyLimitAndNotOneByteMore() {
        let limits = HTTPLimits(startLineLength: 100, headerLength: 100, bodyLength: 10)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let fits = HTTPResponseReader.outcome(of: head + "4\r\nabcd\r\n6\r\nefghij\r\n0\r\n\r\n", limits: limits)
        #expect(fits.messages.count == 1)
        let large = HTTPResponseReader.outcome(of: head + "4\r\nabcd\r\n7\r\nefghijk\r\n0\r\n\r\n", limits: limits)
        #expect(large.error == .bodyTooLarge)
        let trailers = (0..<30).map { "T: \($0)\r\n" }.joined()
        #expect(
            HTTPResponseReader.outcome(of: head + "0\r\n" + trailers + "\r\n", limits: limits).error == .headersTooLarge
        )
    }

    @Test func aBodyInOneByteChunksIsReadInOneGo() {
        let count = 200_000
        let body = String(repeating: "1\r\nx\r\n", count: count)
        let outcome = HTTPResponseReader.outcome(
            of: "EVENT/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)0\r\n\r\n"
        )
        guard case .event(let event) = outcome.messages.first else { Issue.record(); return }
        #expect(event.body.count == count)
    }
}
