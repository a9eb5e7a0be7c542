import HomeKit

/// The tiles of a home: one for each service of the maker's devices, and none for anything else.
@MainActor
public final class TileList: HomeListener {
    private let store: HomeStore
    /// The tiles, by name.
    public private(set) var tiles: [Tile] = []
    /// Is called after each change of a tile or of the list.
    public var onChange: (() -> Void)?

    /// Makes the list of a store's home, and keeps it up to date.
    public init(_ store: HomeStore = .shared) {
        self.store = store
        store.add(self)
        reload()
    }

    /// The home that is shown, the primary one; nil until HomeKit has told it, and if there is none.
    public var home: HMHome? { store.manager.homes.first(where: \.isPrimary) ?? store.manager.homes.first }

    /// Follows what others do: other apps, and people at the door.
    public func hear(_ news: HomeNews) {
        if case .layout = news { reload() } else { onChange?() }
    }

    /// Reads everything anew, and asks to hear of changes.
    public func reload() {
        if let home { store.observe(home) }
        let services = home?.accessories.flatMap(\.services) ?? []
        tiles = services.compactMap { Tile($0) }.sorted { $0.name < $1.name }
        for characteristic in tiles.flatMap(\.service.characteristics)
        where characteristic.properties.contains(HMCharacteristicPropertySupportsEventNotification)
            && !characteristic.isNotificationEnabled
        {
            Task { await follow(characteristic) }
        }
        onChange?()
    }

    /// Asks to hear of a characteristic, and reads what it has been meanwhile. Of a device that cannot be reached the list
    /// hears when it is back.
    private func follow(_ characteristic: HMCharacteristic) async {
        guard (try? await characteristic.enableNotification(true)) != nil else { return }
        try? await characteristic.readValue()
        onChange?()
    }
}
