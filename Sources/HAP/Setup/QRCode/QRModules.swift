/// The modules of a QR code, and which of them are reserved for the function patterns.
struct QRModules: Hashable, Sendable {
    private static let side = QRCode.side
    private var dark = [Bool](repeating: false, count: side * side)
    /// The modules without codewords and mask: the patterns and the format information.
    private var isReserved = [Bool](repeating: false, count: side * side)

    /// The numbers of the masks.
    static let masks = 0...7

    subscript(x: Int, y: Int) -> Bool { dark[y * Self.side + x] }

    /// Creates the modules with patterns and codewords, but without mask and format information.
    init(codewords: [UInt8]) {
        reservePatterns()
        place(codewords)
    }

    private mutating func reserve(_ x: Int, _ y: Int, _ isDark: Bool) {
        dark[y * Self.side + x] = isDark
        isReserved[y * Self.side + x] = true
    }
}

// MARK: Patterns (ISO/IEC 18004, 6.3)

extension QRModules {
    private static let timing = 6
    private static let finderCentre = 3
    /// The center of the only alignment pattern, in both directions.
    private static let alignmentCenter = side - 7
    /// The module next to the format information that is always dark.
    private static let darkModule = (x: 8, y: side - 8)

    private mutating func reservePatterns() {
        for position in 0..<Self.side {
            reserve(position, Self.timing, position % 2 == 0)
            reserve(Self.timing, position, position % 2 == 0)
        }
        let (near, far) = (Self.finderCentre, Self.side - 1 - Self.finderCentre)
        for (x, y) in [(near, near), (far, near), (near, far)] {
            // Include the separator, which is the ring at 4.
            reserveRings(x, y, dark: [0, 1, 3], reach: 4)
        }
        reserveRings(Self.alignmentCenter, Self.alignmentCenter, dark: [0, 2], reach: 2)
        for (x, y, _) in Self.formatModules { reserve(x, y, false) }
        reserve(Self.darkModule.x, Self.darkModule.y, false)
    }

    /// Draws square rings around a center, clipped to the symbol.
    private mutating func reserveRings(_ x: Int, _ y: Int, dark: Set<Int>, reach: Int) {
        for dy in -reach...reach {
            for dx in -reach...reach where (0..<Self.side).contains(x + dx) && (0..<Self.side).contains(y + dy) {
                reserve(x + dx, y + dy, dark.contains(max(abs(dx), abs(dy))))
            }
        }
    }

    /// The modules of both copies of the 15 bits of format information.
    private static let formatModules = (0..<15).flatMap { bit -> [(x: Int, y: Int, bit: Int)] in
        // Skip the timing patterns.
        let near = bit < timing ? bit : bit + 1
        let first = bit < 8 ? (8, near, bit) : (bit == 8 ? 7 : 14 - bit, 8, bit)
        let second = bit < 8 ? (side - 1 - bit, 8, bit) : (8, side - 15 + bit, bit)
        return [first, second]
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
        for right in stride(from: Self.side - 1, to: 0, by: -2).map({ $0 <= Self.timing ? $0 - 1 : $0 }) {
            for step in 0..<Self.side {
                let y = isUpward ? Self.side - 1 - step : step
                for x in [right, right - 1] where !isReserved[y * Self.side + x] {
                    // The remaining bits are light.
                    dark[y * Self.side + x] = bits.popFirst() ?? false
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
        let format = Self.format(level: Self.quartile, mask)
        for (x, y, bit) in Self.formatModules { finished.dark[y * Self.side + x] = format >> bit & 1 == 1 }
        finished.dark[Self.darkModule.y * Self.side + Self.darkModule.x] = true
        return finished
    }

    private func masked(_ mask: Int) -> QRModules {
        var masked = self
        for y in 0..<Self.side {
            for x in 0..<Self.side where !isReserved[y * Self.side + x] && Self.inverts(mask, x, y) {
                masked.dark[y * Self.side + x].toggle()
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

    /// The level Q in the format information.
    private static let quartile = 0b11

    /// Returns the 15 bits of the format information: level and mask with a BCH code, XORed with a fixed pattern.
    static func format(level: Int, _ mask: Int) -> Int {
        let (generator, pattern) = (0b101_0011_0111, 0b101_0100_0001_0010)
        let data = level << 3 | mask
        var remainder = data
        for _ in 0..<10 {
            remainder <<= 1
            if remainder >> 10 == 1 { remainder ^= generator }
        }
        return (data << 10 | remainder) ^ pattern
    }
}

// MARK: Penalty (7.8.3.1)

extension QRModules {
    /// The penalty for features that are hard for readers.
    private var penalty: Int {
        let rows = (0..<Self.side).map { y in (0..<Self.side).map { x in self[x, y] } }
        let columns = (0..<Self.side).map { x in (0..<Self.side).map { y in self[x, y] } }
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
        for y in 0..<Self.side - 1 {
            for x in 0..<Self.side - 1 {
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
