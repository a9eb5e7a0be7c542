import Foundation
import HomeModel

/// The city that stands for a time zone in the system's time zone database: near enough to the home for the sun.
struct ZoneCity: Hashable {
    /// The files of the time zone database that have the cities' coordinates.
    private static let tables = ["/usr/share/zoneinfo/zone1970.tab", "/usr/share/zoneinfo/zone.tab"]

    /// The city's name.
    var name: String
    /// The city's coordinates, to a tenth of a degree.
    var place: Place

    /// Finds the city of a time zone; `nil` if the system doesn't know one.
    init?(of timeZone: TimeZone) {
        for path in Self.tables {
            guard let table = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            self.init(of: timeZone.identifier, in: table)
            return
        }
        return nil
    }

    /// Finds the city of a time zone in a table: lines of country codes, coordinates (ISO 6709) and zones, separated by
    /// tabs.
    init?(of zone: String, in table: String) {
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count > 2, columns[2] == zone, let place = Self.place(columns[1]) else { continue }
            name = String(zone.split(separator: "/").last ?? "").replacing("_", with: " ")
            self.place = place
            return
        }
        return nil
    }

    /// Reads coordinates such as `+5230+01322` or `+404251-0740023`: degrees and minutes, or with seconds.
    private static func place(_ text: Substring) -> Place? {
        guard let second = text.dropFirst().firstIndex(where: { "+-".contains($0) }),
            let latitude = degrees(text[..<second], digits: 2), let longitude = degrees(text[second...], digits: 3)
        else { return nil }
        let place = Place(latitude: latitude, longitude: longitude)
        return place.isValid ? place : nil
    }

    private static func degrees(_ text: Substring, digits: Int) -> Double? {
        let rest = text.dropFirst(1 + digits)
        guard let whole = Double(text.dropFirst().prefix(digits)), let minutes = Double(rest.prefix(2)) else {
            return nil
        }
        let seconds = Double(rest.dropFirst(2)) ?? 0
        let value = whole + minutes / 60 + seconds / 3_600
        return ((text.hasPrefix("-") ? -value : value) * 10).rounded() / 10
    }
}
