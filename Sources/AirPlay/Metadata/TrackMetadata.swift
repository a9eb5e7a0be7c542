/// The names of what plays.
package struct TrackMetadata: Hashable, Sendable {
    /// The media type of metadata.
    package static let contentType = "application/x-dmap-tagged"
    private static let container = "mlit"
    /// The maximum length of a name in bytes; longer ones are cut.
    package static let nameLimit = 1_024

    /// The title.
    package var title: String?
    /// The artist.
    package var artist: String?
    /// The album.
    package var album: String?

    /// Creates metadata.
    package init(title: String? = nil, artist: String? = nil, album: String? = nil) {
        (self.title, self.artist, self.album) = (title, artist, album)
    }

    /// Reads a container with items. Returns `nil` if it is malformed.
    ///
    /// Some senders count characters instead of bytes. Their metadata is read if it is valid in this way.
    package init?(_ bytes: [UInt8]) {
        guard let containers = DMAPItem.list(bytes[...]),
            let container = containers.first(where: { $0.code == Self.container }),
            let items = Self.items(container.content)
        else { return nil }
        for item in items {
            switch item.code {
            case "minm": title = Self.name(item)
            case "asar": artist = Self.name(item)
            case "asal": album = Self.name(item)
            default: break
            }
        }
    }

    private static func items(_ content: [UInt8]) -> [DMAPItem]? {
        if let items = DMAPItem.list(content[...]),
            // A length that is too short can end inside a character, and the next item begin by chance.
            items.allSatisfy({ !isText($0.code) || String(validating: $0.content, as: UTF8.self) != nil })
        {
            return items
        }
        return DMAPItem.list(content[...], lengthsIn: .characters)
    }

    private static func isText(_ code: String) -> Bool { ["minm", "asar", "asal"].contains(code) }

    private static func name(_ item: DMAPItem) -> String {
        var name = String(decoding: item.content.prefix(nameLimit + 4), as: UTF8.self)
        while name.utf8.count > nameLimit { name.removeLast() }
        return name
    }

    /// The bytes to send.
    package var bytes: [UInt8] {
        let items = [("minm", title), ("asar", artist), ("asal", album)].compactMap { code, name in
            name.map { DMAPItem(code, $0) }
        }
        return DMAPItem(Self.container, items.flatMap(\.bytes)).bytes
    }
}
