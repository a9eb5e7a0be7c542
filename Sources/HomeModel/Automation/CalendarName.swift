package import Foundation

extension Calendar.Identifier {
    /// The names of the calendars that schedules can use, as Foundation's `NSCalendar` has them.
    private static let names: [(identifier: Calendar.Identifier, name: String)] = [
        (.gregorian, "gregorian"), (.buddhist, "buddhist"), (.chinese, "chinese"), (.coptic, "coptic"),
        (.ethiopicAmeteMihret, "ethiopic"), (.ethiopicAmeteAlem, "ethiopic-amete-alem"), (.hebrew, "hebrew"),
        (.iso8601, "iso8601"), (.indian, "indian"), (.islamic, "islamic"), (.islamicCivil, "islamic-civil"),
        (.islamicTabular, "islamic-tbla"), (.islamicUmmAlQura, "islamic-umalqura"), (.japanese, "japanese"),
        (.persian, "persian"), (.republicOfChina, "roc"),
    ]

    /// Creates the identifier with a name; `nil` if no schedule can use such a calendar.
    package init?(name: String) {
        guard let known = Self.names.first(where: { $0.name == name }) else { return nil }
        self = known.identifier
    }

    /// The calendar's name in logs and messages; `nil` if no schedule can use the calendar.
    package var name: String? { Self.names.first { $0.identifier == self }?.name }
}

extension TimeZone {
    /// Creates the time zone with an identifier from a client; `nil` if the identifier is unknown or too long.
    package init?(name: String) {
        guard name.utf8.count <= HomeLimits.nameLength else { return nil }
        self.init(identifier: name)
    }
}
