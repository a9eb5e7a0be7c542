import PeerProcess
import Testing

@testable import HAP

/// Tests QR codes with the standard's examples, against a third-party encoder, and with a third-party reader.
@Suite struct QRCodeTests {
    /// The modules of a third-party implementation.
    private struct Symbols: Decodable, Sendable {
        /// The rows by mask, with `1` for a dark module.
        var masks: [[String]]
        /// The mask that the implementation selects.
        var best: Int
    }

    /// The result of a third-party reader.
    private struct Reading: Decodable, Equatable, Sendable {
        var texts: [String]
        var levels: [String]
    }

    private static let texts = [
        "X-HM://0023ISYWYABC9", "X-HM://003OLSDVXZZZZ", "X-HM://00AB", "", "0", "$%*+-./: A1",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ012", "00000000000000000000000000000",
    ]

    private static func rows(_ code: QRCode, margin: Int = 0) -> [String] {
        let range = -margin..<(code.side + margin)
        return range.map { y in String(range.map { code.isDark($0, y) ? "1" : "0" }) }
    }

    /// ISO/IEC 18004, annex I: `01234567` in version 1 with the level M.
    @Test func theCorrectionOfTheStandardsExampleComesOut() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        let correction: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(QRCorrection.codewords(for: data, count: 10) == correction)
    }

    /// ISO/IEC 18004, 7.9.1 (level M with mask 5) and 7.4.4.
    @Test func theFormatAndTheTextOfTheStandardsExamplesComeOut() throws {
        #expect(QRModules.formatInformation(.medium, 5) == 0b100_0000_1100_1110)
        // 0010 000000101 00111001110 11100111001 000010, and a terminator.
        let values = try #require(QRSegment.values(of: "AC-42"))
        #expect(
            QRSegment.codewords(of: values, count: 8)
                == [0b0010_0000, 0b0010_1001, 0b1100_1110, 0b1110_0111, 0b0010_0001, 0, 0b1110_1100, 0b0001_0001]
        )
    }

    /// ISO/IEC 18004, annex D.
    @Test func theVersionOfTheStandardsExampleComesOut() {
        #expect(QRModules.versionInformation(7) == 0b00_0111_1100_1001_0100)
    }

    /// The lengths of each version's longest text, and one more.
    private static let limits = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]

    @Test func aTextHasTheSmallestSymbolThatSuffices() throws {
        #expect(Self.limits.last == QRCode.byteCapacity)
        for (version, limit) in zip(1..., Self.limits) {
            #expect(try #require(QRCode(ofText: String(repeating: "x", count: limit))).side == 17 + 4 * version)
            let more = QRCode(ofText: String(repeating: "x", count: limit + 1))
            #expect(more?.side == (version == 10 ? nil : 21 + 4 * version))
        }
    }

    @Test func aForeignReaderReadsTextsOfAllLengths() async throws {
        let reader = try PeerPython.start("qr_reader.py")
        for limit in Self.limits {
            for length in [limit - 1, limit] {
                let link = "https://hub.local:8080/#code=7K3MQ9TX" + String(repeating: " straße", count: 32)
                var text = String(decoding: link.utf8.prefix(length), as: UTF8.self)
                if text.utf8.count != length {
                    text = String(link.prefix(37)) + String(repeating: "y", count: length - 37)
                }
                let code = try #require(QRCode(ofText: text))
                try reader.send(
                    "[\(Self.rows(code, margin: QRCode.quietZone).map { "\"\($0)\"" }.joined(separator: ","))]"
                )
                let reading = try await reader.json(Reading.self, "the reading of \(text)") { _ in true }
                #expect(reading == Reading(texts: [text], levels: ["M"]))
            }
        }
        await reader.terminate()
    }

    @Test func aForeignImplementationHasTheSameModulesOfTexts() async throws {
        let maker = try PeerPython.start("qr_maker.py", ["text"])
        for limit in Self.limits {
            let text = String(repeating: "https://192.168.1.5:8080/#code=7k3mq9tx", count: 6).prefix(limit)
            try maker.send(String(text))
            let symbols = try await maker.json(Symbols.self, "the symbols of \(text)") { _ in true }
            let code = try #require(QRCode(ofText: String(text)))
            #expect(code.mask == symbols.best, "\(limit)")
            #expect(Self.rows(code) == symbols.masks[code.mask], "\(limit)")
        }
        await maker.terminate()
    }

    @Test func thePathCoversTheDarkModules() throws {
        let code = try #require(QRCode(ofText: "https://127.0.0.1:8080/#code=7K3MQ9TX"))
        var drawn: Set<[Int]> = []
        for part in code.path.split(separator: "M") {
            // X Yh WIDTH v1h-WIDTH z
            let numbers = part.split { !$0.isNumber }.compactMap { Int($0) }
            #expect(part == "\(numbers[0]) \(numbers[1])h\(numbers[2])v1h-\(numbers[2])z")
            for x in numbers[0]..<numbers[0] + numbers[2] { drawn.insert([x, numbers[1]]) }
        }
        let dark = (0..<code.side).flatMap { y in (0..<code.side).filter { code.isDark($0, y) }.map { [$0, y] } }
        #expect(drawn == Set(dark))
    }

    @Test func whatIsTooLongOrOfAnotherAlphabetHasNoSymbol() {
        #expect(QRCode(String(repeating: "A", count: QRCode.capacity)) != nil)
        #expect(QRCode(String(repeating: "A", count: QRCode.capacity + 1)) == nil)
        #expect(QRCode("lower") == nil)
        #expect(QRCode("Ä") == nil)
        #expect(QRCode("") != nil)
    }

    @Test func aForeignImplementationHasTheSameModulesAndChoosesTheSameMask() async throws {
        let maker = try PeerPython.start("qr_maker.py")
        let payloads = try (1...60).map { number in
            SetupPayload(
                category: UInt8(number),
                setupCode: try SetupCode(number: UInt32(number) * 1_618_033),
                setupID: SetupID("A1Z\(number % 10)")
            ).uri
        }
        var chosen: Set<Int> = []
        for text in Self.texts.filter({ !$0.isEmpty }) + payloads {
            try maker.send(text)
            let symbols = try await maker.json(Symbols.self, "the symbols of \(text)") { _ in true }
            let code = try #require(QRCode(text))
            #expect(code.mask == symbols.best, "\(text)")
            chosen.insert(code.mask)
            for mask in 0..<8 {
                let masked = try #require(QRCode(text, mask: mask))
                #expect(Self.rows(masked) == symbols.masks[mask], "\(text) \(mask)")
            }
        }
        #expect(chosen == Set(0..<8))
        await maker.terminate()
    }

    @Test func aForeignReaderReadsWhatWasWritten() async throws {
        let reader = try PeerPython.start("qr_reader.py")
        for text in Self.texts.filter({ !$0.isEmpty }) {
            for mask in 0..<8 {
                let code = try #require(QRCode(text, mask: mask))
                try reader.send(
                    "[\(Self.rows(code, margin: QRCode.quietZone).map { "\"\($0)\"" }.joined(separator: ","))]"
                )
                let reading = try await reader.json(Reading.self, "the reading of \(text)") { _ in true }
                #expect(reading == Reading(texts: [text], levels: ["Q"]), "\(mask)")
            }
        }
        await reader.terminate()
    }

    @Test func aPayloadHasItsSymbol() throws {
        let payload = try SetupPayload("X-HM://0023ISYWYABC9")
        #expect(payload.qrCode == QRCode("X-HM://0023ISYWYABC9"))
        let most = SetupPayload(
            category: .max,
            transports: SetupPayload.Transports(rawValue: .max),
            isPaired: true,
            setupCode: try SetupCode(number: 99_999_998),
            setupID: SetupID("ZZZZ")
        )
        #expect(most.qrCode == QRCode(most.uri))
    }
}
