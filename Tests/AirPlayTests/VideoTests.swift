import AirPlay
import Foundation
import HAP
import Testing

@Suite struct VideoTests {
    private static func request(_ method: RTSPMethod, _ uri: String, _ type: String = "", _ body: [UInt8] = [])
        -> VideoRequest
    {
        VideoRequest(RTSPRequest(method, uri, headers: ["Content-Type": type], body: body))
    }

    private static func play(_ address: String, position: String = "0") -> VideoRequest {
        let text = "Content-Location: \(address)\nStart-Position: \(position)\n"
        return request(.post, "/play", "text/parameters", Array(text.utf8))
    }

    @Test func addressesAreReadFromTextAndLists() throws {
        let address = try #require(MediaAddress("http://127.0.0.1:8/film.m3u8?a=1&b=$(id)"))
        #expect(Self.play(address.description) == .play(address, .fraction(0)))
        #expect(Self.play(address.description, position: "0.5") == .play(address, .fraction(0.5)))
        #expect(Self.play(address.description, position: "30") == .play(address, .seconds(30)))
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let values: [String: Any] = ["Content-Location": address.description, "Start-Position-Seconds": 12.5]
            let body = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
            let request = Self.request(.post, "/play", "application/x-apple-binary-plist", Array(body))
            #expect(request == .play(address, .seconds(12.5)))
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://host/film", "javascript:alert(1)", "-vf", "http:///film", "http://host/a b", "",
        "http://host/\u{e9}",
    ])
    func otherAddressesAreRefused(address: String) {
        #expect(MediaAddress(address) == nil)
        #expect(Self.play(address) == .refusal(.badRequest))
    }

    @Test func anAddressMayBeAsLongAsTheLimit() {
        #expect(MediaAddress("http://host/" + String(repeating: "a", count: 8_180)) != nil)
        let isAccepted = MediaAddress("http://host/" + String(repeating: "a", count: 8_181)) != nil
        #expect(!isAccepted)
    }

    @Test func controlsAreRead() {
        #expect(Self.request(.post, "/scrub?position=20.5") == .seek(20.5))
        #expect(Self.request(.get, "/scrub") == .position)
        #expect(Self.request(.post, "/rate?value=0.000000") == .pause(true))
        #expect(Self.request(.post, "/rate?value=1") == .pause(false))
        #expect(Self.request(.post, "/stop") == .stop)
        #expect(Self.request(.get, "/playback-info") == .status)
        for uri in ["/scrub?position=nan", "/scrub?position=-1", "/scrub", "/rate?value=x"] {
            #expect(Self.request(.post, uri) == .refusal(.badRequest))
        }
        #expect(Self.request(.get, "/unknown") == .refusal(.notFound))
        #expect(Self.request(.post, "/play", "application/x-apple-binary-plist", [1, 2]) == .refusal(.badRequest))
    }

    @Test func aStatusIsReadAsItIsWritten() {
        let status = VideoStatus(state: .playing, position: 2.5, duration: 60)
        #expect(VideoStatus(playbackInfo: status.playbackInfo) == status)
        #expect(VideoStatus(playbackInfo: VideoStatus().playbackInfo) == nil)
        #expect(VideoStatus(playbackInfo: [1, 2, 3]) == nil)
    }

    @Test func sendersRequestsAreReadAsTheyAreWritten() throws {
        func read(_ request: HTTPRequest) throws -> VideoRequest {
            var reader = RTSPRequestReader()
            reader.receive(request.encoded())
            return VideoRequest(try #require(try reader.next()))
        }
        let address = try #require(MediaAddress("http://127.0.0.1:8/film.m3u8"))
        #expect(try read(VideoQuery.play(address, host: "h")) == .play(address, .fraction(0)))
        #expect(try read(VideoQuery.play(address, from: 12.5, host: "h")) == .play(address, .seconds(12.5)))
        #expect(try read(VideoQuery.pause(true, host: "h")) == .pause(true))
        #expect(try read(VideoQuery.pause(false, host: "h")) == .pause(false))
        #expect(try read(VideoQuery.seek(to: 20.25, host: "h")) == .seek(20.25))
        #expect(try read(VideoQuery.status(host: "h")) == .status)
        #expect(try read(VideoQuery.stop(host: "h")) == .stop)
        #expect(try read(VideoQuery.reverse(host: "h")) == .reverse)
    }

    @Test func eventsAreReadFromPiecesOfAnySize() throws {
        let events = [VideoStatus.State.loading, .playing, .stopped]
        let bytes = VideoResponse.reversed.encoded() + events.flatMap { VideoResponse.event(VideoStatus(state: $0)) }
        for size in [1, 7, 100, bytes.count] {
            var reader = VideoEventReader()
            var states: [VideoStatus.State] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                reader.receive(bytes[start..<min(start + size, bytes.count)])
                while let state = try reader.next() { states.append(state) }
            }
            #expect(states == events)
        }
    }

    @Test func aReceiverThatSendsNoEventsIsNoticed() throws {
        var refusing = VideoEventReader()
        refusing.receive(HTTPResponse(status: .notFound).encoded())
        #expect(throws: HTTPError.malformedStartLine) { try refusing.next() }
        var endless = VideoEventReader()
        endless.receive(Array(repeating: UInt8(ascii: "x"), count: 16_384))
        #expect(try endless.next() == nil)
        endless.receive([UInt8(ascii: "x")])
        #expect(throws: HTTPError.headersTooLarge) { try endless.next() }
    }

    @Test func aFilmThatIsLoadedIsNotPaused() {
        let status = VideoStatus(state: .loading, position: 0, duration: 60)
        #expect(VideoStatus(playbackInfo: status.playbackInfo) == status)
    }
}
