/// Reads an input as a plan: what is to be done, and with what bytes. After its end every number is 0.
struct PlanReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte.
    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    /// The next byte as one of `count` choices.
    mutating func choice(of count: Int) -> Int {
        Int(byte()) % count
    }

    /// The next two bytes as a number below a limit.
    mutating func number(below limit: Int) -> Int {
        (Int(byte()) << 8 | Int(byte())) % limit
    }

    /// The next bytes, whose count is said by one byte or, for long ones, by two.
    mutating func block(isLong: Bool = false) -> [UInt8] {
        let count = isLong ? number(below: .max) : Int(byte())
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
