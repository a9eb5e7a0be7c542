/// A value of a binary property list, limited to what Apple's accessory files use.
indirect enum PropertyList: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case data([UInt8])
    case string(String)
    /// A reference to an object of a keyed archive.
    case reference(Int)
    case array([PropertyList])
    case dictionary([String: PropertyList])

    /// An error in a binary property list.
    struct Failure: Error, Hashable {
        /// A description of the error.
        let reason: String
    }

    /// The maximum nesting depth of arrays and dictionaries.
    static let depthLimit = 16
    /// The maximum number of objects in a list.
    static let objectLimit = 100_000
    /// The maximum number of values that are read in total. Shared objects count each time, and each ``valueLength``
    /// bytes of a long value count once more.
    static let valueLimit = 500_000
    /// The number of bytes of data or text that count as an additional value.
    static let valueLength = 16

    /// The first bytes of a binary property list.
    static let magic = Array("bplist00".utf8)

    /// The members, if it is a dictionary.
    var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }
    /// The elements, if it is an array.
    var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
}

// MARK: Reading

extension PropertyList {
    /// Reads a binary property list.
    init(_ bytes: [UInt8]) throws(Failure) {
        var reader = try Reader(bytes)
        self = try reader.value(reader.top, depth: 0)
    }

    private struct Reader {
        private static let trailerLength = 32
        private static let longMarker = 0xF
        private static let tooLarge = Failure(reason: "the property list is too deep or too large")

        let bytes: [UInt8]
        let top: Int
        private let offsetSize: Int
        private let referenceSize: Int
        private let count: Int
        private let table: Int
        private var values = 0

