import ControllerFiles
import Foundation
import HomeModel
import HubAPI

/// The result of importing one entry of another controller's file.
struct PairingImportReport: Encodable, Sendable {
    /// An accessory that is now in the home.
    struct Accessory: Encodable, Sendable {
        var id: UUID
        var name: String
        var room: String
    }

    /// The outcome of an entry that wasn't imported.
    private static let failed = "failed"
    /// The outcome of an entry whose accessory Hearth doesn't support.
    private static let skipped = "skipped"

    /// The other controller's name for the accessory.
    private(set) var name: String
    /// The accessory's device ID, if the entry has one.
    private(set) var id: String?
    /// The outcome as a code.
    private(set) var outcome = failed
    /// The error's code, if anything failed.
    private(set) var error: String?
    /// The error's reason and advice.
    private(set) var reason: String?
    private(set) var accessories: [Accessory] = []

    init(name: String, id: String?) {
        self.name = name
        self.id = id
    }

    /// Whether an entry that could be imported wasn't, or not completely.
    var isFailure: Bool { outcome == Self.failed || error != nil && outcome != Self.skipped }
    /// Whether Hearth doesn't support the entry's accessory.
    var isSkipped: Bool { outcome == Self.skipped }

    /// Records that the entry itself is invalid.
    mutating func fail(_ cause: ExternalPairingError) {
        if case .transport = cause {
            outcome = Self.skipped
            error = "unsupportedTransport"
        } else {
            error = "brokenEntry"
        }
        reason = cause.description
    }

    /// Records why the accessory wasn't imported.
    mutating func fail(_ error: String, _ reason: String) {
        self.error = error
        self.reason = reason
    }

    /// Records what the hub did.
    mutating func complete(_ imported: ImportedAccessory, _ home: Home?) {
        outcome = imported.outcome.rawValue
        accessories = imported.ids.compactMap { home?.accessories[id: $0] }.map { record in
            Accessory(id: record.id, name: record.name, room: home?.roomName(record.room) ?? "")
        }
        if let removalFailure = imported.removalFailure {
            error = "notTakenOver"
            reason = "The other controller is still paired. \(removalFailure)"
        }
    }

    /// Records why accessories weren't renamed or moved.
    mutating func recordPlacementProblem(_ problem: String) {
        guard error == nil else { return }
        error = "notPlaced"
        reason = problem
    }

    /// The result as a line of text.
    var line: String {
        let problem = error.map { " \($0): \(reason ?? "")" } ?? ""
        switch ImportedAccessory.Outcome(rawValue: outcome) {
        case .added: return "\(name): added\(location).\(problem)"
        case .renewed: return "\(name): paired again.\(problem)"
        case .present: return "\(name): already in the home.\(problem)"
        case .possible: return "\(name): can be imported.\(problem)"
        default: return "\(name): \(outcome).\(problem)"
        }
    }

    private var location: String {
        guard let first = accessories.first else { return "" }
        let renamed = first.name == name ? "" : " as \(first.name)"
        let count = accessories.count - 1
        let others = count > 0 ? ", with \(count) bridged accessor\(count == 1 ? "y" : "ies")" : ""
        return "\(renamed) to \(first.room)\(others)"
    }
}

/// Counts the results of an import.
struct ImportSummary {
    private var done = 0
    private var skipped = 0
    private var failures = 0

    private var total: Int { done + skipped + failures }

    /// Counts a result.
    mutating func count(_ report: PairingImportReport) {
        if report.isSkipped {
            skipped += 1
        } else if report.isFailure {
            failures += 1
        } else {
            done += 1
        }
    }

    /// The counts as text.
    var text: String {
        "\(total) entries: \(done) done, \(failures) failed, \(skipped) not supported."
    }

    /// The command's error, if an entry failed.
    var failure: CommandFailure? {
        guard failures > 0 else { return nil }
        let reason =
            "\(failures) of \(total) failed. Follow the advice above, then run the command again to retry only those."
        return CommandFailure("notAllImported", reason)
    }
}
