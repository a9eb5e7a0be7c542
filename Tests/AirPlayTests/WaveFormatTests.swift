import AirPlay
import Testing

@Suite struct WaveFormatTests {
    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func chunk(_ name: String, _ content: [UInt8], length: Int? = nil) -> [UInt8] {
        Array(name.utf8) + little(length ?? content.count, 4) + content
            + Array(repeating: 0, count: content.count % 2)
    }

    private static func format(_ encoding: Int, bits: Int = 16, _ more: [UInt8] = []) -> [UInt8] {
        chunk(
            "fmt ",
            little(encoding, 2) + little(2, 2) + little(44_100, 4) + little(176_400, 4) + little(4, 2)
                + little(bits, 2) + more
        )
    }

    private static func file(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(0, 4) + Array("WAVE".utf8) + chunks
    }

    @Test func theSamplesAreFoundAfterOtherChunks() throws {
        let start = Self.chunk("LIST", [1, 2, 3]) + Self.format(1)
        let format = try WaveFormat(Self.file(start + Self.chunk("data", [1, 2, 3, 4])))
        #expect(format.start == 12 + start.count + 8)
        #expect(format.length == 4)
        #expect(format.sampleRate == 44_100)
        #expect(format.channelCount == 2)
        #expect(format.bitDepth == 16)
    }

    @Test func anExtensibleFormatIsReadAndAnUnknownLengthIsTheRest() throws {
        let more = Self.little(22, 2) + Self.little(16, 2) + Self.little(3, 4) + Self.little(1, 2)
        let bytes = Self.file(
            Self.format(0xFFFE, more + Array(repeating: 0, count: 14)) + Self.chunk("data", [], length: 0xFFFF_FFFF)
        )
        #expect(try WaveFormat(bytes).length == nil)
    }

    @Test func otherFilesAreRejected() {
        let data = Self.chunk("data", [1, 2])
        #expect(throws: WaveFormat.Failure.unsupportedEncoding) { try WaveFormat(Self.file(Self.format(3) + data)) }
        for bytes in [
            [], Array("ID3".utf8), Self.file(data), Self.file(Self.format(1)),
            Self.file(Self.chunk("fmt ", [1], length: 16)),
            Self.file(Self.chunk("LIST", [], length: 0x7FFF_FFFF) + data),
        ] {
            #expect(throws: WaveFormat.Failure.notWave) { try WaveFormat(bytes) }
        }
    }
}