        init(_ bytes: [UInt8]) throws(Failure) {
            guard bytes.count >= PropertyList.magic.count + Self.trailerLength, bytes.starts(with: PropertyList.magic)
            else { throw Failure(reason: "it is not a binary property list") }
            self.bytes = bytes
            let trailer = bytes.count - Self.trailerLength
            func number(_ offset: Int) -> Int? {
                Int(exactly: bytes[trailer + offset..<trailer + offset + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            }
            offsetSize = Int(bytes[trailer + 6])
            referenceSize = Int(bytes[trailer + 7])
            guard let count = number(8), let top = number(16), let table = number(24),
                (1...8).contains(offsetSize), (1...8).contains(referenceSize), count <= PropertyList.objectLimit,
                top < count, table >= PropertyList.magic.count, table <= trailer,
                count * offsetSize <= trailer - table
            else { throw Failure(reason: "the trailer of the property list is invalid") }
            (self.count, self.top, self.table) = (count, top, table)
        }

        private func number(_ offset: Int, _ size: Int) throws(Failure) -> Int {
            guard offset >= 0, size <= bytes.count, offset <= bytes.count - size,
                let value = Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            else { throw Failure(reason: "the property list ends too early") }
            return value
        }

        private func slice(_ offset: Int, _ length: Int) throws(Failure) -> ArraySlice<UInt8> {
            guard offset >= 0, length >= 0, length <= bytes.count, offset <= bytes.count - length else {
                throw Failure(reason: "the property list ends too early")
            }
            return bytes[offset..<offset + length]
        }

        /// Counts values before they are read.
        private mutating func spend(_ more: Int) throws(Failure) {
            values += more
            guard values <= PropertyList.valueLimit else { throw Self.tooLarge }
        }

        mutating func value(_ object: Int, depth: Int) throws(Failure) -> PropertyList {
            guard depth <= PropertyList.depthLimit else { throw Self.tooLarge }
            try spend(1)
            guard object < count else { throw Failure(reason: "the property list refers to a missing object") }
            let offset = try number(table + object * offsetSize, offsetSize)
            let marker = Int(try slice(offset, 1)[offset])
            let (kind, low) = (marker >> 4, marker & 0xF)
            let start = offset + 1
            switch (kind, low) {
            case (0x0, 0x8): return .bool(false)
            case (0x0, 0x9): return .bool(true)
            case (0x1, 0...3):
                let raw = try slice(start, 1 << low).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                // Only eight-byte integers are signed.
                return .integer(Int64(bitPattern: raw))
            case (0x2, 2):
                let raw = try slice(start, 4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                return .real(Double(Float(bitPattern: raw)))
            case (0x2, 3):
                let raw = try slice(start, 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return .real(Double(bitPattern: raw))
            case (0x8, _):
                return .reference(try number(start, low + 1))
            case (0x4, _), (0x5, _), (0x6, _), (0xA, _), (0xD, _):
                let (length, start) = try length(low, start)
                return try collection(kind, length, start, depth: depth)
            default:
                throw Failure(reason: "the property list has an object of the unknown kind \(marker)")
            }
        }

        private func length(_ low: Int, _ start: Int) throws(Failure) -> (length: Int, start: Int) {
            guard low == Self.longMarker else { return (low, start) }
            let marker = Int(try slice(start, 1)[start])
            guard marker >> 4 == 1, marker & 0xF <= 3 else { throw Failure(reason: "a length is not an integer") }
            let size = 1 << (marker & 0xF)
            return (try number(start + 1, size), start + 1 + size)
        }

        private mutating func collection(
            _ kind: Int,
            _ length: Int,
            _ start: Int,
            depth: Int
        ) throws(Failure) -> PropertyList {
            guard length <= bytes.count else { throw Failure(reason: "the property list ends too early") }
            switch kind {
            case 0x4:
                try spend(length / PropertyList.valueLength)
                return .data(Array(try slice(start, length)))
            case 0x5:
                try spend(length / PropertyList.valueLength)
                guard let text = String(validating: try slice(start, length), as: UTF8.self) else {
                    throw Failure(reason: "a string is not ASCII")
                }
                return .string(text)
            case 0x6:
                try spend(2 * length / PropertyList.valueLength)
                let bytes = Array(try slice(start, 2 * length))
                let units = (0..<length).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
                guard let text = String(validating: units, as: UTF16.self) else {
                    throw Failure(reason: "a string is not UTF-16")
                }
                return .string(text)
            case 0xA:
                var elements: [PropertyList] = []
                for index in 0..<length {
                    let object = try number(start + index * referenceSize, referenceSize)
                    elements.append(try value(object, depth: depth + 1))
                }
                return .array(elements)
            default:
                var members: [String: PropertyList] = [:]
                for index in 0..<length {
                    let key = try number(start + index * referenceSize, referenceSize)
                    let object = try number(start + (length + index) * referenceSize, referenceSize)
                    guard case .string(let name) = try value(key, depth: depth + 1) else {
                        throw Failure(reason: "a key of a dictionary is not a string")
                    }
                    guard members.updateValue(try value(object, depth: depth + 1), forKey: name) == nil else {
                        throw Failure(reason: "a dictionary has the key '\(name)' twice")
                    }
                }
                return .dictionary(members)
            }
        }
    }
}

// MARK: Writing

extension PropertyList {
    /// Encodes the value as a binary property list. Equal values have equal encodings.
    func encoded() -> [UInt8] {
        var writer = Writer()
        let top = writer.add(self)
        return writer.finished(top: top)
    }

    private struct Writer {
        private static let referenceSize = 4
        private static let offsetSize = 8
        private var objects: [[UInt8]] = []
        private var indexes: [PropertyList: Int] = [:]

        /// Adds a value and its elements, each only once.
        mutating func add(_ value: PropertyList) -> Int {
            if let index = indexes[value] { return index }
            let body: [UInt8]
            switch value {
            case .bool(let flag): body = [flag ? 0x09 : 0x08]
            case .integer(let number): body = [0x13] + Self.bytes(UInt64(bitPattern: number), 8)
            case .real(let number): body = [0x23] + Self.bytes(number.bitPattern, 8)
            case .data(let data): body = Self.head(0x4, data.count) + data
            case .string(let text):
                if text.utf8.allSatisfy({ $0 < 0x80 }) {
                    body = Self.head(0x5, text.utf8.count) + Array(text.utf8)
                } else {
                    let units = Array(text.utf16)
                    body = Self.head(0x6, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
                }
            case .reference(let object): body = [0x83] + Self.bytes(UInt64(object), 4)
            case .array(let elements):
                let references = elements.map { add($0) }
                body =
                    Self.head(0xA, elements.count)
                    + references.flatMap { Self.bytes(UInt64($0), Self.referenceSize) }
            case .dictionary(let members):
                let sorted = members.sorted { $0.key < $1.key }
                let keys = sorted.map { add(.string($0.key)) }
                let values = sorted.map { add($0.value) }
                body =
                    Self.head(0xD, sorted.count)
                    + (keys + values).flatMap { Self.bytes(UInt64($0), Self.referenceSize) }
            }
            objects.append(body)
            indexes[value] = objects.count - 1
            return objects.count - 1
        }

        func finished(top: Int) -> [UInt8] {
            var bytes = PropertyList.magic
            var offsets: [UInt8] = []
            for object in objects {
                offsets += Self.bytes(UInt64(bytes.count), Self.offsetSize)
                bytes += object
            }
            let table = bytes.count
            bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(Self.offsetSize), UInt8(Self.referenceSize)]
            for number in [objects.count, top, table] { bytes += Self.bytes(UInt64(number), 8) }
            return bytes
        }

        private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
            count < 0xF ? [kind << 4 | UInt8(count)] : [kind << 4 | 0xF, 0x13] + bytes(UInt64(count), 8)
        }

        private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        }
    }
}
