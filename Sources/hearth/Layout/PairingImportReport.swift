import ControllerFiles
import Foundation
import HomeModel
import HubAPI

/// What became of one entry of another controller's file.
struct PairingImportReport: Encodable, Sendable {
    /// An accessory that is in the home now.
    struct Accessory: Encodable, Sendable {
        var id: UUID
        var name: String
        var room: String
    }

    /// The outcome of an entry that was not imported.
    private static let failed = "failed"
    /// The outcome of an entry that is of no accessory for Hearth.
    private static let skipped = "skipped"

    /// What the other controller calls it.
    private(set) var name: String
    /// The accessory's device id, if the entry has one.
    private(set) var id: String?
    /// What was done, in one word.
    private(set) var outcome = failed
    /// The error's name, unless all went well.
    private(set) var error: String?
    /// Why, and what to do about it.
    private(set) var reason: String?
    private(set) var accessories: [Accessory] = []

    init(name: String, id: String?) {
        self.name = name
        self.id = id
    }

    /// Whether the entry is one that could be imported and was not, or not all that was asked for was done.
    var isFailure: Bool { outcome == Self.failed || error != nil && outcome != Self.skipped }
    /// Whether the entry is of no accessory for Hearth.
    var isSkipped: Bool { outcome == Self.skipped }

    /// Notes what is wrong with the entry itself.
    mutating func fault(_ fault: ExternalPairingError) {
        if case .transport = fault {
            outcome = Self.skipped
            error = "unsupportedTransport"
        } else {
            error = "brokenEntry"
        }
        reason = fault.description
    }

    /// Notes why the accessory was not imported.
    mutating func failed(_ error: String, _ reason: String) {
        self.error = error
        self.reason = reason
    }

    /// Notes what the hub did.
    mutating func done(_ imported: ImportedAccessory, _ home: Home?) {
        outcome = imported.outcome.rawValue
        accessories = imported.ids.compactMap { home?.accessories[id: $0] }.map { record in
            Accessory(id: record.id, name: record.name, room: home?.roomName(record.room) ?? "")
        }
        if let remains = imported.remains {
            error = "notTakenOver"
            reason = "The other controller is still paired. \(remains)"
        }
    }

    /// Notes why accessories are not named and placed as they were to be.
    mutating func misplaced(_ trouble: String) {
        guard error == nil else { return }
        error = "notPlaced"
        reason = trouble
    }

    /// The report for people.
    var line: String {
        let trouble = error.map { " \($0): \(reason ?? "")" } ?? ""
        switch ImportedAccessory.Outcome(rawValue: outcome) {
        case .added: return "\(name): added\(place).\(trouble)"
        case .renewed: return "\(name): paired anew.\(trouble)"
        case .present: return "\(name): is in the home already.\(trouble)"
        case .possible: return "\(name): can be imported.\(trouble)"
        default: return "\(name): \(outcome).\(trouble)"
        }
    }

    private var place: String {
        guard let first = accessories.first else { return "" }
        let renamed = first.name == name ? "" : " as \(first.name)"
        let others = accessories.count > 1 ? ", with \(accessories.count - 1) behind it" : ""
        return "\(renamed) to \(first.room)\(others)"
    }
}

/// How many entries came to what.
struct ImportSummary {
    private var done = 0
    private var skipped = 0
    private var failures = 0

    private var total: Int { done + skipped + failures }

    /// Counts an entry.
    mutating func count(_ report: PairingImportReport) {
        if report.isSkipped {
            skipped += 1
        } else if report.isFailure {
            failures += 1
        } else {
            done += 1
        }
    }

    /// The counts for people.
    var summary: String {
        "\(total) in the file: \(done) done, \(failures) failed, \(skipped) not for Hearth."
    }

    /// What the command ends with if something failed.
    var failure: CommandFailure? {
        guard failures > 0 else { return nil }
        let reason =
            "\(failures) of \(total) failed. Do what the lines say, then run it again: only what is missing is done."
        return CommandFailure("notAllImported", reason)
    }
}
