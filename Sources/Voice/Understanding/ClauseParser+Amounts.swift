extension ClauseParser {
    /// An item, with numbers, units and times joined.
    struct Content {
        enum Kind {
            case meaning(Meaning)
            case amount(Amount)
            case time(SpokenTime)
        }

        var content: Kind
        var isGuessed: Bool
    }

    /// Joins numbers with their units, and times with their words; nil if a number or a time makes no sense.
    func joinAmounts(_ items: [Lattice.Item]) -> [Content]? {
        let days = items.filter { [.clock(.today), .clock(.tomorrow)].contains($0.meaning) }
        guard let day = days.first else { return joined(items) }
        // The day is said before or after the time, and holds for all times of the sentence.
        guard Set(days.map(\.meaning)).count == 1 else { return nil }
        let isTomorrow = day.meaning == .clock(.tomorrow)
        var parser = self
        if isTomorrow { parser.now = nil }
        guard var contents = parser.joined(items.filter { $0.meaning != day.meaning }) else { return nil }
        var hasTime = false
        for index in contents.indices {
            guard case .time(.at(let hour, let minute, _)) = contents[index].content else { continue }
            contents[index].content = .time(.at(hour: hour, minute: minute, isTomorrow: isTomorrow))
            hasTime = true
        }
        return hasTime ? contents : nil
    }

    private func joined(_ items: [Lattice.Item]) -> [Content]? {
        var contents: [Content] = []
        let meanings = items.map(\.meaning)
        var index = 0
        // "百分之五十", "华氏七十度": a unit before its number.
        var unitFirst: Meaning.Unit?
        while index < items.count {
            let isGuessed = items[index].isGuessed
            let last = contents.lastIndex { if case .meaning(.filler) = $0.content { false } else { true } }
            if let (time, end) = time(meanings, at: index, follows: last.map { contents[$0] }) {
                guard let time else { return nil }
                if let last, case .meaning(.link(let link)) = contents[last].content {
                    // "Until seven" is more than a command can say.
                    if link == .to { return nil }
                    if [.at, .in, .after].contains(link) { contents.remove(at: last) }
                }
                contents.append(Content(content: .time(time), isGuessed: isGuessed))
                index = end
                continue
            }
            switch meanings[index] {
            case .unit(.percent):
                unitFirst = .percent
                index += 1
            case .unit(let unit) where [.celsius, .fahrenheit].contains(unit) && isNumber(meanings, at: index + 1):
                unitFirst = unit
                index += 1
            case .number, .multiplier:
                guard let (value, end) = number(meanings, at: index) else { return nil }
                index = end
                var unit = unitFirst
                unitFirst = nil
                while index < meanings.count, case .unit(let next) = meanings[index] {
                    guard unit == nil || unit == .degree || next == unit || (next == .degree && unit != .percent) else {
                        return nil
                    }
                    if next != .degree || unit == nil { unit = next }
                    index += 1
                }
                if unit == .degree || unit == .celsius, index < meanings.count {
                    // "Twenty degrees and a half".
                    let half = meanings[index] == .link(.and) ? index + 1 : index
                    if half < meanings.count, meanings[half] == .level(.half) {
                        contents.append(Content(content: .amount(.number(value + 0.5, unit)), isGuessed: isGuessed))
                        index = half + 1
                        continue
                    }
                }
                contents.append(Content(content: .amount(.number(value, unit)), isGuessed: isGuessed))
            case .level(let level):
                contents.append(Content(content: .amount(.level(level)), isGuessed: isGuessed))
                index += 1
            case .unit:
                // "Degrees" without a number, as in "how many degrees". Without spaces, only there: "亮度" ends so too.
                let isAsked = if let last, case .meaning(.question) = contents[last].content { true } else { false }
                guard isAsked || language.hasSpaces, case .unit(let unit) = meanings[index],
                    [.degree, .celsius, .fahrenheit].contains(unit)
                else {
                    return nil
                }
                contents.append(Content(content: .meaning(.aspect(.temperature)), isGuessed: isGuessed))
                index += 1
            case .point, .clock, .moment: return nil
            default:
                contents.append(Content(content: .meaning(meanings[index]), isGuessed: isGuessed))
                index += 1
            }
        }
        return unitFirst == nil ? contents : nil
    }

    private func isNumber(_ meanings: [Meaning], at index: Int) -> Bool {
        guard index < meanings.count else { return false }
        return switch meanings[index] {
        case .number, .multiplier: true
        default: false
        }
    }

    /// A number of one or more words, such as "twenty", "five", or a figure.
    func number(_ meanings: [Meaning], at start: Int) -> (Double, Int)? {
        var index = start
        var total = 0.0
        var current: Double?
        var hasThousands = false
        loop: while index < meanings.count {
            switch meanings[index] {
            case .number(let value):
                if let known = current, value == 0.5, known == known.rounded() {
                    // "Twenty one and a half".
                    current = known + value
                } else if let known = current {
                    // Twenty and five add up; five and twenty don't, nor do figures.
                    let place = value >= 10 ? 100.0 : 10.0
                    guard value < place, known >= place, known.truncatingRemainder(dividingBy: place) == 0 else {
                        break loop
                    }
                    current = known + value
                } else {
                    current = value
                }
            case .multiplier(let value):
                let known = current ?? 1
                if value >= 1_000 {
                    guard !hasThousands else { break loop }
                    total += known * value
                    current = nil
                    hasThousands = true
                } else if known >= 100, known.truncatingRemainder(dividingBy: 100) != 0 {
                    // One hundred, five tens: the last digit is multiplied.
                    let digit = known.truncatingRemainder(dividingBy: 10)
                    current = known - digit + digit * value
                } else {
                    current = max(known, 1) * value
                }
            default: break loop
            }
            index += 1
        }
        guard index > start else { return nil }
        var value = total + (current ?? 0)
        if let end = half(meanings, from: index) { return (value + 0.5, end) }
        if index + 1 < meanings.count, meanings[index] == .point, case .number = meanings[index + 1] {
            var digits = ""
            var next = index + 1
            while next < meanings.count, case .number(let digit) = meanings[next], digit >= 0, digit < 100 {
                digits += String(Int(digit))
                next += 1
            }
            guard let fraction = Double("0.\(digits)") else { return nil }
            value += fraction
            index = next
        }
        return (value, index)
    }

    /// Where "and a half" ends before a unit, as in "twenty and a half degrees".
    private func half(_ meanings: [Meaning], from start: Int) -> Int? {
        guard start < meanings.count, meanings[start] == .link(.and) else { return nil }
        var index = start + 1
        while index < meanings.count, meanings[index] == .filler { index += 1 }
        guard index + 1 < meanings.count, meanings[index] == .level(.half), case .unit = meanings[index + 1] else {
            return nil
        }
        return index + 1
    }

    /// A time or a span of time: the time (nil if it makes no sense), and where it ends.
    private func time(_ meanings: [Meaning], at start: Int, follows previous: Content?) -> (SpokenTime?, Int)? {
        var link: Meaning.Link?
        if case .meaning(.link(let before)) = previous?.content { link = before }
        switch meanings[start] {
        case .moment(let hour, let minute):
            if minute == 0, let (hour, minute, end) = parts(meanings, after: Double(hour), from: start + 1, .at) {
                return moment(hour: hour, minute: minute, meanings, from: end)
            }
            return moment(hour: Double(hour), minute: Double(minute), meanings, from: start + 1)
        case .clock(.noon), .clock(.midnight):
            let hour = meanings[start] == .clock(.noon) ? 12.0 : 0
            if let (hour, minute, next) = parts(meanings, after: hour, from: start + 1, .at) {
                return (Self.at(hour < 0 ? hour + 24 : hour, minute), next)
            }
            return (Self.at(hour, 0), start + 1)
        case .clock(let word) where [.halfPast, .quarterPast, .quarterTo, .halfTo].contains(word):
            guard let (hour, end) = number(meanings, at: start + 1) else { return nil }
            switch word {
            case .halfPast: return moment(hour: hour, minute: 30, meanings, from: end)
            case .quarterPast: return moment(hour: hour, minute: 15, meanings, from: end)
            case .halfTo: return moment(hour: hour - 1, minute: 30, meanings, from: end)
            default: return moment(hour: hour - 1, minute: 45, meanings, from: end)
            }
        case .clock(.less):
            // "Без двадцати восемь": the last number is the hour.
            var values: [Double] = []
            var end = start + 1
            while end < meanings.count {
                if case .number(let value) = meanings[end] {
                    values.append(value)
                } else if meanings[end] != .unit(.minute) || values.isEmpty {
                    break
                }
                end += 1
            }
            guard let hour = values.popLast(), !values.isEmpty else { return nil }
            return moment(hour: hour - 1, minute: 60 - values.reduce(0, +), meanings, from: end)
        case .clock(.am), .clock(.pm):
            // "下午三点": the half of the day comes first.
            if start + 1 < meanings.count, case .moment(let hour, let minute) = meanings[start + 1] {
                let shifted = meanings[start] == .clock(.pm) && hour < 12 ? hour + 12 : hour
                return (Self.at(Double(shifted), Double(minute)), start + 2)
            }
            var first = start + 1
            while first < meanings.count, meanings[first] == .link(.at) || meanings[first] == .filler { first += 1 }
            guard first < meanings.count, let (hour, end) = number(meanings, at: first) else { return nil }
            let isClock = end < meanings.count && meanings[end] == .clock(.oclock)
            guard isClock || meanings[start + 1..<first].contains(.link(.at)) else { return nil }
            var next = isClock ? end + 1 : end
            var minute = 0.0
            if let (more, moreEnd) = number(meanings, at: next) {
                minute = more
                next = moreEnd
            } else if next < meanings.count, meanings[next] == .level(.half) {
                minute = 30
                next += 1
            }
            let shifted = meanings[start] == .clock(.pm) && hour < 12 ? hour + 12 : hour
            return (Self.at(shifted, minute), next)
        case .unit(.halfHour), .unit(.quarterHour):
            return span(1, unit: meanings[start], meanings, from: start + 1, link)
        case .unit(.second), .unit(.minute), .unit(.hour), .unit(.day):
            return link == .in || link == .after ? span(1, unit: meanings[start], meanings, from: start + 1, link) : nil
        case .number, .multiplier:
            guard let (value, end) = number(meanings, at: start) else { return nil }
            guard end < meanings.count else {
                return link == .at ? moment(hour: value, minute: 0, meanings, from: end) : nil
            }
            if let (hour, minute, next) = parts(meanings, after: value, from: end, link) {
                return moment(hour: hour, minute: minute, meanings, from: next)
            }
            switch meanings[end] {
            case .unit(.second), .unit(.minute), .unit(.hour), .unit(.day), .unit(.halfHour), .unit(.quarterHour):
                return span(value, unit: meanings[end], meanings, from: end + 1, link)
            case .clock(.oclock):
                if let (minute, next) = number(meanings, at: end + 1), minute < 60 {
                    let hasUnit = next < meanings.count && meanings[next] == .unit(.minute)
                    return moment(hour: value, minute: minute, meanings, from: hasUnit ? next + 1 : next)
                }
                if end + 1 < meanings.count, meanings[end + 1] == .level(.half) {
                    return moment(hour: value, minute: 30, meanings, from: end + 2)
                }
                return moment(hour: value, minute: 0, meanings, from: end + 1)
            case .clock(.am), .clock(.pm): return moment(hour: value, minute: 0, meanings, from: end)
            case .clock(.past), .clock(.to):
                guard let (hour, next) = number(meanings, at: end + 1) else { return nil }
                return meanings[end] == .clock(.past)
                    ? moment(hour: hour, minute: value, meanings, from: next)
                    : moment(hour: hour - 1, minute: 60 - value, meanings, from: next)
            case .number:
                // "Nine thirty": two numbers that don't add up.
                guard let (minute, next) = number(meanings, at: end), minute < 60, value < 25 else { return nil }
                let isTime =
                    link == .at || (next < meanings.count && [.clock(.am), .clock(.pm)].contains(meanings[next]))
                return isTime ? moment(hour: value, minute: minute, meanings, from: next) : nil
            case .unit: return nil
            default: return link == .at ? moment(hour: value, minute: 0, meanings, from: end) : nil
            }
        default: return nil
        }
    }

    /// The parts of an hour that follow it: "siete y media", "huit heures moins dix".
    private func parts(
        _ meanings: [Meaning],
        after hour: Double,
        from start: Int,
        _ link: Meaning.Link?
    ) -> (hour: Double, minute: Double, end: Int)? {
        var index = start
        let hasWord = index < meanings.count && meanings[index] == .clock(.oclock)
        if hasWord { index += 1 }
        guard hasWord || link == .at, link != .in, link != .after, index < meanings.count else { return nil }
        switch meanings[index] {
        case .clock(.andHalf): return (hour, 30, index + 1)
        case .clock(.andQuarter): return (hour, 15, index + 1)
        case .clock(.lessQuarter): return (hour - 1, 45, index + 1)
        case .clock(.less):
            guard let (minute, end) = number(meanings, at: index + 1), minute > 0, minute < 60 else { return nil }
            return (hour - 1, 60 - minute, end)
        case .link(.and):
            guard let (minute, end) = number(meanings, at: index + 1), minute < 60 else { return nil }
            // "At seven and 30 percent" is no time of its own.
            if end < meanings.count, case .unit = meanings[end] { return nil }
            return (hour, minute, end)
        default: return nil
        }
    }

    private func moment(hour: Double, minute: Double, _ meanings: [Meaning], from start: Int) -> (SpokenTime?, Int) {
        var end = start
        if end < meanings.count, meanings[end] == .clock(.oclock) { end += 1 }
        var hour = hour < 0 ? hour + 24 : hour
        if end < meanings.count, meanings[end] == .clock(.am) || meanings[end] == .clock(.pm) {
            guard hour <= 12 || meanings[end] == .clock(.pm) else { return (nil, end + 1) }
            if hour == 12 { hour = 0 }
            if meanings[end] == .clock(.pm), hour < 12 { hour += 12 }
            return (Self.at(hour, minute), end + 1)
        }
        if language.hasTwelveHourClock, let now, hour >= 1, hour <= 12 {
            // The next time that a clock's hands stand so.
            let first = hour.truncatingRemainder(dividingBy: 12) * 60 + minute
            let times = [first, first + 12 * 60]
            hour = ((times.first { $0 > Double(now) } ?? first) / 60).rounded(.down)
        }
        return (Self.at(hour, minute), end)
    }

    private static func at(_ hour: Double, _ minute: Double) -> SpokenTime? {
        guard hour >= 0, hour <= 24, minute >= 0, minute < 60, hour == hour.rounded(), minute == minute.rounded() else {
            return nil
        }
        return .at(hour: Int(hour) % 24, minute: Int(minute))
    }

    private func span(
        _ value: Double,
        unit: Meaning,
        _ meanings: [Meaning],
        from start: Int,
        _ link: Meaning.Link?
    ) -> (SpokenTime?, Int) {
        var seconds =
            switch unit {
            case .unit(.second): value
            case .unit(.minute): value * 60
            case .unit(.hour): value * 3_600
            case .unit(.day): value * 86_400
            case .unit(.halfHour): value * 1_800
            case .unit(.quarterHour): value * 900
            default: -1.0
            }
        var end = start
        while end < meanings.count, meanings[end] == .link(.and) || meanings[end] == .filler { end += 1 }
        if start < meanings.count, unit == .unit(.hour),
            meanings[start] == .clock(.andHalf) || meanings[start] == .clock(.andQuarter)
        {
            seconds += meanings[start] == .clock(.andHalf) ? 1_800 : 900
            end = start + 1
        } else if end < meanings.count, meanings[end] == .level(.half), unit == .unit(.hour) {
            seconds += 1_800
            end += 1
        } else if let (more, next) = number(meanings, at: end), next < meanings.count, meanings[next] == .unit(.minute),
            unit == .unit(.hour)
        {
            seconds += more * 60
            end = next + 1
        } else {
            end = start
        }
        var isLater = link == .in || link == .after
        if end < meanings.count, meanings[end] == .link(.after) {
            isLater = true
            end += 1
        }
        // How long something lasts is more than a command can say.
        guard isLater, seconds > 0, seconds <= 7 * 86_400 else { return (nil, end) }
        return (.after(seconds: Int(seconds.rounded())), end)
    }
}
