/// The modules of a QR code, and which of them are reserved for the function patterns.
struct QRModules: Hashable, Sendable {
    private let format: QRFormat
    private var dark: [Bool]
    /// The modules without codewords and mask: the patterns, the format information and the version.
    private var isReserved: [Bool]

    /// The numbers of the masks.
    static let masks = 0...7

    /// The number of modules per side.
    var side: Int { format.side }

    subscript(x: Int, y: Int) -> Bool { dark[y * side + x] }

    /// Creates the modules with patterns and codewords, but without mask and format information.
    init(codewords: [UInt8], _ format: QRFormat) {
        self.format = format
        dark = [Bool](repeating: false, count: format.side * format.side)
        isReserved = dark
        reservePatterns()
        place(codewords)
    }

    private mutating func reserve(_ x: Int, _ y: Int, _ isDark: Bool) {
        dark[y * side + x] = isDark
        isReserved[y * side + x] = true
    }
}

// MARK: Patterns (ISO/IEC 18004, 6.3)

extension QRModules {
    private static let timing = 6
    private static let finderCentre = 3
    /// The module next to the format information that is always dark.
    private var darkModule: (x: Int, y: Int) { (8, side - 8) }

    private mutating func reservePatterns() {
        for position in 0..<side {
            reserve(position, Self.timing, position % 2 == 0)
            reserve(Self.timing, position, position % 2 == 0)
        }
        let (near, far) = (Self.finderCentre, side - 1 - Self.finderCentre)
        for (x, y) in [(near, near), (far, near), (near, far)] {
            // Include the separator, which is the ring at 4.
            reserveRings(x, y, dark: [0, 1, 3], reach: 4)
        }
        let centers = format.alignmentCenters
        for x in centers {
            // Three corners have finder patterns.
            for y in centers where (x, y) != (6, 6) && (x, y) != (6, side - 7) && (x, y) != (side - 7, 6) {
                reserveRings(x, y, dark: [0, 2], reach: 2)
            }
        }
        for (x, y, _) in formatModules { reserve(x, y, false) }
        reserve(darkModule.x, darkModule.y, false)
        reserveVersion()
    }

    /// Draws square rings around a center, clipped to the symbol.
    private mutating func reserveRings(_ x: Int, _ y: Int, dark: Set<Int>, reach: Int) {
        for dy in -reach...reach {
            for dx in -reach...reach where (0..<side).contains(x + dx) && (0..<side).contains(y + dy) {
                reserve(x + dx, y + dy, dark.contains(max(abs(dx), abs(dy))))
            }
        }
    }

    /// The modules of both copies of the 15 bits of format information.
    private var formatModules: [(x: Int, y: Int, bit: Int)] {
        (0..<15).flatMap { bit -> [(x: Int, y: Int, bit: Int)] in
            // Skip the timing patterns.
            let near = bit < Self.timing ? bit : bit + 1
            let first = bit < 8 ? (8, near, bit) : (bit == 8 ? 7 : 14 - bit, 8, bit)
            let second = bit < 8 ? (side - 1 - bit, 8, bit) : (8, side - 15 + bit, bit)
            return [first, second]
        }
    }

    /// Draws both copies of the 18 bits of the version, which symbols from version 7 on have (7.10).
    private mutating func reserveVersion() {
        guard format.version >= 7 else { return }
        let version = Self.versionInformation(format.version)
        for bit in 0..<18 {
            let (long, short) = (bit / 3, side - 11 + bit % 3)
            reserve(long, short, version >> bit & 1 == 1)
            reserve(short, long, version >> bit & 1 == 1)
        }
    }
}

// MARK: Codewords, mask and format (7.7.3, 7.8, 7.9)

extension QRModules {
    private mutating func place(_ codewords: [UInt8]) {
        var bits: ArraySlice<Bool> = []
        for byte in codewords {
            for bit in (0..<8).reversed() { bits.append(byte >> bit & 1 == 1) }
        }
        var isUpward = true
        for right in stride(from: side - 1, to: 0, by: -2).map({ $0 <= Self.timing ? $0 - 1 : $0 }) {
            for step in 0..<side {
                let y = isUpward ? side - 1 - step : step
                for x in [right, right - 1] where !isReserved[y * side + x] {
                    // The remaining bits are light.
                    dark[y * side + x] = bits.popFirst() ?? false
                }
            }
            isUpward.toggle()
        }
    }

