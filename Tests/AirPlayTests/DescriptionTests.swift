import AirPlay
import AppleLossless
import Testing

@Suite struct DescriptionTests {
    private static func text(_ attributes: String...) -> String {
        (["v=0", "o=iTunes 7 0 IN IP4 127.0.0.1", "s=iTunes", "t=0 0", "m=audio 0 RTP/AVP 96"] + attributes)
            .map { $0 + "\r\n" }.joined()
    }

    @Test func theFormatIsThatOfTheMapAlsoIfParametersOfAnotherFollow() throws {
        // pyatv announces this and sends PCM.
        let text = Self.text("a=rtpmap:96 L16/44100/2", "a=fmtp:96 352 0 16 40 10 14 2 255 0 0 44100")
        #expect(try SessionDescription(text).format == .pcm)
    }

    @Test func theParametersOfAppleLosslessAreRead() throws {
        let description = try SessionDescription(
            Self.text(
                "a=rtpmap:96 AppleLossless",
                "a=fmtp:96 496 0 16 40 10 14 2 255 0 0 44100",
                "a=min-latency:11025",
                "a=max-latency:88200"
            )
        )
        #expect(description.format == .appleLossless(try AppleLosslessConfiguration(framesPerPacket: 496)))
        #expect(description.minimumLatency == 11_025)
        #expect(description.maximumLatency == 88_200)
    }

    @Test(arguments: [
        (["a=rtpmap:96 mpeg4-generic/44100/2"], SessionDescription.Failure.unsupportedFormat),
        (["a=rtpmap:96 L16/48000/2"], .unsupportedFormat),
        (["a=rtpmap:96 AppleLossless", "a=fmtp:96 352 0 24 40 10 14 2 255 0 0 44100"], .unsupportedFormat),
        (["a=rtpmap:96 AppleLossless", "a=fmtp:96 497 0 16 40 10 14 2 255 0 0 44100"], .unsupportedFormat),
        (["a=rtpmap:96 AppleLossless", "a=fmtp:96 352"], .malformed),
        (["a=rtpmap:96 AppleLossless"], .malformed),
        ([], .malformed),
        (["a=rtpmap:96 AppleLossless", "a=rsaaeskey:AAAA"], .encrypted),
        (["a=rtpmap:96 AppleLossless", "a=fpaeskey:AAAA"], .encrypted),
        (["nonsense"], .malformed),
    ])
    func anAnnouncementThatCannotBePlayedIsRejected(lines: [String], expected: SessionDescription.Failure) {
        let text = Self.text() + lines.map { $0 + "\r\n" }.joined()
        #expect(throws: expected) { try SessionDescription(text) }
    }

    @Test func aDescriptionIsReadAsItIsWritten() throws {
        for format in [AudioFormat.pcm, .appleLossless(try AppleLosslessConfiguration())] {
            var description = SessionDescription(format: format)
            description.minimumLatency = 1
            let text = description.text(session: 9, sender: "::1", receiver: "127.0.0.1")
            #expect(try SessionDescription(text) == description)
            // A peer prefers the parameters of Apple Lossless, if there are any, to the map.
            #expect(text.contains("fmtp") == (format != .pcm))
        }
    }
}
