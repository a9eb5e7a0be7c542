package import Foundation

/// The result of an import or of its dry run.
package struct ImportReport: Hashable, Sendable, Codable {
    /// The outcome for an object. Unknown values are preserved.
    package struct Outcome: Hashable, Sendable, Codable, RawRepresentable {
        /// The outcome's name in messages.
        package var rawValue: String

        /// Creates a value from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is new in the home.
        package static let added = Outcome(rawValue: "added")
        /// It exists in the home and becomes as the export describes it.
        package static let changed = Outcome(rawValue: "changed")
        /// An accessory of the export that can't be matched with one of the home.
        package static let notHere = Outcome(rawValue: "notHere")
        /// An accessory of the export that is replaced in the home by a different device with the same name and room.
        package static let replaced = Outcome(rawValue: "replaced")
        /// It is left out, or a part of it; the remark says which.
        package static let leftOut = Outcome(rawValue: "leftOut")
        /// It isn't in the export and stays as it is.
        package static let stays = Outcome(rawValue: "stays")
    }

    /// The outcome for one object.
    package struct Item: Hashable, Sendable, Codable {
        /// The outcome.
        package var fate: Outcome
        /// The kind of object.
        package var kind: RecordKind
        /// The object's ID in the home; in the export if the home doesn't have it.
        package var id: UUID
        /// The object's name; for a trigger-owned action set, the trigger's name.
        package var name: String
        /// The line in the export, starting at 1; `nil` if it isn't in the export.
        package var line: Int?
        /// Human-readable remarks about the changes, or the reasons why it is left out.
        package var remarks: [String]

        /// Creates an item.
        package init(fate: Outcome, kind: RecordKind, id: UUID, name: String, line: Int?, remarks: [String] = []) {
            self.fate = fate
            self.kind = kind
            self.id = id
            self.name = name
            self.line = line
            self.remarks = remarks
        }
    }

    /// The result for a home.
    package struct HomeResult: Hashable, Sendable, Codable {
        /// The home's ID in the hub.
        package var home: UUID
        /// The user's name for the home after the import.
        package var name: String
        /// Whether the home is new.
        package var isNew: Bool
        /// The user's name for the home before the import, if it changes.
        package var formerName: String?
        /// The objects that change, are left out or are only in the home.
        package var items: [Item]
        /// The number of objects that already match the export.
        package var unchanged: Int

        /// Creates a report.
        package init(
            home: UUID,
            name: String,
            isNew: Bool,
            formerName: String? = nil,
            items: [Item],
            unchanged: Int
        ) {
            self.home = home
            self.name = name
            self.isNew = isNew
            self.formerName = formerName
            self.items = items
            self.unchanged = unchanged
        }
    }

    /// The homes of the export.
    package var homes: [HomeResult]

    /// Creates a report.
    package init(homes: [HomeResult]) {
        self.homes = homes
    }
}
