public import Foundation

/// What an import does, or would do.
public struct ImportReport: Hashable, Sendable, Codable {
    /// What becomes of something.
    public struct Fate: Hashable, Sendable, Codable, RawRepresentable {
        /// The fate's name in messages.
        public var rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is new in the home.
        public static let added = Fate(rawValue: "added")
        /// It was here, and is as the export says then.
        public static let changed = Fate(rawValue: "changed")
        /// An accessory of the export that no accessory here is for certain.
        public static let notHere = Fate(rawValue: "notHere")
        /// An accessory of the export for which another device stands here, as it has the name and the room.
        public static let replaced = Fate(rawValue: "replaced")
        /// It, or the part of it that the remark tells, stays out.
        public static let leftOut = Fate(rawValue: "leftOut")
        /// It is here and not in the export, and stays as it is.
        public static let stays = Fate(rawValue: "stays")
    }

    /// What becomes of one thing.
    public struct Item: Hashable, Sendable, Codable {
        /// What becomes of it.
        public var fate: Fate
        /// What it is.
        public var kind: RecordKind
        /// Its identity here, or in the export where it is not here.
        public var id: UUID
        /// Its name; that of the trigger for an action set that a trigger owns.
        public var name: String
        /// Its line in the export, the first being 1; nil for what is not in the export.
        public var line: Int?
        /// What changes, or why it stays out; for people.
        public var remarks: [String]

        /// Makes an item.
        public init(fate: Fate, kind: RecordKind, id: UUID, name: String, line: Int?, remarks: [String] = []) {
            self.fate = fate
            self.kind = kind
            self.id = id
            self.name = name
            self.line = line
            self.remarks = remarks
        }
    }

    /// What becomes of a home.
    public struct OfHome: Hashable, Sendable, Codable {
        /// The home's identity here.
        public var home: UUID
        /// What its user calls it, once the import is done.
        public var name: String
        /// Whether the home is new.
        public var isNew: Bool
        /// What its user calls it before, where that changes.
        public var formerName: String?
        /// What changes, stays out or is only here.
        public var items: [Item]
        /// How many things are as the export says already.
        public var unchanged: Int

        /// Makes a report.
        public init(
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
    public var homes: [OfHome]

    /// Makes a report.
    public init(homes: [OfHome]) {
        self.homes = homes
    }
}
