import AirPlay
import HAP
import Testing

@Suite struct PropertyListTests {
    private static let value: PropertyList = [
        "name": "Küche", "number": 5, "big": .integer(1 << 63 + 1), "negative": -2, "real": .real(1.5), "flag": true,
        "off": false, "data": .data(Array(0..<20)), "list": [1, 300, 70_000, 5_000_000_000],
        "long": .string(String(repeating: "x", count: 20)), "streams": [["type": 96]],
    ]

    /// What Python's plistlib makes of the same value.
    private static let written =
        "62706c6973743030db0102030405060708090a0b0c0d0e0f1415161718191a53626967546461746154666c6167546c697374546c"
        + "6f6e67546e616d65586e65676174697665566e756d626572536f6666547265616c5773747265616d731400000000000000008000"
        + "0000000000014f1014000102030405060708090a0b0c0d0e0f1011121309a410111213100111012c120001117013000000012a05"
        + "f2005f1014787878787878787878787878787878787878787865004b00fc00630068006513fffffffffffffffe100508233ff800"
        + "0000000000a11bd11c1d54747970651060081f23282d32373c454c50555d6e85868b8d90959eb5c0c9cbccd5d7dadf0000000000"
        + "000101000000000000001e000000000000000000000000000000e1"

    /// Objects, and a trailer that describes them.
    private static func list(_ objects: [[UInt8]], root: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        let count = UInt8(objects.count)
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, count]
            + [0, 0, 0, 0, 0, 0, 0, root] + [0, 0, 0, 0, 0, 0, 0, table]
    }

    @Test func aListOfAnotherWriterIsRead() throws {
        let bytes = try #require(Hexadecimal.bytes(Self.written))
        #expect(try BinaryPropertyListReader.read(bytes) == Self.value)
    }

    @Test func whatIsWrittenIsRead() throws {
        #expect(try BinaryPropertyListReader.read(Self.value.bytes) == Self.value)
        #expect(Self.value["streams"]?.array?.first?["type"]?.integer() == 96)
        #expect(Self.value["number"]?.string == nil)
        #expect(Self.value["big"]?.integer(as: Int.self) == nil)
    }

    @Test func everyTruncationIsRefused() throws {
        let bytes = Self.value.bytes
        for length in 0..<bytes.count {
            #expect(throws: BinaryPropertyListReader.Failure.self) {
                try BinaryPropertyListReader.read(Array(bytes.prefix(length)))
            }
        }
    }

    @Test(arguments: [
        // Reserved objects, texts that aren't, keys that aren't texts, keys twice, references and lengths outside.
        [[0x00]], [[0x80, 0x01]], [[0x51, 0xC3]], [[0x61, 0xD8, 0x00]], [[0x71, 0xFF]], [[0xD1, 1, 1], [0x09]],
        [[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]], [[0xA1, 7]], [[0x4F, 0x10, 0x60]], [[0x4F, 0x51, 0x10]],
        [[0x15, 0]], [[0x24, 0]],
    ])
    func liesAreRefused(objects: [[UInt8]]) {
        #expect(throws: BinaryPropertyListReader.Failure.malformed) {
            try BinaryPropertyListReader.read(Self.list(objects))
        }
    }

    @Test func objectsThatStandForTooManyValuesAreRefused() {
        // Each array contains the next one twice: 2^11 values, and 2^12.
        func doubled(_ depth: Int) -> [UInt8] {
            Self.list((0..<depth).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]])
        }
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(doubled(11)) }
        for depth in [12, 16] {
            #expect(throws: BinaryPropertyListReader.Failure.tooLarge) {
                try BinaryPropertyListReader.read(doubled(depth))
            }
        }
    }

    @Test func depthIsLimited() {
        func nested(_ depth: Int) -> [UInt8] { Self.list((0..<depth).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]) }
        let limit = BinaryPropertyListReader.depthLimit
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(nested(limit)) }
        #expect(throws: BinaryPropertyListReader.Failure.tooLarge) {
            try BinaryPropertyListReader.read(nested(limit + 1))
        }
        // An array that contains itself is endlessly deep.
        #expect(throws: BinaryPropertyListReader.Failure.tooLarge) {
            try BinaryPropertyListReader.read(Self.list([[0xA1, 0]]))
        }
    }

    @Test func contentIsLimited() {
        // 16 kB of data, 16 times and 17 times.
        let data = PropertyList.data(Array(repeating: 1, count: 16_384)).bytes
        func repeated(_ count: Int) -> [UInt8] {
            var bytes = Array("bplist00".utf8) + [0x4F, 0x11, 0x40, 0x00] + Array(repeating: 1, count: 16_384)
            let array = bytes.count
            bytes += [0xAF, 0x10, UInt8(count)] + Array(repeating: 0, count: count)
            let table = bytes.count
            bytes += [0, 8, UInt8(array >> 8), UInt8(array & 0xFF)] + [0, 0, 0, 0, 0, 0, 2, 1]
            bytes += [0, 0, 0, 0, 0, 0, 0, 2] + [0, 0, 0, 0, 0, 0, 0, 1]
            return bytes + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
        }
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(data) }
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(repeated(16)) }
        #expect(throws: BinaryPropertyListReader.Failure.tooLarge) { try BinaryPropertyListReader.read(repeated(17)) }
    }

    @Test func lengthIsLimited() {
        let overhead = PropertyList.data(Array(repeating: 1, count: 65_000)).bytes.count - 65_000
        func sized(_ length: Int) -> [UInt8] {
            PropertyList.data(Array(repeating: 1, count: length - overhead)).bytes
        }
        let limit = BinaryPropertyListReader.lengthLimit
        #expect(sized(limit).count == limit)
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(sized(limit)) }
        #expect(throws: BinaryPropertyListReader.Failure.tooLarge) {
            try BinaryPropertyListReader.read(sized(limit + 1))
        }
    }
}
