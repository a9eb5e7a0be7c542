/// The ID of a house: what a relay keeps for one hub, or for two hubs of the same homes. The hub draws it.
package struct HouseID: HexID {
    package static let byteCount = 8

    package let bytes: [UInt8]

    package init(exactly bytes: [UInt8]) {
        self.bytes = bytes
    }
}
