package import HubAPI

/// The kind of a journal entry. The raw values are stored.
package enum JournalKind: Int, Hashable, Sendable, CaseIterable {
    /// ``HubAPI/JournalContent/value(_:)``
    case value = 1
    /// ``HubAPI/JournalContent/failedWrite(_:_:)``
    case failedWrite = 2
    /// ``HubAPI/JournalContent/change(_:objects:)``
    case change = 3
    /// ``HubAPI/JournalContent/trigger(_:_:event:observations:due:)``
    case trigger = 4
    /// ``HubAPI/JournalContent/scene(_:actions:failures:)``
    case scene = 5
    /// ``HubAPI/JournalContent/reachability(_:isReachable:reason:)``
    case reachability = 6
    /// ``HubAPI/JournalContent/presence(_:isHome:)``
    case presence = 7
    /// ``HubAPI/JournalContent/sentence(_:)``
    case sentence = 8

    /// Returns the kind of a content.
    package init(_ content: JournalContent) {
        switch content {
        case .value: self = .value
        case .failedWrite: self = .failedWrite
        case .change: self = .change
        case .trigger: self = .trigger
        case .scene: self = .scene
        case .reachability: self = .reachability
        case .presence: self = .presence
        case .sentence: self = .sentence
        }
    }
}

extension JournalContent {
    /// The IDs of the objects that the entry is about, the most important first.
    var subjects: [JournalObject] {
        switch self {
        case .value(let value), .failedWrite(let value, _): [value.accessory]
        case .change(_, let objects): objects
        case .trigger(let object, _, _, _, _), .scene(let object, _, _), .reachability(let object, _, _),
            .presence(let object, _):
            [object]
        case .sentence: []
        }
    }
}
