package import Foundation

/// What an import does, or would do.
package struct ImportReport: Hashable, Sendable, Codable {
    /// What becomes of something.
    package struct Fate: Hashable, Sendable, Codable, RawRepresentable {
        /// The fate's name in messages.
        package var rawValue: String

        /// Wraps a name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is new in the home.
        package static let added = Fate(rawValue: "added")
        /// It was here, and is as the export says then.
        package static let changed = Fate(rawValue: "changed")
        /// An accessory of the export that no accessory here is for certain.
        package static let notHere = Fate(rawValue: "notHere")
        /// An accessory of the export for which another device stands here, as it has the name and the room.
        package static let replaced = Fate(rawValue: "replaced")
        /// It, or the part of it that the remark tells, stays out.
        package static let leftOut = Fate(rawValue: "leftOut")
        /// It is here and not in the export, and stays as it is.
        package static let stays = Fate(rawValue: "stays")
    }

    /// What becomes of one thing.
    package struct Item: Hashable, Sendable, Codable {
        /// What becomes of it.
        package var fate: Fate
        /// What it is.
        package var kind: RecordKind
        /// Its identity here, or in the export where it is not here.
        package var id: UUID
        /// Its name; that of the trigger for an action set that a trigger owns.
        package var name: String
        /// Its line in the export, the first being 1; nil for what is not in the export.
        package var line: Int?
        /// What changes, or why it stays out; for people.
        package var remarks: [String]

        /// Makes an item.
        package init(fate: Fate, kind: RecordKind, id: UUID, name: String, line: Int?, remarks: [String] = []) {
            self.fate = fate
            self.kind = kind
            self.id = id
            self.name = name
            self.line = line
            self.remarks = remarks
        }
    }

    /// What becomes of a home.
    package struct OfHome: Hashable, Sendable, Codable {
        /// The home's identity here.
        package var home: UUID
        /// What its user calls it, once the import is done.
        package var name: String
        /// Whether the home is new.
        package var isNew: Bool
        /// What its user calls it before, where that changes.
        package var formerName: String?
        /// What changes, stays out or is only here.
        package var items: [Item]
        /// How many things are as the export says already.
        package var unchanged: Int

        /// Makes a report.
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
    package var homes: [OfHome]

    /// Makes a report.
    package init(homes: [OfHome]) {
        self.homes = homes
    }
}
