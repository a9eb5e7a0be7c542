import AirPlay
import HAP
import Testing

@Suite struct RTSPTests {
    @Test func aRequestIsReadFromPiecesOfAnySize() throws {
        let text =
            "ANNOUNCE rtsp://127.0.0.1/77 RTSP/1.0\r\nCSeq: 1\r\nContent-Length: 3\r\n\r\nv=0"
            + "OPTIONS * RTSP/1.0\r\nCSeq: 2\r\n\r\nPOST /feedback HTTP/1.1\r\nCSeq: 3\r\n\r\n"
        for size in [1, 7, text.utf8.count] {
            var reader = RTSPRequestReader()
            var requests: [RTSPRequest] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                reader.receive(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let request = try reader.next() { requests.append(request) }
            }
            #expect(requests.map(\.method) == [.announce, .options, .post])
            #expect(requests.map(\.uri) == ["rtsp://127.0.0.1/77", "*", "/feedback"])
            #expect(requests[0].body == Array("v=0".utf8))
            #expect(requests.map { $0.headers["cseq"] } == ["1", "2", "3"])
            #expect(reader.isBetweenMessages)
        }
    }

    @Test(arguments: [
        ("GET / RTSP/2.0\r\n\r\n", HTTPError.unsupportedVersion),
        ("GET /\r\n\r\n", .malformedStartLine),
        ("GET / RTSP/1.0\nCSeq: 1\r\n\r\n", .malformedLineEnd),
        ("SET_PARAMETER * RTSP/1.0\r\nContent-Length: 52428800\r\n\r\n", .bodyTooLarge),
        ("SET_PARAMETER * RTSP/1.0\r\nContent-Length: -1\r\n\r\n", .malformedContentLength),
    ])
    func aMalformedRequestIsRejected(text: String, expected: HTTPError) {
        var reader = RTSPRequestReader()
        reader.receive(text.utf8)
        #expect(throws: expected) { try reader.next() }
        #expect(throws: expected) { try reader.next() }
    }

    @Test func artworkFitsUpToTheLimit() throws {
        let limit = HTTPLimits.rtsp.bodyLength
        var reader = RTSPRequestReader()
        reader.receive("SET_PARAMETER * RTSP/1.0\r\nContent-Length: \(limit + 1)\r\n\r\n".utf8)
        #expect(throws: HTTPError.bodyTooLarge) { try reader.next() }
        reader = RTSPRequestReader()
        reader.receive("SET_PARAMETER * RTSP/1.0\r\nContent-Length: \(limit)\r\n\r\n".utf8)
        #expect(try reader.next() == nil)
        reader.receive(Array(repeating: 0, count: limit))
        #expect(try reader.next()?.body.count == limit)
    }

    @Test func messagesAreReadAsTheyAreWritten() throws {
        let request = RTSPRequest(.setup, "rtsp://[::1]/5", headers: ["CSeq": "4", "Session": "1"], body: [1, 2])
        var requests = RTSPRequestReader()
        requests.receive(request.encoded())
        var expected = request
        expected.headers.add("Content-Length", "2")
        #expect(try requests.next() == expected)
        var responses = RTSPResponseReader()
        responses.receive(RTSPResponse(.notEnoughBandwidth, headers: ["CSeq": "4"]).encoded())
        #expect(try responses.next()?.status == .notEnoughBandwidth)
        #expect(String(decoding: RTSPResponse(.ok).encoded(), as: UTF8.self).hasPrefix("RTSP/1.0 200 OK\r\n"))
    }

    @Test func portsAreReadFromATransportHeader() {
        let text = "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=6001;timing_port=6002"
        #expect(StreamTransport(text) == StreamTransport(controlPort: 6_001, timingPort: 6_002))
        let ports = StreamTransport(audioPort: 5, controlPort: 6, timingPort: 7)
        #expect(StreamTransport(ports.header) == ports)
        for malformed in [
            "RTP/AVP/TCP;control_port=6001;timing_port=6002", "RTP/AVP/UDP;timing_port=6002", "",
            "RTP/AVP/UDP;control_port=65536", "RTP/AVP/UDP;control_port=0",
        ] {
            #expect(StreamTransport(malformed) == nil)
        }
        #expect(StreamPosition("seq=17;rtptime=4294967295") == StreamPosition(sequence: 17, timestamp: .max))
        #expect(StreamPosition("seq=65536;rtptime=0") == nil)
    }

    @Test func aPasswordIsProvedAsOtherSendersProveIt() {
        // Computed with Python's hashlib, the way pyatv does it.
        let header = #"Digest realm="raop", nonce="0123456789abcdef""#
        let challenge = DigestChallenge(header)
        #expect(challenge?.header == header)
        let proof = challenge?.authorization(
            user: "pyatv",
            password: "secret",
            method: .announce,
            uri: "rtsp://127.0.0.1/77"
        )
        #expect(proof?.contains("response=\"4ed662b5eeb7a140fc1c275eb104ad7e\"") == true)
        #expect(challenge?.accepts(proof ?? "", password: "secret", method: .announce) == true)
        #expect(challenge?.accepts(proof ?? "", password: "Secret", method: .announce) == false)
        #expect(challenge?.accepts(proof ?? "", password: "secret", method: .setup) == false)
        let other = DigestChallenge(#"Digest realm="raop", nonce="0123456789abcdee""#)
        #expect(other?.accepts(proof ?? "", password: "secret", method: .announce) == false)
    }
}
