/// The texts of answers in a language's file: a line `=key: text` each.
///
/// A text with a count has one form for each plural of the language, separated by `|`.
enum AnswerText: String, CaseIterable {
    /// Fields: `first` and `last`.
    case listAnd = "list.and"
    /// Fields: `first` and `last`.
    case listOr = "list.or"
    /// Fields: `first` and `last`.
    case listComma = "list.comma"
    /// The words for the answers to a question.
    case yes, no
    /// Forms by `count`, which is also a field.
    case devices
    /// Forms by the number of services. Field: `names`.
    case on = "is.on"
    case off = "is.off"
    case open = "is.open"
    case closed = "is.closed"
    case locked = "is.locked"
    case unlocked = "is.unlocked"
    case armed = "is.armed"
    case disarmed = "is.disarmed"
    case muted = "is.muted"
    case unmuted = "is.unmuted"
    case colored = "is.colored"
    case heating = "is.heating"
    case cooling = "is.cooling"
    case automatic = "is.automatic"
    case occupied = "is.occupied"
    case vacant = "is.vacant"
    case moving = "is.moving"
    case still = "is.still"
    case wet = "is.wet"
    case dry = "is.dry"
    case smoky = "is.smoky"
    case clear = "is.clear"
    case low = "is.low"
    case charged = "is.charged"
    case unknown = "is.unknown"
    case failed = "is.failed"
    /// Fields: `names` and `value`.
    case value = "is.value"
    /// Fields: `number`.
    case percent = "unit.percent"
    case celsius = "unit.celsius"
    case fahrenheit = "unit.fahrenheit"
    case kelvin = "unit.kelvin"
    case lux = "unit.lux"
    /// Fields: `count` and `names`; without any.
    case counted = "count"
    case none = "count.none"
    /// Forms by the number of scenes. Field: `names`.
    case ran = "scene.ran"
    /// Field: `time`.
    case later
    case tomorrow = "later.tomorrow"
    /// Field: `names`.
    case askWhich = "ask.which"
    case askOpen = "ask.open"
    case askUnlock = "ask.unlock"
    case askDisarm = "ask.disarm"
    /// Forms by `count`, which is also a field.
    case askMany = "ask.many"
    case cancelled
    case notHeard = "not.heard"
    /// Field: `count`.
    case tooLong = "not.short"
    /// Field: `words`.
    case unknownWords = "not.words"
    /// Field: `names`.
    case didYouMean = "not.near"
    case notUnderstood = "not.command"
    case nothingFits = "not.target"
    /// Fields: `value`, `minimum` and `maximum`.
    case outOfRange = "not.range"
    /// Field: `names`.
    case notPossible = "not.possible"
}

/// How the form of a text depends on a count.
enum PluralRule: String {
    /// One form.
    case none
    /// 1 and all others.
    case one
    /// 0, 1, and all others.
    case zeroOne
    /// 1, 21, …; 2 to 4, 22 to 24, …; all others.
    case slavic

    /// The number of forms.
    var forms: Int {
        switch self {
        case .none: 1
        case .one, .zeroOne: 2
        case .slavic: 3
        }
    }

    /// Returns the index of the form for a count.
    func form(of count: Int) -> Int {
        switch self {
        case .none: return 0
        case .one: return count == 1 ? 0 : 1
        case .zeroOne: return count < 2 ? 0 : 1
        case .slavic:
            let (ones, teens) = (count % 10, count % 100)
            if ones == 1, teens != 11 { return 0 }
            return (2...4).contains(ones) && !(12...14).contains(teens) ? 1 : 2
        }
    }
}
