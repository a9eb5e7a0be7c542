import Foundation
import HubAPI
import Testing

struct LineDecoderTests {
    private func pieces(of chunks: [Data], limit: Int) -> [LineDecoder.Element] {
        var lines = LineDecoder(limit: limit)
        return chunks.flatMap { chunk in chunk.withUnsafeBytes { lines.decode($0) } }
    }

    @Test func theLinesAreTheSameHoweverTheBytesAreSplit() {
        let bytes = Data("{\"a\":1}\n\n{\"b\":\"é\"}\r\nrest".utf8)
        let expected = ["{\"a\":1}", "", "{\"b\":\"é\"}\r"].map { LineDecoder.Element.line(Data($0.utf8)) }
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Data($0) }
                #expect(pieces(of: chunks, limit: 100) == expected)
            }
        }
    }

    @Test(arguments: [1, 3, 100])
    func aLineAtTheLimitIsTakenAndOneByteMoreIsNot(chunkSize: Int) {
        func chunks(_ text: String) -> [Data] {
            let bytes = Array(text.utf8)
            return stride(from: 0, to: bytes.count, by: chunkSize).map {
                Data(bytes[$0..<min($0 + chunkSize, bytes.count)])
            }
        }
        #expect(pieces(of: chunks("12345678\n"), limit: 8) == [.line(Data("12345678".utf8))])
        #expect(pieces(of: chunks("ab\n123456789\nab\n"), limit: 8) == [.line(Data("ab".utf8)), .tooLong])
    }

    @Test func aLineWithoutItsEndIsNoticed() {
        var lines = LineDecoder(limit: 8)
        #expect(!lines.hasUnfinishedLine)
        _ = Data("ab\nc".utf8).withUnsafeBytes { lines.decode($0) }
        #expect(lines.hasUnfinishedLine)
        _ = Data("\n".utf8).withUnsafeBytes { lines.decode($0) }
        #expect(!lines.hasUnfinishedLine)
    }
}
