import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// The names that a journal entry contains: those of its time.
struct JournalNames: NameSource {
    private let names: [UUID: String]

    /// No names, for what is named where it is used.
    static let none = JournalNames()

    private init() { names = [:] }

    /// Creates the names of an entry.
    init(_ entry: JournalEntry) {
        names = Dictionary(entry.names.map { ($0.id, $0.name) }) { first, _ in first }
    }

    func name(of characteristic: CharacteristicIdentity) -> CharacteristicName? {
        names[characteristic.accessory].map { CharacteristicName(subject: $0, type: characteristic.type) }
    }

    func name(ofUser user: UUID) -> String? { names[user] }

    func name(ofActionSet actionSet: UUID) -> String? { nil }
}

extension JournalValue {
    /// The characteristic as sentences name it: with its service, if that has a name.
    var characteristicName: CharacteristicName {
        CharacteristicName(subject: service ?? accessory.name, type: type)
    }
}
