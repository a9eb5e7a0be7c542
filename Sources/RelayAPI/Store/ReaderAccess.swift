/// What a key may do with a feed, and the quota that counts it.
package struct ReaderAccess: Hashable, Sendable {
    /// The rights of a reader; `nil` for an owner.
    package var rights: ReaderRights?
    /// The class of the house.
    package var houseClass: HouseClass

    /// Creates it.
    package init(rights: ReaderRights?, houseClass: HouseClass) {
        self.rights = rights
        self.houseClass = houseClass
    }
}
