@testable import HAP
import HAPCatalog
import Testing

@Suite struct HTTPMessageTests {
    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    @Test func messagesHaveTheirExactBytes() {
        #expect(
            text(HTTPRequest(.get, "/accessories", host: "10.0.0.2:5001").encoded())
                == "GET /accessories HTTP/1.1\r\nHost: 10.0.0.2:5001\r\n\r\n"
        )
        #expect(
            text(HTTPRequest(.post, "/identify", host: "a").encoded())
                == "POST /identify HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
        )
        let put = HTTPRequest(.put, "/prepare", host: "a", contentType: HAPContentType.json, body: Array("{}".utf8))
        #expect(
            text(put.encoded())
                == "PUT /prepare HTTP/1.1\r\nHost: a\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}"
        )
        let json = HTTPResponse(status: .ok, json: Array("[1, 2, 3]".utf8))
        #expect(
            text(json.encoded())
                == "HTTP/1.1 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 9\r\n\r\n[1, 2, 3]"
        )
        #expect(text(HTTPResponse(status: .noContent).encoded()) == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(
            text(StatusBody(.insufficientAuthorization).response(.connectionAuthorizationRequired).encoded())
                == "HTTP/1.1 470 Connection Authorization Required\r\nContent-Type: application/hap+json\r\n"
                + "Content-Length: 17\r\n\r\n{\"status\":-70411}"
        )
        #expect(
            text(EventMessage(json: Array("{}".utf8)).encoded())
                == "EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\nContent-Length: 2\r\n\r\n{}"
        )
        #expect(HTTPResponse(status: HTTPStatus(rawValue: 207)).status.reasonPhrase == "Multi-Status")
        #expect(text(HTTPResponse(status: HTTPStatus(rawValue: 299)).encoded()).hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test func theLengthIsThatOfTheBodyWhateverTheHeadersSay() {
        let headers: HTTPHeaders = ["content-length": "99", "Transfer-Encoding": "chunked", "X": "y"]
        let response = HTTPResponse(status: .ok, headers: headers, body: [1, 2, 3])
        #expect(text(response.encoded()).hasPrefix("HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 3\r\n\r\n"))
    }

    @Test func aValueCannotBreakOutOfItsLine() throws {
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: "PUT\r\n"),
            target: "/a b\r\nX: y",
            headers: ["Host": "lamp\r\nX-Evil: 1\r\n\r\nGET / HTTP/1.1", "Bad Name:": "\u{0}\n"],
            body: [1]
        )
        var reader = HTTPRequestReader()
        reader.receive(request.encoded())
        let read = try #require(try reader.next())
        #expect(reader.isBetweenMessages)
        #expect(read.method == .put)
        #expect(read.target == "/abX:y")
        #expect(read.headers.map(\.name) == ["Host", "Bad_Name_", "Content-Length"])
        #expect(read.headers["host"] == "lamp  X-Evil: 1    GET / HTTP/1.1")
    }

    @Test func headersAreFoundWithoutRegardToCase() {
        var headers: HTTPHeaders = ["Content-Type": "a", "content-type": "b"]
        #expect(headers["CONTENT-TYPE"] == "a")
        #expect(headers.values(of: "Content-type") == ["a", "b"])
        #expect(headers["Content-Typ"] == nil)
        headers.remove("cOntent-Type")
        #expect(headers.isEmpty)
    }

    @Test func headersKeepTheirFieldsInOrderWhateverTheirLengths() {
        let long = String(repeating: "v", count: 70_000)
        var headers: HTTPHeaders = ["Empty": "", "A": "1", "Long": long]
        headers.add("A", "2")
        #expect(headers.map(\.name) == ["Empty", "A", "Long", "A"])
        #expect(headers.map(\.value) == ["", "1", long, "2"])
        #expect(headers.count == 4)
        headers.remove("long")
        #expect(headers == ["Empty": "", "A": "1", "A": "2"])
        #expect(headers != ["Empty": "A", "": "1", "A": "2"])
    }

    @Test func whiteSpaceAroundAValueDoesNotCount() throws {
        let fields = "Host:lamp\r\nEmpty: \t \r\nX: \t a b \t\r\nHost: a:80\r\n"
        var reader = HTTPRequestReader()
        reader.receive(Array("GET /a HTTP/1.1\r\n\(fields)\r\nGET /b HTTP/1.1\r\n\(fields)\r\n".utf8))
        let request = try #require(try reader.next())
        let expected: HTTPHeaders = ["Host": "lamp", "Empty": "", "X": "a b", "Host": "a:80"]
        #expect(request.headers == expected)
        #expect(request.headers.hashValue == expected.hashValue)
        #expect(request.headers.map(\.value) == ["lamp", "", "a b", "a:80"])
        #expect(request.headers["host: a"] == nil)
        var headers = request.headers
        headers.add("Y", " c ")
        headers.remove("Host")
        #expect(headers == ["Empty": "", "X": "a b", "Y": "c"])
        #expect(try reader.next()?.headers == expected)
    }

    /// Lines are searched in words of eight bytes.
    @Test func aLinesEndIsFoundWhereverItIs() {
        for end in 0...20 {
            for (before, lineEnd) in [(0x0B, 0x0A), (0x8A, 0x0A), (0x0C, 0x0D), (0x8D, 0x0D), (0xFF, 0x0D)] {
                var bytes = [UInt8](repeating: UInt8(before), count: end)
                for start in 0...end {
                    #expect(bytes.withUnsafeBytes { HTTPSyntax.lineEnd(in: $0, from: start) } == end)
                }
                bytes += [UInt8(lineEnd)] + bytes + [0x0A, 0x0D, 0x0A]
                for start in 0...end {
                    #expect(bytes.withUnsafeBytes { HTTPSyntax.lineEnd(in: $0, from: start) } == end)
                }
            }
        }
    }

    @Test func eachEndReadsWhatTheOtherWrites() throws {
        let body = Array((0...255).map { UInt8($0) })
        var requests = HTTPRequestReader()
        requests.receive(HTTPRequest(.post, "/pair-setup?x=%20", host: "h", contentType: "t", body: body).encoded())
        let request = try #require(try requests.next())
        #expect(request.body == body)
        #expect(request.path == "/pair-setup")
        #expect(request.query == "x=%20")
        var responses = HTTPResponseReader()
        let response = HTTPResponse(status: .ok, headers: ["Content-Length": "256"], body: body)
        let event = EventMessage(headers: ["Content-Length": "256"], body: body)
        responses.receive(response.encoded() + event.encoded())
        #expect(try responses.next() == .response(response))
        #expect(try responses.next() == .event(event))
        #expect(try responses.next() == nil)
    }
}
