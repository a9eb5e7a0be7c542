import AirPlay
import Testing

@Suite struct MetadataTests {
    private static let track = TrackMetadata(title: "Für Elise", artist: "Beethoven", album: "日本")

    @Test func metadataIsReadAsItIsWritten() {
        #expect(TrackMetadata(Self.track.bytes) == Self.track)
        #expect(TrackMetadata(TrackMetadata().bytes) == TrackMetadata())
        #expect(Array(DMAPItem("minm", "ab").bytes) == Array("minm".utf8) + [0, 0, 0, 2] + Array("ab".utf8))
    }

    @Test func lengthsThatCountCharactersAreUnderstood() {
        // pyatv's way: the length of a name is its number of characters.
        var items: [UInt8] = []
        for (code, name) in [("minm", "Für Elise"), ("asal", "日本"), ("asar", "Beethoven")] {
            items += Array(code.utf8) + [0, 0, 0, UInt8(name.unicodeScalars.count)] + Array(name.utf8)
        }
        #expect(TrackMetadata(DMAPItem("mlit", items).bytes) == Self.track)
    }

    @Test func lengthsThatLieAreRejected() {
        var bytes = Self.track.bytes
        for lie: UInt8 in [0x01, 0x7F, 0xFF] {
            bytes[12] = lie
            #expect(TrackMetadata(bytes) == nil)
        }
        #expect(TrackMetadata([]) == nil)
        #expect(TrackMetadata(Array("mlit".utf8) + [0, 0, 0, 1]) == nil)
        for count in 1..<Self.track.bytes.count {
            #expect(TrackMetadata(Array(Self.track.bytes.prefix(count))) == nil)
        }
    }

    @Test func aLongNameIsCut() {
        let long = String(repeating: "ü", count: TrackMetadata.nameLimit)
        let cut = TrackMetadata(TrackMetadata(title: long).bytes)?.title
        #expect(cut == String(long.prefix(TrackMetadata.nameLimit / 2)))
        let fits = String(repeating: "x", count: TrackMetadata.nameLimit)
        #expect(TrackMetadata(TrackMetadata(title: fits).bytes)?.title == fits)
    }

    @Test func parametersAreReadAndWritten() {
        let parameters = StreamParameters("volume: -15.0\r\nprogress: 100/200/4411100.0\r\nother: 1\r\n")
        #expect(parameters?.volume == Volume(-15))
        #expect(parameters?.progress == PlaybackProgress(start: 100, current: 200, end: 4_411_100))
        #expect(parameters?.progress?.duration == 4_411_000.0 / 44_100)
        #expect(parameters.flatMap { StreamParameters($0.text) } == parameters)
        for malformed in ["volume: loud", "volume: nan", "progress: 1/2", "progress: a/b/c", "progress: -1/0/1"] {
            #expect(StreamParameters(malformed) == nil)
        }
    }

    @Test func progressWrapsAroundWithTheFrames() {
        let progress = PlaybackProgress("4294967295/4294967295/4295011395.0")
        #expect(progress?.end == 44_099)
        #expect(progress?.duration == 1)
    }

    @Test func volumesHaveLimits() {
        #expect(Volume(3) == .full)
        #expect(Volume(-30).decibels == -30)
        #expect(Volume(-30.1) == .muted)
        #expect(Volume("-144") == .muted)
    }
}
