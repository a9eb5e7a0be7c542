/// A reader that interprets an input as a plan of steps and their bytes. After its end, all numbers are 0.
struct PlanReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next byte.
    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// Returns the next byte as one of `count` choices.
    mutating func choice(of count: Int) -> Int {
        Int(byte()) % count
    }

    /// Returns the next two bytes as a number below a limit.
    mutating func number(below limit: Int) -> Int {
        (Int(byte()) << 8 | Int(byte())) % limit
    }

    /// Returns the next bytes, whose count is in one byte, or in two for long blocks.
    mutating func block(isLong: Bool = false) -> [UInt8] {
        let count = isLong ? number(below: .max) : Int(byte())
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