    /// The mask with the lowest penalty. The format information isn't taken into account, because it is added later.
    var bestMask: Int {
        Self.masks.min { masked($0).penalty < masked($1).penalty } ?? 0
    }

    /// Returns the modules with a mask and the corresponding format information.
    func finished(_ mask: Int) -> QRModules {
        var finished = masked(mask)
        let information = Self.formatInformation(format.level, mask)
        for (x, y, bit) in formatModules { finished.dark[y * side + x] = information >> bit & 1 == 1 }
        finished.dark[darkModule.y * side + darkModule.x] = true
        return finished
    }

    private func masked(_ mask: Int) -> QRModules {
        var masked = self
        for y in 0..<side {
            for x in 0..<side where !isReserved[y * side + x] && Self.inverts(mask, x, y) {
                masked.dark[y * side + x].toggle()
            }
        }
        return masked
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    /// Returns the 15 bits of the format information: level and mask with a BCH code, XORed with a fixed pattern.
    static func formatInformation(_ level: QRFormat.Level, _ mask: Int) -> Int {
        checked(level.rawValue << 3 | mask, by: 0b101_0011_0111, 10) ^ 0b101_0100_0001_0010
    }

    /// Returns the 18 bits of the version: its number with a BCH code.
    static func versionInformation(_ version: Int) -> Int {
        checked(version, by: 0b1_1111_0010_0101, 12)
    }

    /// Returns data followed by the bits of a BCH code, the remainder of a division by a generator.
    private static func checked(_ data: Int, by generator: Int, _ bits: Int) -> Int {
        var remainder = data
        for _ in 0..<bits {
            remainder <<= 1
            if remainder >> bits & 1 == 1 { remainder ^= generator }
        }
        return data << bits | remainder
    }
}

// MARK: Penalty (7.8.3.1)

extension QRModules {
    /// The penalty for features that are hard for readers.
    private var penalty: Int {
        let rows = (0..<side).map { y in (0..<side).map { x in self[x, y] } }
        let columns = (0..<side).map { x in (0..<side).map { y in self[x, y] } }
        return (rows + columns).reduce(squares + imbalance) { $0 + Self.runs($1) + Self.finders($1) }
    }

    /// Returns the penalty for five or more modules of one color in a line.
    private static func runs(_ line: [Bool]) -> Int {
        var (penalty, length) = (0, 0)
        for index in line.indices {
            length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
            if length == 5 { penalty += 3 } else if length > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Returns the penalty for sequences that look like a finder pattern: its dark and light modules in a line, with
    /// four light ones before or after. The quiet zone is light. Of two overlapping sequences, the first counts.
    private static func finders(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let zone = [Bool](repeating: false, count: QRCode.quietZone)
        let framed = zone + line + zone
        var (penalty, start) = (0, zone.count)
        while start + finder.count + zone.count <= framed.count {
            let end = start + finder.count
            let isFree = [start - zone.count..<start, end..<end + zone.count].contains { !framed[$0].contains(true) }
            if isFree, framed[start..<end].elementsEqual(finder) {
                penalty += 40
                start = end
            } else {
                start += 1
            }
        }
        return penalty
    }

    /// The penalty for squares of two by two modules of one color.
    private var squares: Int {
        var count = 0
        for y in 0..<side - 1 {
            for x in 0..<side - 1 {
                let corner = self[x, y]
                if self[x + 1, y] == corner, self[x, y + 1] == corner, self[x + 1, y + 1] == corner { count += 1 }
            }
        }
        return 3 * count
    }

    /// The penalty for each 5% by which the share of dark modules differs from a half.
    private var imbalance: Int {
        let count = dark.count { $0 }
        return 10 * (abs(20 * count - 10 * dark.count) / dark.count)
    }
}
