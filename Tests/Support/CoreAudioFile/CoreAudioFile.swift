package import AppleLossless

/// A Core Audio file with Apple Lossless packets, which FFmpeg reads and writes.
package struct CoreAudioFile {
    /// The stream's parameters.
    package var configuration: AppleLosslessConfiguration
    /// The packets.
    package var packets: [[UInt8]]
    /// The number of frames, without those that fill the last packet.
    package var frameCount: Int

    /// Creates a file.
    package init(configuration: AppleLosslessConfiguration, packets: [[UInt8]], frameCount: Int) {
        self.configuration = configuration
        self.packets = packets
        self.frameCount = frameCount
    }

    /// Reads a file that FFmpeg wrote.
    package init(_ bytes: [UInt8]) throws {
        func number(_ start: Int, _ count: Int) -> Int { bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) } }
        var chunks: [String: Range<Int>] = [:]
        var position = 8
        while position + 12 <= bytes.count {
            let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
            let length = number(position + 4, 8)
            chunks[name] = position + 12..<position + 12 + length
            position += 12 + length
        }
        guard let cookie = chunks["kuki"], let table = chunks["pakt"], let data = chunks["data"] else {
            throw Malformed()
        }
        configuration = try AppleLosslessConfiguration(cookie: bytes[cookie].suffix(24))
        frameCount = number(table.lowerBound + 8, 8)
        packets = []
        var size = 0
        var start = data.lowerBound + 4
        for byte in bytes[table.dropFirst(24)].prefix(bytes.count) where packets.count < number(table.lowerBound, 8) {
            size = size << 7 | Int(byte & 0x7F)
            guard byte < 0x80 else { continue }
            packets.append(Array(bytes[start..<start + size]))
            start += size
            size = 0
        }
    }

    /// The file lacks a part.
    package struct Malformed: Error {}

    /// The bytes.
    package var bytes: [UInt8] {
        func big(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> ((count - 1 - $0) * 8)) }
        }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] { Array(name.utf8) + big(content.count, 8) + content }
        func size(_ number: Int) -> [UInt8] {
            number < 0x80 ? [UInt8(number)] : [UInt8(number >> 7 | 0x80), UInt8(number & 0x7F)]
        }
        let rate = big(Int(bitPattern: UInt(Double(configuration.sampleRate).bitPattern)), 8)
        let description =
            rate + Array("alac".utf8) + big(1, 4) + big(0, 4) + big(configuration.framesPerPacket, 4)
            + big(configuration.channelCount, 4) + big(0, 4)
        let padding = packets.count * configuration.framesPerPacket - frameCount
        let table =
            big(packets.count, 8) + big(frameCount, 8) + big(0, 4) + big(padding, 4)
            + packets.flatMap { size($0.count) }
        return Array("caff".utf8) + big(1, 2) + big(0, 2) + chunk("desc", description)
            + chunk("kuki", configuration.cookie) + chunk("pakt", table) + chunk("data", big(0, 4) + packets.joined())
    }
}
