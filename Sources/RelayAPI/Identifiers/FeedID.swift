/// The ID of a feed in a house: the sealed changes for the devices of one person.
package struct FeedID: HexID {
    package static let byteCount = 16

    package let bytes: [UInt8]

    package init(exactly bytes: [UInt8]) {
        self.bytes = bytes
    }
}
