/// The scope of a browse: the services of a type, or those with one of its subtypes (RFC 6763 section 7.1).
struct BrowseScope: Hashable, Sendable {
    /// The type of the services.
    let type: ServiceType
    /// The name of the PTR records that list the services.
    let name: DomainName

    /// All services of a type.
    init(_ type: ServiceType) {
        self.type = type
        name = type.domainName
    }

    /// The services with a subtype, such as `_printer`.
    ///
    /// - Throws: ``DNSSDError`` with the code `invalidName` unless the subtype has 1 to 63 bytes and no control
    ///   characters.
    init(_ type: ServiceType, subtype: String) throws(DNSSDError) {
        self.type = type
        let parent = DomainName(
            wire: [UInt8(WellKnownName.subtypeLabel.utf8.count)] + WellKnownName.subtypeLabel.utf8
                + type.domainName.wire
        )
        name = try .label(subtype, under: parent, called: "subtype")
    }
}
