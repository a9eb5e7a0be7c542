import HAP

/// A man in the middle, who sees and changes messages according to a plan.
struct Attacker {
    private(set) var plan: PlanReader
    private var seen: [[UInt8]] = []
    /// Whether all messages passed unchanged.
    private(set) var isIdle = true

    init(plan: PlanReader) {
        self.plan = plan
    }

    /// Returns the plan's next choice among `count` kinds of steps, or the first kind at its end.
    mutating func step(of count: Int) -> Int {
        plan.choice(of: count)
    }

    mutating func number() -> Int {
        Int(plan.byte())
    }

    /// Returns a message that the attacker invents or repeats.
    mutating func invent() -> [UInt8] {
        isIdle = false
        return plan.byte() < 0x80 || seen.isEmpty ? plan.block() : changed(seen[plan.choice(of: seen.count)])
    }

    /// Passes a message on, possibly changed.
    mutating func pass(_ message: [UInt8]) -> [UInt8] {
        seen.append(message)
        let passed = changed(message)
        if passed != message { isIdle = false }
        return passed
    }

    private mutating func changed(_ message: [UInt8]) -> [UInt8] {
        var message = message
        var items = (try? TLV8(decoding: message))?.items ?? []
        switch plan.choice(of: 10) {
        case 0...3:
            return message
        case 4:
            guard !message.isEmpty else { return message }
            message[plan.number(below: message.count)] ^= plan.byte()
            return message
        case 5:
            return plan.block(isLong: true)
        case 6:
            return seen[plan.choice(of: seen.count)]
        case 7:
            guard !items.isEmpty else { return message }
            items[plan.choice(of: items.count)].value = plan.block()
        case 8:
            guard !items.isEmpty else { return message }
            let index = plan.choice(of: items.count)
            // Values of the right length, such as a key of zeros, are processed further than others.
            items[index].value = Array(repeating: plan.byte(), count: items[index].value.count)
        default:
            if plan.byte() < 0x80, !items.isEmpty {
                items.remove(at: plan.choice(of: items.count))
            } else {
                items.append(TLV8.Item(TLVType(rawValue: plan.byte()), plan.block()))
            }
        }
        return TLV8(items).encoded()
    }
}
