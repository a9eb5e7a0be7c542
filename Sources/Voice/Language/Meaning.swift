/// What a word or phrase means, the same in every language. A language's data names meanings by the text that
/// `init(id:)` reads.
enum Meaning: Hashable, Sendable {
    /// A thing to do.
    enum Act: String, Hashable, Sendable, CaseIterable {
        case set, ensure, on, off, toggle, open, close, lock, unlock, up, down, brighten, dim, warm, cool, faster,
            slower
        case run, tell, arm, disarm, mute, unmute, louder, quieter, stop
        /// What is done with a key: it locks or unlocks as another word says ("schließ … ab", "schließ … auf").
        case turnKey
        /// Give light: turn on what is a light.
        case illuminate
        /// State only.
        case occupied, vacant, moving, wet, smoky, low
    }

    enum Quantifier: String, Hashable, Sendable, CaseIterable { case all, any, none, both, other }

    enum Question: String, Hashable, Sendable, CaseIterable {
        case what, which, howMany, how, yesNo, mark, who
        /// "Is there", which asks for any.
        case exists
    }

    enum Quality: String, Hashable, Sendable, CaseIterable {
        case bright, dark, warm, cold, fast, slow, humid, dry, high, low
    }

    enum Unit: String, Hashable, Sendable, CaseIterable {
        case percent, degree, celsius, fahrenheit, kelvin, second, minute, hour, day
        /// Fractions of hours that are one word: "half an hour", "quarter of an hour".
        case halfHour, quarterHour
    }

    enum Link: String, Hashable, Sendable, CaseIterable {
        case and, then, comma, except, exceptEnd, exceptPost, to, by, amount, at, `in`, after, that, reason, not, too,
            more,
            less
        case bit, lot, it, `if`
    }

    enum Clock: String, Hashable, Sendable, CaseIterable {
        case am, pm, noon, midnight, oclock, halfPast, quarterPast, quarterTo, halfTo, past, to, less, tomorrow, today
        /// What follows an hour, as `less` may: "siete y media", "huit heures moins le quart", "ocho menos diez".
        case andHalf, andQuarter, lessQuarter
    }

    enum Level: String, Hashable, Sendable, CaseIterable {
        case max, min, half, quarter, threeQuarters, third, twoThirds, low, medium, high
    }

    enum PlaceWord: String, Hashable, Sendable, CaseIterable { case here, home, room }

    /// What people speak of, of a service.
    enum Aspect: String, Hashable, Sendable, CaseIterable {
        case brightness, color, colorTemperature, temperature, targetTemperature, speed, position, humidity, battery
        case state, airQuality, lightLevel, volume, carbonDioxide, carbonMonoxide, smoke, motion, occupancy, leak, mode
    }

    /// White light by its color temperature in mired; plain white is written as a color without saturation.
    enum White: String, Hashable, Sendable, CaseIterable {
        case candle, warm, soft, neutral, cool, daylight

        var mired: Double {
            switch self {
            case .candle: 500
            case .warm: 370
            case .soft: 340
            case .neutral: 250
            case .cool: 250
            case .daylight: 154
            }
        }
    }

    case filler
    case unknown
    case act(Act)
    case state(Act)
    case aspect(Aspect)
    case category(Category)
    case place(PlaceWord)
    case placeClass(String)
    case quantifier(Quantifier)
    case question(Question)
    case quality(Quality)
    /// "Brighter", "warmer": the quality, more of it.
    case number(Double)
    /// Ten, hundred: a number that multiplies what stands before it.
    case multiplier(Double)
    case point
    case unit(Unit)
    case clock(Clock)
    case moment(hour: Int, minute: Int)
    case level(Level)
    case color(SpokenColor)
    case white(White)
    case link(Link)
    case name(NameMatch)

    init?(id: String) {
        if id == "filler" {
            self = .filler
            return
        }
        if id == "point" {
            self = .point
            return
        }
        guard let dot = id.firstIndex(of: ".") else { return nil }
        let value = String(id[id.index(after: dot)...])
        let meaning: Meaning? =
            switch id[..<dot] {
            case "act": Act(rawValue: value).map { .act($0) }
            case "state": Act(rawValue: value).map { .state($0) }
            case "aspect": Aspect(rawValue: value).map { .aspect($0) }
            case "category": Category(rawValue: value).map { .category($0) }
            case "place": PlaceWord(rawValue: value).map { .place($0) }
            case "room", "zone": .placeClass(id)
            case "quantifier": Quantifier(rawValue: value).map { .quantifier($0) }
            case "question": Question(rawValue: value).map { .question($0) }
            case "quality": Quality(rawValue: value).map { .quality($0) }
            case "number": Double(value).map { .number($0) }
            case "multiplier": Double(value).map { .multiplier($0) }
            case "unit": Unit(rawValue: value).map { .unit($0) }
            case "clock": Clock(rawValue: value).map { .clock($0) }
            case "moment": Int(value).map { .moment(hour: $0 / 100, minute: $0 % 100) }
            case "level": Level(rawValue: value).map { .level($0) }
            case "color": SpokenColor.named[value].map { .color($0) }
            case "white": White(rawValue: value).map { .white($0) }
            case "link": Link(rawValue: value).map { .link($0) }
            default: nil
            }
        guard let meaning else { return nil }
        self = meaning
    }
}
